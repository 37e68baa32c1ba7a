"""Fields that may be written in more than one way, told apart by their shape."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, Discriminator

# The shapes, as tags of a union's members; they also stand in pydantic's errors.
NUMBER, LIST, MATRICES, MAPPING = ("<number>", "<list>", "<matrices>", "<mapping>")
RANGE, MULTIPLES = "<range>", "<multiples>"  # mappings of sizes
SHAPES = (NUMBER, LIST, MATRICES, MAPPING, RANGE, MULTIPLES)


def by_shape(expected: str) -> Discriminator:
    """Choose the member of a union by the shape of a value; `expected` says what may be written."""
    # Without a context, in which older pydantics find a dict that cannot be hashed.
    return Discriminator(_shape, custom_error_type="unlike", custom_error_message=expected)


def _shape(value: Any) -> str | None:
    match value:
        case bool():
            return None
        case int() | float():
            return NUMBER
        case dict() | BaseModel():
            return MAPPING
        case [[[*_], *_], *_]:
            return MATRICES
        case list() | tuple():
            return LIST
        case _:
            return None
