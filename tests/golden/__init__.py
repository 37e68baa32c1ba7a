"""Golden cases: those kept here, and the whole collection where it stands beside the checkout."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).resolve().parent
COLLECTION = HERE.parent.parent.parent / "shared" / "reference"


def cases(file: str, key: str = "cases") -> list[Any]:
    """Parameters (folder, case) of a file; one that is skipped where the collection is absent."""
    reason = "needs the reference folder ../shared, which this checkout does not have"
    absent = pytest.mark.skip(reason=reason)
    parameters = []
    for folder, where in ((HERE, "kept"), (COLLECTION, "collection")):
        if (folder / file).exists():
            found = json.loads((folder / file).read_text(encoding="utf-8"))[key]
            parameters += [pytest.param(folder, case, id=_id(where, case)) for case in found]
        else:
            parameters.append(pytest.param(folder, {}, marks=absent, id=where))
    return parameters


def _id(where: str, case: dict[str, Any]) -> str:
    if "id" in case:
        return f"{where}-{case['id']}"
    return f"{where}-{case['setting']}-{case['m']}-{case['split']}"
