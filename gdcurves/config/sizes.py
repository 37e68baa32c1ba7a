"""Training set sizes: a list, or start, stop and step."""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import AfterValidator, Field, GetPydanticSchema, Tag, model_validator

from gdcurves.config.shapes import LIST, MAPPING, by_shape
from gdcurves.config.strict import AS_WHOLE, NOT_EMPTY, StrictModel, wrong

MOST_SIZES = 10_000
FORESEEN = 4  # times the largest size: how well curves are foreseen is measured so far

Size = Annotated[int, Field(ge=2), AS_WHOLE]  # a training set holds at least one row of each class


class SizeRange(StrictModel):
    """Sizes from `start` by `step`, up to and with `stop`."""

    start: Size
    stop: Size
    step: Annotated[int, Field(ge=1), AS_WHOLE] = 1

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.stop < self.start:
            raise wrong(f"found {self.stop}; write {self.start} (start) or more", "stop")
        n_sizes = (self.stop - self.start) // self.step + 1
        if n_sizes > MOST_SIZES:
            raise wrong(f"this makes {n_sizes} sizes; write a larger step", "step")
        return self


def _increasing(sizes: tuple[int, ...]) -> tuple[int, ...]:
    for index in range(1, len(sizes)):
        if sizes[index] <= sizes[index - 1]:
            raise wrong(
                f"found {sizes[index]} after {sizes[index - 1]}; write each size once, in order",
                index,
            )
    return sizes


def _expand(sizes: tuple[int, ...] | SizeRange) -> tuple[int, ...]:
    if isinstance(sizes, SizeRange):
        return tuple(range(sizes.start, sizes.stop + 1, sizes.step))
    return sizes


_AsWritten = Annotated[
    Annotated[
        tuple[Size, ...], Field(strict=False), NOT_EMPTY, AfterValidator(_increasing), Tag(LIST)
    ]
    | Annotated[SizeRange, Tag(MAPPING)],
    by_shape("a list of whole numbers, or a mapping of start, stop and step"),
    AfterValidator(_expand),
]
Sizes = Annotated[
    tuple[int, ...],
    GetPydanticSchema(lambda _source, handler: handler.generate_schema(_AsWritten)),
]
