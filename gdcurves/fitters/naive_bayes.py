"""Naive Bayes: independent features given the class, fitted by (smoothed) maximum likelihood."""

from __future__ import annotations

from typing import ClassVar, Literal, Self

import numpy as np
from pydantic import model_validator

from gdcurves.arrays import FloatArray
from gdcurves.config.strict import wrong
from gdcurves.fitters import poisson
from gdcurves.fitters.batch import Batch, Fit, LinearFit
from gdcurves.fitters.densities import Densities, Terms
from gdcurves.fitters.diagnostics import Diagnostics
from gdcurves.fitters.generative import Statistics, against_first, exclude_absent
from gdcurves.fitters.needs import Needs
from gdcurves.fitters.population import Population
from gdcurves.fitters.rules import LinearRules

Prior = Literal["smoothed", "empirical", "equal"]


class NaiveBayes(Densities):
    """Ng & Jordan (2001), section 2; `variance: per_class` as in Xue & Titterington.

    Discrete inputs: p(x_i = v | y) = (count + l) / (n_y + l * levels_i), equation (1). Continuous
    inputs: normal densities, see `Densities`; `density: poisson` takes them for counts, whose rate
    is (sum + l) / (n_y + l). Prior (n_y + l) / (m + K l), n_y / m or 1 / K.

    l = 0 and epsilon = 0 stand for the limits l -> 0 and epsilon -> 0: a probability, a rate or a
    shared variance of zero decides before everything finite. A class without training rows has a
    mean of none and is never predicted on continuous inputs; on discrete ones smoothing gives it
    probabilities.

    Attributes
    ----------
    density
        Of continuous inputs. `poisson` takes them for counts: they must not be below zero, nor
        rescaled (`rescale: none`).
    prior
        (n_y + l) / (m + K l), n_y / m, or 1 / K.
    """

    summary: ClassVar[str] = (
        "naive Bayes: counts (discrete inputs), normal or Poisson densities (continuous)"
    )

    density: Literal["normal", "poisson"] = "normal"
    prior: Prior = "smoothed"

    @model_validator(mode="after")
    def _no_variance_of_counts(self) -> Self:
        if self.density == "poisson" and self.variance != "shared":
            raise wrong(
                "Poisson densities have no variance of their own; leave this out", "variance"
            )
        return self

    @property
    def needed(self) -> Needs:
        """What it needs: see `Fitter`."""
        return self.needs if self.density == "normal" else poisson.NEEDS

    @property
    def description(self) -> str:
        """Which model it is: see `Fitter`."""
        if self.density == "poisson":
            return "Poisson, a rate for each class and input; counts of levels where discrete"
        own = self.variance == "per_class"
        whose = "each class and input" if own else "each input, shared by the classes"
        return f"Gaussian, a variance for {whose}; counts where inputs are discrete"

    def fit(self, batch: Batch, rng: np.random.Generator) -> LinearFit:
        """Fit every training set of the batch."""
        return self.rule(Statistics.of(batch), batch.origin)

    def population(self, law: Population) -> LinearFit:
        """Rule for m to infinity: what smooths is gone, epsilon stays."""
        exact = self.model_copy(update={"laplace": 0.0, "ddof": 0})
        return exact.rule(law.statistics, np.zeros(len(law.statistics.layout.continuous)))

    def _put_continuous(
        self, statistics: Statistics, centre: FloatArray, terms: Terms, infinite: Terms
    ) -> bool:
        if self.density == "normal":
            return super()._put_continuous(statistics, centre, terms, infinite)
        return poisson.put_rates(statistics, self.laplace, terms, infinite)

    def rule(self, statistics: Statistics, centre: FloatArray) -> LinearFit:
        """Rules from the statistics of training sets; squares are measured from `centre` (c,)."""
        terms = self.terms(statistics, centre)
        weights = terms.weights()
        infinite = None if terms.infinite is None else terms.infinite.weights()
        weights[:, :, 0] += against_first(log_prior(statistics.n, self.prior, self.laplace))
        smoothed = self.laplace > 0 and self.prior != "empirical"
        if len(statistics.layout.continuous) or not smoothed:
            infinite = exclude_absent(statistics.n, weights, infinite)
        direction = None if infinite is None else infinite[None]
        return Fit(
            LinearRules(weights[None], direction, terms.feature_map),
            Diagnostics(degenerate=terms.degenerate),
        )


def log_prior(n: FloatArray, prior: Prior, laplace: float) -> FloatArray:
    """Log prior probabilities (B, K), nats, from rows n (B, K) of each class; 0 where one is 0."""
    weight = {"smoothed": n + laplace, "empirical": n, "equal": np.ones_like(n)}[prior]
    weight = weight / weight.sum(axis=1, keepdims=True)
    return np.log(np.where(weight > 0, weight, 1.0))
