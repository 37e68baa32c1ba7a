"""Laws as endless training and test sets, by the class of the law."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np

from gdcurves import splits
from gdcurves.arrays import FloatArray
from gdcurves.errors import UserError
from gdcurves.fitters.batch import LinearFit
from gdcurves.fitters.population import Population
from gdcurves.limits.counts import Counts, ManyBits
from gdcurves.limits.normals import TwoNormals
from gdcurves.limits.risk import Risk
from gdcurves.limits.spread import InBlocks, Matrices
from gdcurves.limits.weighted import AllCells, Cloud
from gdcurves.simulators import (
    Bernoulli,
    Blocks,
    Cells,
    Gaussian,
    Law,
    Poisson,
    SimulationConfig,
)
from gdcurves.simulators.bernoulli import MOST_ENUMERATED

# Clouds of quasi-random points, whose spread tells how accurate their mean is.
N_CLOUDS = 8
CLOUD_SIZE = 2**13


class Exact(Population, Protocol):
    """A population under which the risks of rules are known."""

    @property
    def method(self) -> str:
        """How they are computed, for people."""

    def risk(self, fit: LinearFit) -> Risk:
        """Error and expected log loss of a rule."""

    def bayes(self) -> Risk:
        """Error and expected log loss of the Bayes rule."""


def populations(simulation: SimulationConfig, stratified: bool) -> Sequence[Exact]:
    """The law as endless training and test sets; several where one is a sample.

    Raises UserError where that is not known of the law, or it is too large.
    """
    law = simulation.law
    shares = simulation.shares
    priors = np.full(len(shares), 1 / len(shares)) if stratified else shares
    if type(law) not in POPULATIONS:
        raise UserError("limits of such a law are not known")
    return POPULATIONS[type(law)](law, priors, shares)


def _of_cells(law: Bernoulli | Cells, priors: FloatArray, shares: FloatArray) -> Sequence[Exact]:
    return [AllCells.of(law, priors, shares)]


def _of_poisson(law: Poisson, priors: FloatArray, shares: FloatArray) -> Sequence[Exact]:
    return [Counts.of_poisson(law, priors, shares)]


def _of_blocks(law: Blocks, priors: FloatArray, shares: FloatArray) -> Sequence[Exact]:
    if 0 not in law.levels:
        if len(law.features) <= MOST_ENUMERATED:
            return [AllCells.of(law, priors, shares)]
        return [ManyBits(law, priors, shares)]
    if any(law.levels):
        raise UserError("limits of a law of both normal features and bits are not known")
    return [TwoNormals(law.features, law.means, InBlocks(law), priors, shares)]


def _of_gaussian(law: Gaussian, priors: FloatArray, shares: FloatArray) -> Sequence[Exact]:
    if law.n_classes == 2:
        means, covariances = law.moments()
        return [TwoNormals(law.features, means, Matrices(covariances), priors, shares)]
    return [
        Cloud.of(law, priors, shares, CLOUD_SIZE, splits.generator(0, "limits", number))
        for number in range(N_CLOUDS)
    ]


# From a law and the probabilities of the classes in training and in testing, shape (K,) each.
POPULATIONS: dict[type[Law], Callable[[Any, FloatArray, FloatArray], Sequence[Exact]]] = {
    Gaussian: _of_gaussian,
    Bernoulli: _of_cells,
    Cells: _of_cells,
    Poisson: _of_poisson,
    Blocks: _of_blocks,
}
