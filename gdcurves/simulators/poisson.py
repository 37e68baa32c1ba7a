"""Independent Poisson counts."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Annotated, ClassVar, Self

import numpy as np
from pydantic import ConfigDict, Field, RootModel, model_validator

from gdcurves.arrays import FloatArray
from gdcurves.config.strict import wrong
from gdcurves.words import counted

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
