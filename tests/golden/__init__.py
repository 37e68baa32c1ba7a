"""Golden cases: those kept here, and the whole collection where it stands beside the checkout."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gdcurves.problems.problem import Problem, Provenance

HERE = Path(__file__).resolve().parent
COLLECTION = HERE.parent.parent.parent / "shared" / "reference"
NOWHERE = Provenance("", "file", "", "", 0, 0, 0, 0, (), None)


def cases(file: str, key: str = "cases") -> list[Any]:
    """Parameters (folder, case) of a file; one that is skipped where the collection is absent."""
    reason = "needs the reference folder ../shared, which this checkout does not have"
    absent = pytest.mark.skip(reason=reason)
    parameters = []
    for folder, where in ((HERE, "kept"), (COLLECTION, "collection")):
        if (folder / file).exists():
            content = json.loads((folder / file).read_text(encoding="utf-8"))[key]
            parameters += [pytest.param(folder, case, id=_id(where, case)) for case in content]
        else:
            parameters.append(pytest.param(folder, {}, marks=absent, id=where))
    return parameters


def setting(folder: Path, name: str) -> Problem:
    """A simulated data set as a problem; numbers on their own scale. Group 1 is the first class."""
    table = np.loadtxt(folder / "datasets" / f"{name}.csv", delimiter=",", skiprows=1)
    assert np.array_equal(table[:, 0], np.arange(1, len(table) + 1))
    x, y = table[:, 2:], (table[:, 1] - 1).astype(np.int8)
    features = tuple(f"x{i + 1}" for i in range(x.shape[1]))
    if name.startswith("b"):
        levels = (2,) * x.shape[1]
        return Problem(
            name, "discrete", x.astype(np.int32), y, levels, features, ("1", "2"), NOWHERE
        )
    return Problem(name, "continuous", x, y, (0,) * x.shape[1], features, ("1", "2"), NOWHERE)


def _id(where: str, case: dict[str, Any]) -> str:
    if "id" in case:
        return f"{where}-{case['id']}"
    return f"{where}-{case['setting']}-{case['m']}-{case['split']}"
