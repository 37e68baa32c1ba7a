"""The strict model that all configuration is checked with, and how validators report."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, model_validator
from pydantic_core import PydanticCustomError

_LARGEST_EXACT = 2**53


class StrictModel(BaseModel):
    """A frozen mapping of known keys, whose values are not converted."""

    model_config = ConfigDict(strict=True, frozen=True, extra="forbid")

    @model_validator(mode="before")
    @classmethod
    def _refuse_unknown_keys(cls, value: Any) -> Any:
        if isinstance(value, dict) and cls.model_config["extra"] == "forbid":
            known = list(cls.model_fields)
            for key in value:
                if key not in known:
                    context = {"at": [key], "known": known}
                    raise PydanticCustomError("unknown_key", "unknown key", context)
        return value


def wrong(message: str, *at: str | int) -> PydanticCustomError:
    """Return the error for a validator to raise; its place is `at` below the checked value."""
    return PydanticCustomError("wrong", "{message}", {"message": message, "at": list(at)})


def _whole(value: Any) -> Any:
    if isinstance(value, float) and value.is_integer() and abs(value) <= _LARGEST_EXACT:
        return int(value)
    return value


# YAML 1.2 reads 1e3 as the float 1000.0: where a whole number is wanted, that is one.
Whole = Annotated[int, BeforeValidator(_whole)]
