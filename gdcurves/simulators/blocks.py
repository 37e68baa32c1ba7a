"""Blocks of features of equal strength: families of laws, one for each number of features."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from typing import Annotated, Any, ClassVar, Self

import numpy as np
from pydantic import BeforeValidator, ConfigDict, Field, RootModel, WithJsonSchema, model_validator

from gdcurves.arrays import FloatArray, IntArray
from gdcurves.config import StrictModel
from gdcurves.config.strict import unlike, wrong
from gdcurves.errors import UserError
from gdcurves.simulators.base import class_rows
from gdcurves.simulators.bernoulli import MOST_ENUMERATED, Probability, binary
from gdcurves.words import counted

MOST_FEATURES = 100_000

_Strength = Annotated[float, Field(ge=-1e3, le=1e3, allow_inf_nan=False)]


class NormalBlock(StrictModel):
    """Normal features of variance one, their means half of `shift` to either side of zero.

    Attributes
    ----------
    shift
        Mean in the second class less that in the first, of each feature.
    total
        Instead of `shift`: the distance of the two classes' means in all features of the block.
    correlation
        Of any two of them, within the classes.
    """

    shift: _Strength | None = None
    total: _Strength | None = None
    correlation: Annotated[float, Field(ge=0, lt=1)] = 0.0

    @model_validator(mode="after")
    def _one_strength(self) -> Self:
        if (self.shift is None) == (self.total is None):
            given = "none" if self.shift is None else "both"
            raise wrong(f"found {given} of shift, total; write exactly one of these keys")
        return self

    def shift_of(self, n: int) -> float:
        """Mean difference of each of n features."""
        if self.shift is not None:
            return self.shift
        assert self.total is not None, "checked by the model"
        return self.total / float(np.sqrt(n))


def _share(value: Any) -> Any:
    """Take a part of all features as it is written, 1/2 or 0.5; whole numbers stay."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise unlike("a number of features, or a part of n such as 1/2")
    if isinstance(value, int):
        return value
    try:
        share = Fraction(value)
    except (ValueError, ZeroDivisionError):
        raise unlike("a number of features, or a part of n such as 1/2") from None
    if share.denominator == 1 and isinstance(value, float):
        return int(share)
    if not 0 < share < 1:
        raise unlike("a number of features, or a part of n such as 1/2")
    return str(value)


_Features = Annotated[
    Annotated[int, Field(ge=1, le=MOST_FEATURES)] | str,
    BeforeValidator(_share),
    WithJsonSchema({"anyOf": [{"type": ["integer", "number"]}, {"type": "string"}]}),
]


class Block(StrictModel):
    """Features that are alike: normal ones, or bits.

    Attributes
    ----------
    features
        How many, or which part of all features.
    normal
        What normal ones have.
    p
        Probability of a 1 in the first and in the second class, of independent bits.
    """

    features: _Features
    normal: NormalBlock | None = None
    p: Annotated[tuple[Probability, Probability], Field(strict=False)] | None = None

    @model_validator(mode="after")
    def _one_kind(self) -> Self:
        if (self.normal is None) == (self.p is None):
            given = "none" if self.p is None else "both"
            raise wrong(f"found {given} of normal, p; write exactly one of these keys")
        return self

    def among(self, n: int) -> int:
        """How many of n features it has; raises ValueError where that is no whole number."""
        if isinstance(self.features, int):
            return self.features
        number = Fraction(self.features).limit_denominator(10**6) * n
        if number.denominator != 1:
            raise ValueError(f"{self.features} of {n} features is no whole number")
        return int(number)


class Blocks(RootModel[Annotated[tuple[Block, ...], Field(strict=False)]]):
    """Two classes of features that stand in blocks; see `NormalBlock` and `Block`.

    Written as a list, with the number of all features beside it where blocks are parts of it:

        blocks:
          - {features: 1/2, normal: {shift: 0.84, correlation: 0.25}}
          - {features: 1/2, normal: {total: 2.5}}
        n: 256

    Blocks are independent of each other within the classes.
    """

    model_config = ConfigDict(strict=True, frozen=True)

    non_negative: ClassVar[bool] = False
    n_classes: ClassVar[int] = 2

    @property
    def has_parts(self) -> bool:
        """Whether a block is a part of a number of features that stands elsewhere."""
        return any(isinstance(each.features, str) for each in self.root)

    def of(self, n: int | None) -> Blocks:
        """The law with n features in all; as many as the blocks have where n is None.

        Raises ValueError where the blocks do not have so many.
        """
        if n is None:
            n = sum(each.features for each in self.root if isinstance(each.features, int))
        sizes = [each.among(n) for each in self.root]
        if sum(sizes) != n:
            raise ValueError(f"the blocks have {counted(sum(sizes), 'feature')} of {n:,}")
        blocks = [
            each.model_copy(update={"features": size})
            for each, size in zip(self.root, sizes, strict=True)
        ]
        return Blocks.model_construct(root=tuple(blocks))

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """Number of features of each block."""
        return tuple(each.among(0) for each in self.root)

    @cached_property
    def starts(self) -> tuple[int, ...]:
        """First feature of each block."""
        return tuple(np.cumsum([0, *self.sizes])[:-1].tolist())

    @cached_property
    def features(self) -> tuple[str, ...]:
        """Names of the features: x1, x2, ..."""
        return tuple(f"x{i + 1}" for i in range(sum(self.sizes)))

    @cached_property
    def levels(self) -> tuple[int, ...]:
        """Two of each bit, 0 of each normal feature, shape (d,)."""
        of_block = [0 if each.p is None else 2 for each in self.root]
        return tuple(np.repeat(of_block, self.sizes).tolist())

    @cached_property
    def means(self) -> FloatArray:
        """Means of the features in both classes, shape (2, d): of bits, probabilities of a 1."""
        of_block = [
            (-each.normal.shift_of(size) / 2, each.normal.shift_of(size) / 2)
            if each.normal is not None
            else each.p
            for each, size in zip(self.root, self.sizes, strict=True)
        ]
        return np.repeat(np.array(of_block, dtype=float).T, self.sizes, axis=1)

    @cached_property
    def correlations(self) -> tuple[float, ...]:
        """Correlation within each block."""
        return tuple(0.0 if each.normal is None else each.normal.correlation for each in self.root)

    def draw(self, n_per_class: Sequence[int], rng: np.random.Generator, n_sets: int) -> FloatArray:
        """Draw data sets, see `Law`."""
        n, d = sum(n_per_class), len(self.features)
        all_bits = all(each.p is not None for each in self.root)
        x = np.empty((n_sets, n, d), dtype=np.int32 if all_bits else np.float64)
        for one in x:
            for block, start, size in zip(self.root, self.starts, self.sizes, strict=True):
                mine = one[:, start : start + size]
                if block.p is not None:
                    uniform = rng.random((n, size))
                    for p, rows in zip(block.p, class_rows(n_per_class), strict=True):
                        np.less(uniform[rows], p, out=mine[rows], casting="unsafe")
                    continue
                r = self.correlations[self.starts.index(start)]
                mine[...] = rng.standard_normal((n, size))
                if r:
                    mine *= np.sqrt(1 - r)
                    mine += np.sqrt(r) * rng.standard_normal((n, 1))
                for k, rows in enumerate(class_rows(n_per_class)):
                    mine[rows] += self.means[k, start]
        return x

    def cells(self) -> tuple[IntArray, FloatArray]:
        """Enumerate all vectors of bits (2^d, d), and their probabilities in each class (2^d, 2).

        Raises UserError if there are more than `MOST_ENUMERATED` features.
        """
        d = len(self.features)
        if d > MOST_ENUMERATED:
            raise UserError(
                f"a law of {d} bits has too many cells to enumerate; use {MOST_ENUMERATED} features"
                " or fewer"
            )
        x = binary(d)
        ones = self.means[None, :, :] ** x[:, None, :]
        zeros = (1 - self.means[None, :, :]) ** (1 - x[:, None, :])
        return x, np.asarray((ones * zeros).prod(axis=2))

    @model_validator(mode="after")
    def _check(self) -> Self:
        if not self.root:
            raise wrong("the list is empty; write at least one item")
        if not self.has_parts:
            total = sum(each.among(0) for each in self.root)
            if total > MOST_FEATURES:
                raise wrong(f"found {total:,} features; write {MOST_FEATURES:,} or fewer")
        return self
