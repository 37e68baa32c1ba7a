"""The strict model that all configuration is checked with, and how validators report."""

from __future__ import annotations

from typing import Any

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    model_validator,
)
from pydantic_core import PydanticCustomError, core_schema

from gdcurves.config.meanings import describe

_LARGEST_EXACT = 2**53


class StrictModel(BaseModel):
    """A frozen mapping of known keys, whose values are not converted.

    The attributes that its docstring tells of are what its JSON schema says of the keys.
    """

    model_config = ConfigDict(strict=True, frozen=True, extra="forbid")

    @classmethod
    def __get_pydantic_json_schema__(
        cls, schema: core_schema.CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        written = handler(schema)
        describe(cls, handler.resolve_ref_schema(written))
        return written

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


def unlike(expected: str) -> PydanticCustomError:
    """Return the error for a value that is nothing of what may be written, which `expected` says.

    The message shows the value, so it is to be raised before the value is changed.
    """
    return PydanticCustomError("unlike", "{expected}", {"expected": expected})


def _whole(value: Any) -> Any:
    if isinstance(value, float) and value.is_integer() and abs(value) <= _LARGEST_EXACT:
        return int(value)
    return value


# YAML 1.2 reads 1e3 as the float 1000.0: where a whole number is wanted, that is one. It stands
# last, behind the limits: so they are those of the number, in the JSON schema too.
AS_WHOLE = BeforeValidator(_whole)


class _NotEmpty:
    """Refuses an empty list, with our words, and in the JSON schema."""

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        return core_schema.no_info_after_validator_function(self._check, handler(source))

    def __get_pydantic_json_schema__(
        self, schema: core_schema.CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        return handler(schema) | {"minItems": 1}

    @staticmethod
    def _check(value: tuple[Any, ...]) -> tuple[Any, ...]:
        if not value:
            raise wrong("the list is empty; write at least one item")
        return value


NOT_EMPTY = _NotEmpty()
