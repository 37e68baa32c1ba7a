"""Training set sizes: a list, or start, stop and step."""

from __future__ import annotations

from typing import Annotated, Any, Self

from pydantic import AfterValidator, Discriminator, Field, GetPydanticSchema, Tag, model_validator

from gdcurves.config.shapes import LIST, MAPPING, MULTIPLES, RANGE, by_shape
from gdcurves.config.strict import AS_WHOLE, NOT_EMPTY, StrictModel, wrong
from gdcurves.errors import MisfitError

MOST_SIZES = 10_000
FORESEEN = 4  # times the largest size: how well curves are foreseen is measured so far

Size = Annotated[int, Field(ge=2), AS_WHOLE]  # a training set holds at least one row of each class


class SizeRange(StrictModel):
    """Sizes from `start` by `step`, up to and with `stop`.

    Attributes
    ----------
    start, stop
        The first size, and what none is above.
    step
        From one to the next.
    """

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


class TimesN(StrictModel):
    """Sizes as multiples of a law's number of features, `n`.

    Attributes
    ----------
    times_n
        Numbers that n is multiplied by; sizes are rounded.
    """

    times_n: Annotated[
        tuple[Annotated[float, Field(gt=0, le=1e6, allow_inf_nan=False)], ...],
        Field(strict=False),
        NOT_EMPTY,
    ]

    def of(self, n: int) -> tuple[int, ...]:
        """Sizes for n features, rounded; raises MisfitError where they do not increase from 2 on.

        The keys of the error are those below the sizes.
        """
        sizes = tuple(round(each * n) for each in self.times_n)
        for index, m in enumerate(sizes):
            before = sizes[index - 1] if index else 1
            if m <= before:
                raise MisfitError(
                    f"{self.times_n[index]:g} times {n} features is {m}; write what makes more than"
                    f" {before}",
                    *("times_n", index),
                )
        return sizes


def _increasing(sizes: tuple[int, ...]) -> tuple[int, ...]:
    for index in range(1, len(sizes)):
        if sizes[index] <= sizes[index - 1]:
            raise wrong(
                f"found {sizes[index]} after {sizes[index - 1]}; write each size once, in order",
                index,
            )
    return sizes


def _of_mapping(value: Any) -> str:
    """Tell multiples of n from a range."""
    there = isinstance(value, TimesN) or (isinstance(value, dict) and "times_n" in value)
    return MULTIPLES if there else RANGE


_Mapping = Annotated[
    Annotated[SizeRange, Tag(RANGE)] | Annotated[TimesN, Tag(MULTIPLES)],
    Discriminator(_of_mapping),
]


def _expand(sizes: tuple[int, ...] | SizeRange | TimesN) -> tuple[int, ...] | TimesN:
    if isinstance(sizes, SizeRange):
        return tuple(range(sizes.start, sizes.stop + 1, sizes.step))
    return sizes


_List = Annotated[
    tuple[Size, ...], Field(strict=False), NOT_EMPTY, AfterValidator(_increasing), Tag(LIST)
]
_Written = Annotated[
    _List | Annotated[SizeRange, Tag(MAPPING)],
    by_shape("a list of whole numbers, or a mapping of start, stop and step"),
    AfterValidator(_expand),
]
_WrittenOfLaw = Annotated[
    _List | Annotated[_Mapping, Tag(MAPPING)],
    by_shape("a list of whole numbers, or a mapping of start, stop and step"),
    AfterValidator(_expand),
]
Sizes = Annotated[
    tuple[int, ...],
    GetPydanticSchema(lambda _source, handler: handler.generate_schema(_Written)),
]
SizesOfLaw = Annotated[
    tuple[int, ...] | TimesN,
    GetPydanticSchema(lambda _source, handler: handler.generate_schema(_WrittenOfLaw)),
]
