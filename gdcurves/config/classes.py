"""The classes of an experiment: labels in order, or names that stand for one or more labels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    GetPydanticSchema,
    Tag,
    TypeAdapter,
    ValidationError,
    WithJsonSchema,
)

from gdcurves.config.explain import explain
from gdcurves.config.shapes import LIST, MAPPING, by_shape
from gdcurves.config.strict import wrong
from gdcurves.errors import UserError


@dataclass(frozen=True)
class ClassConfig:
    """One class: its name and the labels in the data that it takes in."""

    name: str
    labels: tuple[str, ...]


def _text(value: Any) -> Any:
    """Take a whole number for its text: labels are often 0 and 1."""
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _in_list(value: Any) -> Any:
    return value if isinstance(value, list | tuple) else [value]


def _resolve(written: tuple[str, ...] | dict[str, tuple[str, ...]]) -> tuple[ClassConfig, ...]:
    if not isinstance(written, dict):
        _check_distinct(written)
        written = {label: (label,) for label in written}
    if len(written) < 2:
        raise wrong(f"found {len(written)} of them; write two classes or more")
    for name, labels in written.items():
        if not labels:
            raise wrong("the list is empty; write the labels of this class", name)
    _check_distinct(label for labels in written.values() for label in labels)
    return tuple(ClassConfig(name, labels) for name, labels in written.items())


def _check_distinct(labels: Iterable[str]) -> None:
    for label, count in Counter(labels).items():
        if count > 1:
            raise wrong(f"the label '{label}' stands here {count} times; give it to one class")


def classes_of(written: Any, called: str) -> tuple[ClassConfig, ...]:
    """Classes as a config has them: a list of labels, or a mapping; raises UserError."""
    try:
        return _ADAPTER.validate_python(written)
    except ValidationError as error:
        raise UserError(f"{called}: {explain(error.errors()[0])}") from None


_LABEL = {"type": ["string", "integer"]}
Label = Annotated[str, BeforeValidator(_text), WithJsonSchema(_LABEL)]
_Labels = Annotated[tuple[Label, ...], Field(strict=False)]
_OneOrMore = Annotated[
    _Labels,
    BeforeValidator(_in_list),
    WithJsonSchema({"anyOf": [_LABEL, {"type": "array", "items": _LABEL}]}),
]
_AsWritten = Annotated[
    Annotated[_Labels, Tag(LIST)] | Annotated[dict[str, _OneOrMore], Tag(MAPPING)],
    by_shape("a list of labels, or a mapping of class names to labels"),
    AfterValidator(_resolve),
]
Classes = Annotated[
    tuple[ClassConfig, ...],
    GetPydanticSchema(lambda _source, handler: handler.generate_schema(_AsWritten)),
]
_ADAPTER: TypeAdapter[tuple[ClassConfig, ...]] = TypeAdapter(Classes)
