"""Normal classes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from typing import Annotated, Any, ClassVar, Self

import numpy as np
from pydantic import Field, Tag, model_validator

from gdcurves.arrays import FloatArray
from gdcurves.config import StrictModel
from gdcurves.config.shapes import LIST, MATRICES, by_shape
from gdcurves.config.strict import NOT_EMPTY, wrong
from gdcurves.simulators.base import class_rows
from gdcurves.words import counted

# The least eigenvalue of a correlation matrix that rounding leaves positive.
LEAST_EIGENVALUE = 1e-12
LARGEST = 1e50  # products of such numbers are numbers still
FARTHEST = 1e4  # standard deviations from zero; farther out, rounding hides differences


_Number = Annotated[float, Field(ge=-LARGEST, le=LARGEST, allow_inf_nan=False)]
Vector = Annotated[tuple[_Number, ...], Field(strict=False), NOT_EMPTY]
Matrix = Annotated[tuple[Vector, ...], Field(strict=False), NOT_EMPTY]
_Covariances = Annotated[
    Annotated[Matrix, Tag(LIST)]
    | Annotated[tuple[Matrix, ...], Field(strict=False), Tag(MATRICES)],
    by_shape("a matrix as a list of its rows, or a list with one matrix for each class"),
]


def _numbered(given: dict[str, Any]) -> tuple[str, ...]:
    return tuple(f"x{i + 1}" for i in range(len(given["means"][0])))


class Gaussian(StrictModel):
    """A multivariate normal distribution for every class.

    Attributes
    ----------
    means
        K lists of d numbers.
    covariances
        One d x d matrix for all classes, or K of them, as lists of rows.
    features
        Names of the features; x1, x2, ... unless given.
    """

    non_negative: ClassVar[bool] = False

    means: Matrix
    covariances: _Covariances
    features: Annotated[tuple[str, ...], Field(strict=False)] = Field(default_factory=_numbered)

    @property
    def levels(self) -> tuple[int, ...]:
        """None: all features are continuous, shape (d,)."""
        return (0,) * len(self.features)

    @property
    def n_classes(self) -> int:
        """Number of classes, K."""
        return len(self.means)

    def draw(self, n_per_class: Sequence[int], rng: np.random.Generator, n_sets: int) -> FloatArray:
        """Draw data sets, see `Law`."""
        x = rng.standard_normal((n_sets, sum(n_per_class), len(self.features)))
        means, covariances = self.moments()
        for k, rows in enumerate(class_rows(n_per_class)):
            x[:, rows] = means[k] + x[:, rows] @ np.linalg.cholesky(covariances[k]).T
        return x

    def moments(self) -> tuple[FloatArray, FloatArray]:
        """Return means (K, d) and covariances (K, d, d)."""
        means = np.array(self.means)
        return means, np.broadcast_to(self._matrices, (len(means), *self._matrices.shape[1:]))

    @cached_property
    def _matrices(self) -> FloatArray:
        """The matrices as written, shape (1 or K, d, d)."""
        matrices = np.array(self.covariances, dtype=float)
        return matrices if matrices.ndim == 3 else matrices[None]

    @model_validator(mode="after")
    def _check(self) -> Self:
        K = len(self.means)
        if K < 2:
            raise wrong(f"found {K} of them; write the means of two classes or more", "means")
        d = len(self.means[0])
        for k, mean in enumerate(self.means):
            if len(mean) != d:
                message = f"found {counted(len(mean), 'number')}; write {d}, as for class 1"
                raise wrong(message, "means", k)
        if len(self.features) != d:
            message = (
                f"found {len(self.features)} of them; write {d}, one for each number of a mean"
            )
            raise wrong(message, "features")
        for name, count in Counter(self.features).items():
            if count > 1:
                raise wrong(f"'{name}' stands here {count} times; give each its name", "features")
        if not isinstance(self.covariances[0][0], tuple):
            _check_covariance(self.covariances, d, "the matrix", "covariances")
        elif len(self.covariances) != K:
            message = f"found {len(self.covariances)} matrices; write one for all classes, or {K}"
            raise wrong(message, "covariances")
        else:
            for k, matrix in enumerate(self.covariances):
                _check_covariance(matrix, d, f"matrix {k + 1}", "covariances", k)
        self._check_distances()
        return self

    def _check_distances(self) -> None:
        """Refuse means that are so far out that the numbers drawn hardly differ."""
        deviations = np.sqrt(np.diagonal(np.array(self.covariances), axis1=-2, axis2=-1))
        far = np.abs(np.array(self.means)) > FARTHEST * deviations
        for k, i in np.argwhere(far)[:1]:
            raise wrong(
                f"mean {i + 1} is {self.means[k][i]:g}, more than {FARTHEST:,.0f} standard"
                " deviations from zero; write means nearer to zero",
                "means",
                int(k),
            )


def _check_covariance(matrix: Any, d: int, name: str, *at: str | int) -> None:
    """Refuse what is no covariance of d features; `name` and `at` say which matrix it is."""
    for length in (len(matrix), *map(len, matrix)):
        if length != d:
            message = f"{name} has a row or column of {counted(length, 'number')}"
            has = f"each mean has {counted(d, 'number')}"
            raise wrong(f"{message}; write {d} x {d}, as {has}", *at)
    covariance = np.array(matrix)
    for i, j in np.argwhere(covariance != covariance.T)[:1]:
        raise wrong(
            f"{name} is not symmetric: {covariance[i, j]:g} in row {i + 1}, column {j + 1}, and"
            f" {covariance[j, i]:g} in row {j + 1}, column {i + 1}; write the same number in both",
            *at,
        )
    variances = np.diag(covariance)
    for i in np.flatnonzero(variances <= 0)[:1]:
        message = f"variance {i + 1} is {variances[i]:g}; write a number above 0"
        raise wrong(f"{name} is not positive definite: {message}", *at)
    scale = 1 / np.sqrt(variances)
    least = np.linalg.eigvalsh(covariance * scale[:, None] * scale)[0]
    if not least > LEAST_EIGENVALUE:
        raise wrong(
            f"{name} is not positive definite: the least eigenvalue of its correlations is"
            f" {least:.3g}; write smaller covariances",
            *at,
        )
