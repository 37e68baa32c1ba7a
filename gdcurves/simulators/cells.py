"""Any table of discrete features: a probability for every cell that has one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Annotated, ClassVar, Self

import numpy as np
from pydantic import ConfigDict, Field, RootModel, model_validator

from gdcurves.arrays import FloatArray, IntArray
from gdcurves.config.strict import wrong
from gdcurves.simulators.base import class_rows
from gdcurves.simulators.bernoulli import Probability
from gdcurves.words import counted

ROUNDING = 1e-9  # of a sum of probabilities as they are written
MOST_LEVELS = 1000


class Cells(RootModel[Annotated[tuple[dict[str, Probability], ...], Field(strict=False)]]):
    """A table of d discrete features for every class.

    Written as a list with one mapping for each class, from cells to probabilities: the codes 0, 1,
    ... of the features' levels in their order, with commas between them where a code has two
    digits. Cells that are not there have none.

        - {"00": 0.16, "10": 0.01, "01": 0.03, "11": 0.21}
        - {"00": 0.08, "10": 0.13, "01": 0.24, "11": 0.14}

    They are P(x, class), which sum to one over all classes and so hold the classes' probabilities
    too, or P(x | class), which sum to one in each.
    """

    model_config = ConfigDict(strict=True, frozen=True)

    non_negative: ClassVar[bool] = True

    @property
    def features(self) -> tuple[str, ...]:
        """Names of the features: x1, x2, ..."""
        return tuple(f"x{i + 1}" for i in range(self._table[0].shape[1]))

    @property
    def levels(self) -> tuple[int, ...]:
        """Of each feature as many as its largest code tells, two at least."""
        return tuple(np.maximum(self._table[0].max(axis=0) + 1, 2).tolist())

    @property
    def n_classes(self) -> int:
        """Number of classes, K."""
        return len(self.root)

    @property
    def shares(self) -> tuple[float, ...] | None:
        """Probabilities of the classes; None where the table has those within classes alone."""
        sums = [sum(each.values()) for each in self.root]
        total = sum(sums)
        return None if total > 1 + ROUNDING else tuple(each / total for each in sums)

    def draw(self, n_per_class: Sequence[int], rng: np.random.Generator, n_sets: int) -> IntArray:
        """Draw data sets, see `Law`."""
        x, p = self._table
        upto = np.cumsum(p, axis=0)
        drawn = np.empty((n_sets, sum(n_per_class)), dtype=np.int64)
        uniform = rng.random(drawn.shape)
        for k, rows in enumerate(class_rows(n_per_class)):
            drawn[:, rows] = np.searchsorted(upto[:, k], uniform[:, rows] * upto[-1, k], "right")
        return x[drawn]

    def cells(self) -> tuple[IntArray, FloatArray]:
        """Return the cells, codes (u, d), and their probabilities in each class, shape (u, K)."""
        return self._table

    @cached_property
    def _table(self) -> tuple[IntArray, FloatArray]:
        names = list(dict.fromkeys(name for table in self.root for name in table))
        x = np.array([_codes(name) for name in names], dtype=np.int32)
        p = np.array([[table.get(name, 0.0) for table in self.root] for name in names])
        return x, p / p.sum(axis=0)

    @model_validator(mode="after")
    def _check(self) -> Self:
        if len(self.root) < 2:
            number = counted(len(self.root), "mapping")
            raise wrong(f"found {number}; write one for each of two classes or more")
        d = None
        for k, table in enumerate(self.root):
            seen: dict[tuple[int, ...], str] = {}
            for name in table:
                codes = _codes(name)
                if codes is None:
                    raise wrong(
                        f"'{name}' is no cell; write the code of each feature's level, such as 01,"
                        " or 0,12 where a code has two digits",
                        *(k, name),
                    )
                if max(codes) >= MOST_LEVELS:
                    raise wrong(f"a code is too large; write less than {MOST_LEVELS}", k, name)
                d = d or len(codes)
                if len(codes) != d:
                    number = counted(len(codes), "feature")
                    raise wrong(f"found {number}; write {d}, as in the first cell", k, name)
                if codes in seen:
                    raise wrong(f"this is the cell '{seen[codes]}' already; name it once", k, name)
                seen[codes] = name
        sums = [sum(each.values()) for each in self.root]
        for k, total in enumerate(sums):
            if not total > 0:
                raise wrong("this class has no probability; write some, or leave it out", k)
        joint = abs(sum(sums) - 1) <= ROUNDING
        if not joint and any(abs(each - 1) > ROUNDING for each in sums):
            shown = " and ".join(f"{each:g}" for each in sums)
            raise wrong(
                f"the probabilities sum to {shown}; make them sum to 1 in each class, or over all"
                " classes together"
            )
        return self


def _codes(name: str) -> tuple[int, ...] | None:
    """Codes of a cell; None where the text is none."""
    parts = [each.strip() for each in name.split(",")] if "," in name else list(name)
    if not parts or not all(each.isascii() and each.isdigit() for each in parts):
        return None
    return tuple(map(int, parts))
