"""Independent Poisson counts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property
from typing import Annotated, ClassVar, Self

import numpy as np
import scipy
from pydantic import ConfigDict, Field, RootModel, model_validator

from gdcurves.arrays import FloatArray
from gdcurves.config.strict import wrong
from gdcurves.errors import UserError
from gdcurves.words import counted

TAIL = 1e-15  # of a count's probability at each end, which is left out
MOST_CELLS = 2**20

Rate = Annotated[float, Field(ge=0, le=1e6, allow_inf_nan=False)]


class Poisson(RootModel[Annotated[tuple[dict[str, Rate], ...], Field(strict=False)]]):
    """Independent counts with a Poisson distribution for every class.

    Written as a list with one mapping for each class, from the features' names to the means:

        - {x1: 2}
        - {x1: 10}

    Counts are continuous features here, numbers whose size counts.
    """

    model_config = ConfigDict(strict=True, frozen=True)

    non_negative: ClassVar[bool] = True

    @property
    def features(self) -> tuple[str, ...]:
        """Names of the features."""
        return tuple(self.root[0])

    @property
    def levels(self) -> tuple[int, ...]:
        """None: counts are continuous features, shape (d,)."""
        return (0,) * len(self.features)

    @property
    def n_classes(self) -> int:
        """Number of classes, K."""
        return len(self.root)

    @cached_property
    def rates(self) -> FloatArray:
        """Means of the counts, shape (K, d)."""
        return np.array([list(each.values()) for each in self.root])

    def draw(self, n_per_class: Sequence[int], rng: np.random.Generator, n_sets: int) -> FloatArray:
        """Draw data sets, see `Law`."""
        of_row = np.repeat(self.rates, n_per_class, axis=0)
        return rng.poisson(of_row, (n_sets, *of_row.shape)).astype(np.float64)

    def cells(self) -> tuple[FloatArray, FloatArray]:
        """Enumerate counts, but for `TAIL` of the probability of each feature in each class.

        Returns
        -------
        The counts, shape (u, d), and their probabilities in each class, shape (u, K).

        Raises
        ------
        UserError
            If there are more than `MOST_CELLS`.
        """
        low = np.asarray(scipy.stats.poisson.ppf(TAIL, self.rates)).min(axis=0)
        high = np.asarray(scipy.stats.poisson.isf(TAIL, self.rates)).max(axis=0)
        ranges = [np.arange(max(a, 0), b + 1) for a, b in zip(low, high, strict=True)]
        n_cells = math.prod(map(len, ranges))
        if n_cells > MOST_CELLS:
            raise UserError(
                f"{counted(len(ranges), 'count')} of such means have {n_cells:,} cells, too many to"
                f" sum over; use means or features that make {MOST_CELLS:,} or fewer"
            )
        grid = np.meshgrid(*ranges, indexing="ij")
        x: FloatArray = np.stack(grid, axis=-1).reshape(-1, len(ranges)).astype(np.float64)
        mass = np.stack(
            [scipy.stats.poisson.pmf(x, rates).prod(axis=1) for rates in self.rates], axis=1
        )
        return x, mass

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.n_classes < 2:
            number = counted(self.n_classes, "mapping")
            raise wrong(f"found {number}; write one for each of two classes or more")
        for k, each in enumerate(self.root):
            if not each:
                raise wrong("the mapping is empty; write a mean for each feature", k)
            if tuple(each) != self.features:
                raise wrong(
                    f"found the features {', '.join(each)}; write those of the first class, in its"
                    f" order: {', '.join(self.features)}",
                    k,
                )
        return self
