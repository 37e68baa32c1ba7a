"""Texts that stand for missing values: the usual ones and more, or only some."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import AfterValidator, Field, GetPydanticSchema, PlainSerializer, Tag

from gdcurves.config.classes import Label
from gdcurves.config.reading import MISSING_TEXTS
from gdcurves.config.shapes import LIST, MAPPING, by_shape
from gdcurves.config.strict import StrictModel

_Texts = Annotated[tuple[Label, ...], Field(strict=False)]


class OnlyTexts(StrictModel):
    """The texts that stand for a missing value, and no others.

    Attributes
    ----------
    only
        All of them; blanks around a cell are removed before.
    """

    only: _Texts


def _all(texts: tuple[str, ...] | OnlyTexts) -> tuple[str, ...]:
    if isinstance(texts, OnlyTexts):
        return texts.only
    return tuple(dict.fromkeys((*MISSING_TEXTS, *texts)))


def _as_written(texts: tuple[str, ...]) -> list[str] | dict[str, Any]:
    listed = list(texts)
    return listed if texts[: len(MISSING_TEXTS)] == MISSING_TEXTS else {"only": listed}


_AsWritten = Annotated[
    Annotated[_Texts, Tag(LIST)] | Annotated[OnlyTexts, Tag(MAPPING)],
    by_shape("a list of texts beside the usual ones, or {only: [...]} in their place"),
    AfterValidator(_all),
]
MissingTexts = Annotated[
    tuple[str, ...],
    GetPydanticSchema(lambda _source, handler: handler.generate_schema(_AsWritten)),
    PlainSerializer(_as_written),
]
