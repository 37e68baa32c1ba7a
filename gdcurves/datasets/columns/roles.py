"""Which columns a request names, and as what."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from gdcurves.datasets.columns import inference, rownumbers
from gdcurves.datasets.columns.cells import level
from gdcurves.datasets.columns.texts import Column
from gdcurves.datasets.raw import ANOTHER_TARGET, Raw, no_header
from gdcurves.datasets.request import Request
from gdcurves.errors import MisfitError
from gdcurves.words import suggest

SEPARATED = "in a text, cells stand between commas, semicolons, tabs, bars or blanks in all lines"


def target_of(raw: Raw, request: Request) -> str:
    """The column to predict; raises MisfitError where none is named, or one that there is not."""
    target = request.target or raw.target
    if target is not None and target in raw.columns:
        return target
    hint = raw.hint or no_header(raw.columns)
    if len(raw.columns) == 1 and not hint:
        hint = f"; it is the one column; {SEPARATED}"
    offered = raw.columns if hint else _possible(raw, request)  # with one, names may be none
    if target is None:
        raise MisfitError(
            f"{raw.origin}: which column is to be predicted? Name it as target; there are"
            f" {', '.join(offered)}{hint}",
            "target",
        )
    raise MisfitError(
        f"{raw.origin}: no column {target!r} for the target; {suggest(target, offered)}{hint}",
        "target",
    )


def _possible(raw: Raw, request: Request) -> list[str]:
    """Columns that may be the target: those that the source declares as one; else all, if none may.

    Those are out that the source or the request leaves out, that group rows, cannot be used, or
    name or number the rows, and those without two values.
    """
    declared = [name for name, why in raw.dropped.items() if why.startswith(ANOTHER_TARGET)]
    if declared:
        return declared
    possible: list[str] = []
    for name, cells in raw.columns.items():
        column = Column(cells, request.missing_texts)
        has_role = name in {*raw.dropped, *raw.broken, *request.drop, *request.groups}
        if (
            has_role
            or _n_values(column) < 2
            or inference.identifies(column)
            or rownumbers.reason(name, not possible, cells, column.missing)
        ):
            continue
        possible.append(name)
    return possible or [*raw.columns]


def _n_values(column: Column) -> int:
    """How many different values a column has."""
    if isinstance(column.cells, np.ndarray):
        return len(np.unique(column.numbers[~np.isnan(column.numbers)]))
    return len({level(text) for text in column.texts.written})


def roles_of(raw: Raw, request: Request, target: str) -> dict[str, Any]:
    """Roles that the request gives to columns; raises MisfitError for names that do not fit.

    A column that groups rows is an input too, and has that role, if it is said of which kind.
    """
    roles = {
        "groups": request.groups,
        "continuous": request.continuous,
        "discrete": request.discrete,
        "drop": request.drop,
    }
    counts = Counter(name for names in roles.values() for name in names)
    counts.subtract({*request.groups} & {*request.continuous, *request.discrete})
    for role, names in roles.items():
        for number, name in enumerate(names):
            wrong = None
            if name not in raw.columns:
                wrong = f"no column {name!r}, named under {role!r}; {suggest(name, raw.columns)}"
            elif name == target:
                wrong = f"column {name!r} is the target and stands under {role!r} too; take it out"
            elif counts[name] > 1:
                wrong = (
                    f"column {name!r} stands twice under 'continuous', 'discrete', 'drop' and"
                    " 'groups'; name it once"
                )
            if wrong is not None:
                raise MisfitError(f"{raw.origin}: {wrong}", role, number)
    return {name: role for role, names in roles.items() for name in names}
