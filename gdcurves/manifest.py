"""What manifest.json says of a run, and what may not change when the run is resumed."""

from __future__ import annotations

import json
import platform
import sys
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from functools import cache
from importlib.metadata import version
from typing import Any

import numpy as np

import gdcurves
from gdcurves import store
from gdcurves.errors import UserError
from gdcurves.plan import Plan
from gdcurves.problem import Problem
from gdcurves.simulated import Series

LIBRARIES = ("numpy", "scipy", "pandas", "joblib", "pydantic", "matplotlib", "openml")
# Those whose results are rows and curves: rows of two versions are not mixed.
COMPUTING = ("numpy", "scipy")


@cache
def versions() -> Mapping[str, str]:
    """Versions of what computes rows."""
    return {"gdcurves": gdcurves.__version__, **{name: version(name) for name in COMPUTING}}


def of_run(name: str, plan: Plan) -> dict[str, Any]:
    """What a manifest says of a run whatever comes of it."""
    return {
        "schema_version": store.SCHEMA_VERSION,
        "name": name,
        "gdcurves": gdcurves.__version__,
        "command": ["gdcurves", *sys.argv[1:]],
        "seed": plan.config.seed,
        "config": plan.config.model_dump(mode="json"),
        "versions": {
            "python": platform.python_version(),
            **{name: version(name) for name in LIBRARIES},
        },
        "platform": {"system": platform.platform(), "machine": platform.machine()},
    }


def of_problem(loaded: Problem | Series) -> dict[str, Any]:
    """What it says of an experiment's data."""
    counts = np.bincount(loaded.y, minlength=len(loaded.classes)).tolist()
    return {
        **asdict(loaded.provenance),
        "classes": dict(zip(loaded.classes, counts, strict=True)),
        "n_features": len(loaded.features),
    }


def check_same(
    earlier: Mapping[str, Any],
    now: Mapping[str, Any],
    problems: Mapping[str, Problem | Series],
) -> None:
    """Refuse to go on with a run of another config, other data or another version.

    Parameters
    ----------
    earlier
        The manifest of the run.
    now
        What `of_run` says of the run that is to go on with it.
    problems
        Its data.

    Raises
    ------
    UserError
        With a list of what has changed, by name.
    """
    before, after = dict(_compared(earlier)), dict(_compared(now))
    for name, each in problems.items():
        # An experiment that had no data has no rows that others could be mixed with.
        sha256 = earlier.get("experiments", {}).get(name, {}).get("sha256")
        if sha256 is not None:
            key = f"sha256 of the data of {name}"
            before[key], after[key] = sha256, each.provenance.sha256
    differ = [key for key in dict.fromkeys((*after, *before)) if before.get(key) != after.get(key)]
    changed = [
        f"{key} was {_shown(before.get(key))}, is {_shown(after.get(key))}"
        for key in differ
        if not any(key.startswith(f"{other}.") for other in differ)
    ]
    if changed:
        raise UserError(
            f"--resume: the run of {earlier['name']!r} is another one: {'; '.join(changed)};"
            " take back the changes, use --fresh to begin anew, or choose another folder with --out"
        )


def _compared(manifest: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    yield "gdcurves", manifest.get("gdcurves")
    versions = manifest.get("versions", {})
    for library in COMPUTING:
        yield library, versions.get(library)
    yield from _leaves(manifest.get("config"), "")


def _leaves(value: Any, place: str) -> Iterator[tuple[str, Any]]:
    """Every value of a config under the name that a file gives it; lists of numbers are one.

    An item of a list of mappings goes by its name, or else its number, and is a value too.
    """
    if isinstance(value, Mapping):
        for key, below in value.items():
            yield from _leaves(below, f"{place}.{key}" if place else str(key))
    elif isinstance(value, list) and any(isinstance(each, Mapping) for each in value):
        names = [each.get("name", number) for number, each in enumerate(value)]
        for name, each in zip(names, value, strict=True):
            yield f"{place}[{name}]", "there"
            yield from _leaves(each, f"{place}[{name}]")
        yield f"order of {place}", names
    else:
        yield place, value


def _shown(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    text = "not there" if value is None else text
    return text if len(text) <= 80 else f"{text[:77]}..."
