"""What a measure says of all fitters on the same splits, and its differences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import compress
from pathlib import Path

import numpy as np

from gdcurves.arrays import FloatArray, IntArray
from gdcurves.scoring.measures import Measure
from gdcurves.store.rows import read_columns

_LEADING = ["fitter", "m", "split", "n_train", "n_test"]


@dataclass(frozen=True, eq=False)
class Paired:
    """Values of a measure for F fitters at k sizes in J splits.

    Attributes
    ----------
    fitters
        Their names.
    m
        Training sizes, ascending, shape (k,).
    values
        Shape (F, k, J), splits in order of their numbers; NaN where a size has no such split or a
        fitter no value there, for all fitters alike once `complete`.
    n_train, n_test
        Units of the training and the test sets of each size, shape (k,): rows, or groups of them;
        no test rows where the law itself judges.
    lower_is_better
        Whether lower values are better.
    """

    fitters: tuple[str, ...]
    m: IntArray
    values: FloatArray
    n_train: IntArray
    n_test: IntArray
    lower_is_better: bool = True

    @cached_property
    def n_splits(self) -> IntArray:
        """Number of splits at each size, shape (k,)."""
        return np.asarray(np.isfinite(self.values[0]).sum(axis=-1))

    def of(self, *fitters: int) -> Paired:
        """Keep some fitters, by their numbers."""
        return replace(
            self, fitters=tuple(self.fitters[i] for i in fitters), values=self.values[[*fitters]]
        )

    def complete(self) -> Paired:
        """Keep what can be compared: at each size the splits in which all fitters are finite.

        Fitters and sizes without any value are left out.
        """
        finite = np.isfinite(self.values)
        of_fitter = np.asarray(finite.any(axis=(1, 2)))
        there = np.asarray(finite[of_fitter].all(axis=0))
        of_size = np.asarray(there.any(axis=1))
        return replace(
            self,
            fitters=tuple(compress(self.fitters, of_fitter)),
            m=self.m[of_size],
            values=np.where(there, self.values[of_fitter], np.nan)[:, of_size],
            n_train=self.n_train[of_size],
            n_test=self.n_test[of_size],
        )

    def better(self, a: int, b: int) -> tuple[str, str]:
        """Which of two fitters is better where the difference is below zero, and where above."""
        names = self.fitters[a], self.fitters[b]
        return names if self.lower_is_better else names[::-1]

    def difference(self, a: int, b: int) -> tuple[FloatArray, FloatArray]:
        """Mean over the splits of the value of fitter a less that of b, and standard deviation.

        Shapes (k,); the standard deviation is NaN where there is one split.
        """
        differences = self.values[a] - self.values[b]
        n = self.n_splits
        mean = np.nansum(differences, axis=-1) / n
        squares = np.nansum((differences - mean[:, None]) ** 2, axis=-1)
        return mean, np.sqrt(squares / np.where(n > 1, n - 1, np.nan))

    def curve(self, a: int) -> Curve:
        """The curve of a fitter, from the splits in which it is finite."""
        there = np.isfinite(self.values[a])
        known = there.any(axis=1)
        values, there = self.values[a][known], there[known]
        n = there.sum(axis=1)
        mean = np.where(there, values, 0.0).sum(axis=1) / n
        off = np.where(there, values - mean[:, None], 0.0)
        # No matrix product: the order in which BLAS adds may depend on its number of threads.
        products = np.einsum("ij,kj->ik", off, off)
        return Curve(self.m[known], mean, products / np.outer(n, n), n)


@dataclass(frozen=True, eq=False)
class Curve:
    """Mean values of a fitter at k sizes.

    Attributes
    ----------
    m, mean, n_splits
        Sizes, means and the numbers of splits they are over, shape (k,).
    covariance
        Of the means over other splits of these data, shape (k, k): a split's training sets contain
        each other, so that its values at all sizes go together.
    """

    m: IntArray
    mean: FloatArray
    covariance: FloatArray
    n_splits: IntArray


def read(
    paths: Sequence[Path],
    fitters: Sequence[str],
    measures: Sequence[Measure],
    n_groups: int | None = None,
) -> dict[str, Paired]:
    """Read an experiment's raw rows, in whatever order they are; by name of the measure.

    Parameters
    ----------
    paths
        The files of its chunks, at least one.
    fitters
        Names in the order that is wanted; those that did not run on it are left out.
    measures
        What is compared.
    n_groups
        Groups that rows stay together in, m of which are trained on; None where units are rows.
    """
    every = [_part(path, fitters, measures) for path in paths]
    # Where other experiments have more splits, the last chunks of this one hold none.
    parts = [each for each in every if len(each.m)] or every[:1]
    m = np.unique(np.concatenate([each.m for each in parts]))
    numbers = np.sort(np.concatenate([each.splits for each in parts]))
    n_train, n_test = np.zeros((2, len(m)), dtype=np.int64)
    shape = (len(measures), len(parts[0].fitters), len(m), len(numbers))
    values = np.full(shape, np.nan)
    for each in parts:
        sizes, columns = np.searchsorted(m, each.m), np.searchsorted(numbers, each.splits)
        values[:, :, sizes[:, None], columns] = each.values
        n_train[sizes], n_test[sizes] = each.n_train, each.n_test
    if n_groups is not None:
        n_train, n_test = m, n_groups - m
    return {
        measure.name: Paired(
            parts[0].fitters, m, of_measure, n_train, n_test, measure.better == "lower"
        )
        for measure, of_measure in zip(measures, values, strict=True)
    }


def of_chunks(paths: Sequence[Path], fitters: Sequence[str], measure: Measure) -> Paired:
    """Read what can be compared by one measure; see `read` and `Paired.complete`."""
    return read(paths, fitters, [measure])[measure.name].complete()


@dataclass(frozen=True, eq=False)
class _Part:
    """What is in one file: values (M, F, k, J) of M measures, and the numbers of its splits."""

    fitters: tuple[str, ...]
    m: IntArray
    splits: IntArray
    values: FloatArray
    n_train: IntArray
    n_test: IntArray


def _part(path: Path, fitters: Sequence[str], measures: Sequence[Measure]) -> _Part:
    import pandas as pd

    rows = read_columns(path, [*_LEADING, *(each.column for each in measures)])
    ran = tuple(name for name in fitters if (rows["fitter"] == name).any())
    m, size = np.unique(rows["m"].to_numpy(), return_inverse=True)
    numbers, split = np.unique(rows["split"].to_numpy(), return_inverse=True)
    n_train, n_test = np.zeros((2, len(m)), dtype=np.int64)
    n_train[size], n_test[size] = rows["n_train"], rows["n_test"].replace(np.inf, 0)
    values = np.full((len(measures), len(ran), len(m), len(numbers)), np.nan)
    fitter = pd.Index(ran).get_indexer(pd.Index(rows["fitter"]))
    for measure, of_measure in zip(measures, values, strict=True):
        of_measure[fitter, size, split] = measure.values(rows)
    return _Part(ran, m, numbers, values, n_train, n_test)
