"""Options as values: what is asked of data, as the command line asks it of a file."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping, Sequence
from os import PathLike, fspath
from typing import Any, cast

from gdcurves.config.classes import ClassConfig, classes_of
from gdcurves.config.reading import IN_MEMORY, Threshold
from gdcurves.datasets.raw import Raw
from gdcurves.datasets.sources import memory
from gdcurves.errors import UserError
from gdcurves.plan.asked import check_share, check_sizes, check_threshold, source

Names = str | Iterable[str]
NAME = "data"
"""What a table in memory is called unless it is given a name."""


def source_of(data: Any, target: Any, name: str | None) -> tuple[str, str | None, Raw | None]:
    """Say where data are and what the column of the classes is called; and hold a table in memory.

    Raises UserError where they are no data, or a file is given a name.
    """
    if isinstance(data, str | PathLike):
        if name is not None:
            raise UserError("name: a file has one; leave this out")
        path = fspath(data)
        if not isinstance(path, str):
            raise UserError("data: the path is of bytes; give a text")
        return source(path), target, None
    if target is None or isinstance(target, str):
        held = memory.of_frame(data)
    else:
        held, target = memory.of_arrays(data, target)
    return f"{IN_MEMORY}{name or NAME}", target, held


def names(values: Names | None) -> tuple[str, ...]:
    """One name, or several."""
    if values is None:
        return ()
    return (values,) if isinstance(values, str) else tuple(map(str, values))


def words(values: Names | None) -> tuple[str, ...] | None:
    """Words that hold no comma, perhaps with commas between them; None where there are none."""
    if values is None:
        return None
    return tuple(word.strip() for each in names(values) for word in each.split(","))


def classes(
    values: Iterable[str] | Mapping[str, str | Iterable[str]] | None,
) -> tuple[ClassConfig, ...] | None:
    """Labels of classes, in a list or a mapping; raises UserError."""
    if values is None:
        return None
    if isinstance(values, Mapping):
        given: Any = {
            str(name): [labels] if isinstance(labels, str | int) else [*labels]
            for name, labels in values.items()
        }
    else:
        given = [values] if isinstance(values, str) else [*values]
    return classes_of(given, "--classes")


def sizes(values: Iterable[int] | None) -> tuple[int, ...] | None:
    """Training sizes; raises UserError."""
    if values is None:
        return None
    try:
        numbers = tuple(map(operator.index, values))
    except TypeError:
        raise UserError(f"--sizes {values!r}: write a list of whole numbers, or a range") from None
    check_sizes(numbers, repr(list(numbers)))
    return numbers


def threshold(value: float | str | None) -> Threshold | None:
    """Where a target of numbers is cut; raises UserError."""
    if value in (None, "median", "none"):
        return cast("Threshold | None", value)
    number = float(value) if _is_number(value) else float("nan")
    check_threshold(number, str(value))
    return number


def share(value: float | None) -> float | None:
    """An error that is to be reached; raises UserError."""
    if value is not None:
        check_share(value if _is_number(value) else float("nan"), str(value))
    return value


def at_least_one(name: str, value: int | None, most: int | None = None) -> int | None:
    """A number of things; raises UserError."""
    if value is None:
        return None
    limit = "" if most is None else f", {most:,} at most"
    try:
        number = operator.index(value)
    except TypeError:
        number = 0
    if number < 1 or (most is not None and number > most):
        raise UserError(f"{name}={value!r}: write a whole number from 1 on{limit}")
    return number


def one_of(name: str, value: str | None, known: Sequence[str]) -> Any:
    """A word of those that are known; raises UserError."""
    if value is not None and value not in known:
        raise UserError(f"{name}={value!r}: choose from {', '.join(known)}")
    return value


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
