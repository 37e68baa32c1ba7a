"""How an experiment wants its data read: where they are, missing values, rescaling."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, WithJsonSchema

from gdcurves.config.strict import StrictModel, unlike

Inputs = Literal["continuous", "discrete", "all"]
Threshold = float | Literal["median", "none"]
Mark = Literal[".", ","]
Rescale = Literal["dataset", "train", "none"]

MISSING_TEXTS = ("", "?")
"""Cells that mean "missing", after blanks around them are removed. No other text does."""


def decimal_of(decimal: Mark | None, thousands: Mark | None) -> Mark | None:
    """What stands before decimals: the mark that does, or the one that parts no thousands."""
    if thousands is None:
        return decimal
    return "," if thousands == "." else "."


STANDARD_INPUT = "-"
"""What names it as a source of data."""

IN_MEMORY = "memory:"
"""What the names of tables begin with that are handed over, not read."""


def is_name(data: str) -> bool:
    """Tell a name of the catalogue, which has no dot, slash or colon, from other sources."""
    return data != STANDARD_INPUT and re.search(r"[./\\:]", data) is None


class Missing(StrictModel):
    """What becomes of missing values in continuous and in discrete inputs.

    "drop_rows": their rows are left out; "error": they are refused.

    Attributes
    ----------
    continuous
        "mean": the mean over the training rows stands for them.
    discrete
        "level": they are a level of their own.
    """

    continuous: Literal["drop_rows", "mean", "error"] = "drop_rows"
    discrete: Literal["drop_rows", "level", "error"] = "drop_rows"


DROP_ROWS = Missing()

RULES: dict[str, dict[str, str]] = {
    "drop_rows": {},
    "level": {"discrete": "level"},
    "mean": {"continuous": "mean"},
    "error": {"continuous": "error", "discrete": "error"},
}
"""What one word says of both kinds."""


def _spelled_out(value: Any) -> Any:
    """Take one word for both kinds; `level` and `mean` are for one, the other drops rows."""
    if isinstance(value, str) and value in RULES:
        return RULES[value]
    if isinstance(value, dict | Missing):
        return value
    raise unlike(f"{', '.join(RULES)}, or a mapping of continuous and discrete to one of them")


MissingRule = Annotated[
    Missing,
    BeforeValidator(_spelled_out),
    WithJsonSchema({"anyOf": [{"enum": list(RULES)}, Missing.model_json_schema()]}),
]
