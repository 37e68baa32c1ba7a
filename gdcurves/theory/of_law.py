"""The theory of one experiment whose law is known."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from gdcurves.arrays import FloatArray
from gdcurves.errors import UserError
from gdcurves.fitters import Fitter
from gdcurves.fitters.logistic_regression import LogisticRegression
from gdcurves.fitters.naive_bayes import NaiveBayes
from gdcurves.fitters.zero_one import ZeroOne
from gdcurves.limits.counts import ManyBits
from gdcurves.limits.normals import TwoNormals
from gdcurves.limits.populations import Exact, populations
from gdcurves.limits.weighted import AllCells, Weighted
from gdcurves.plan.experiment import Experiment, NamedFitter
from gdcurves.scoring.judged import TIE
from gdcurves.theory import columns, efron, guarantees
from gdcurves.theory.asked import DECADES, Asked
from gdcurves.theory.estimates import Estimates, OfBits, OfNormals, Sampling, rows_needed
from gdcurves.theory.odds import AtPoints, InNormals, LogOdds

INDEPENDENT = 1e-12  # of a cell's probability, beside that of independent features

Row = dict[str, Any]


@dataclass(frozen=True, eq=False)
class OfLaw:
    """What the theory says of an experiment.

    Attributes
    ----------
    experiment
        The experiment.
    law
        Its law as endless training and test sets of two classes.
    asked
        At which arguments.
    """

    experiment: Experiment
    law: Exact
    asked: Asked

    @classmethod
    def of(cls, experiment: Experiment, asked: Asked) -> OfLaw:
        """Of a simulated experiment; raises UserError where its law is none that is known."""
        assert experiment.simulation is not None, "it is simulated"
        exact = populations(experiment.simulation, experiment.config.stratified)
        if len(exact[0].statistics.n[0]) != 2:
            raise UserError("the theory is that of two classes")
        return cls(experiment, exact[0], asked)

    @property
    def n(self) -> int:
        """Number of features."""
        return len(self.law.input_names)

    @property
    def stratified(self) -> bool:
        """Whether numbers of training rows of each class are fixed."""
        return self.experiment.config.stratified

    @cached_property
    def shares(self) -> FloatArray:
        """Probabilities of the classes, shape (2,)."""
        assert self.experiment.simulation is not None, "it is simulated"
        return self.experiment.simulation.shares

    def rows(self, without: dict[str, str]) -> Iterator[Row]:
        """Yield all that is known, and say in `without` why the rest is not."""
        for named in self._of_type(NaiveBayes):
            yield from self._told(self._odds(named), without, f"alpha and G of {named.name}")
            yield from self._told(self._lemma3(named), without, f"Lemma 3 of {named.name}")
            yield from self._told(self._theorem4(named), without, f"Theorem 4 of {named.name}")
        for named in self._of_type(LogisticRegression, ZeroOne):
            yield from self._proposition2(named)
        yield from self._efron(without)

    def _told(self, rows: Iterator[Row], without: dict[str, str], what: str) -> Iterator[Row]:
        try:
            yield from rows
        except UserError as error:
            without[f"{self.experiment.name}, {what}"] = str(error)

    def _of_type(self, *types: type[Fitter]) -> Sequence[NamedFitter]:
        """Fitters of the experiment of some types; the first one without options for none."""
        own = [each for each in self.experiment.fitters if isinstance(each.fitter, types)]
        name = types[0].__module__.rpartition(".")[2]
        return own or [NamedFitter(name, types[0]())]

    def _row(
        self,
        quantity: str,
        named: NamedFitter,
        argument: float,
        value: float,
        accuracy: float = 0.0,
    ) -> Row:
        return {
            "experiment": self.experiment.name,
            "quantity": quantity,
            "fitter": named.name,
            "n": self.n,
            "argument": argument,
            "value": value,
            "accuracy": accuracy,
        }

    def log_odds(self, named: NamedFitter) -> tuple[LogOdds, float]:
        """Log odds of the population version of naive Bayes, and the error of its signs.

        Its parameters are those of the law: nothing is smoothed, and no epsilon added.
        """
        exact = named.fitter.model_copy(update={"epsilon": 0.0, "laplace": 0.0})
        fit = exact.population(self.law)
        error = self.law.risk(fit).error
        if isinstance(self.law, Weighted | ManyBits):
            return AtPoints.of(self.law.scored(fit.rules)), error
        assert isinstance(self.law, TwoNormals), "there are no other laws of two classes"
        return InNormals.of(self.law, fit.rules), error

    def _odds(self, named: NamedFitter) -> Iterator[Row]:
        odds, _ = self.log_odds(named)
        for number, sign, mean in zip((1, 2), (-1, 1), odds.mean, strict=True):
            accuracy = odds.accuracy * abs(mean) / self.n
            yield self._row(columns.ALPHA, named, number, sign * mean / self.n, accuracy)
        tau = np.array(self.asked.tau)
        for at, value in zip(tau, odds.near_zero(tau * self.n), strict=True):
            yield self._row(columns.G, named, float(at), float(value), odds.accuracy)

    def _lemma3(self, named: NamedFitter) -> Iterator[Row]:
        assert isinstance(named.fitter, NaiveBayes), "asked for by type"
        estimated = named.fitter.prior != "equal"
        of_share = named.fitter.laplace if named.fitter.prior == "smoothed" else 0.0
        sampling = Sampling(
            float(self.law.statistics.n[0, 1]),
            self.stratified,
            of_share if estimated and not self.stratified else None,
        )
        for epsilon in self.asked.epsilon1:
            if self._is_discrete and epsilon < (rho := float(self.shares.min())):
                bound = guarantees.lemma3(epsilon, self.asked.delta, self._n_probabilities, rho)
                yield self._row(columns.LEMMA3_BOUND, named, epsilon, bound)
        estimates = self._estimates(named.fitter)
        for epsilon in self.asked.epsilon1:
            exact = rows_needed(sampling, estimates, epsilon, self.asked.delta)
            yield self._row(columns.LEMMA3_EXACT, named, epsilon, exact)

    @property
    def _is_discrete(self) -> bool:
        return bool(self.law.statistics.layout.discrete.all())

    @property
    def _widths(self) -> FloatArray:
        return np.array(self.law.statistics.layout.widths)

    @property
    def _n_probabilities(self) -> int:
        """Probabilities estimated in each class: one for a bit, else one for each level."""
        return int(np.where(self._widths == 2, 1, self._widths).sum())

    @cached_property
    def _probabilities(self) -> FloatArray:
        """Those of all levels in both classes, shape (2, q - 1)."""
        statistics = self.law.statistics
        return np.asarray(statistics.counts[0] / statistics.n[0][:, None])

    def _estimates(self, fitter: NaiveBayes) -> Estimates:
        """What Lemma 3 is about; UserError where it is not known how estimates vary together."""
        if isinstance(self.law, TwoNormals) and fitter.density == "normal":
            if not self.law.spread.independent:
                raise UserError("estimates of dependent features vary together")
            if fitter.variance != "shared":
                raise UserError("it is about variances that the classes share")
            return OfNormals.of(self.law.spread.variances)
        if not self._is_discrete:
            raise UserError("it is known for bits and for normal features alone")
        if isinstance(self.law, AllCells) and not self._are_independent(self.law):
            raise UserError("estimates of dependent features vary together")
        if (self._widths != 2).any():
            raise UserError("it is known for bits alone, and there are more levels")
        ones = self._probabilities[:, 1::2]
        return OfBits.of(ones, fitter.laplace)

    def _are_independent(self, law: AllCells) -> bool:
        starts = law.statistics.layout.starts - 1
        product = np.prod(self._probabilities[:, law.x + starts], axis=2).T
        return bool(np.abs(product - law.mass).max() <= INDEPENDENT)

    def _theorem4(self, named: NamedFitter) -> Iterator[Row]:
        if not self._is_discrete:
            raise UserError("its constants are known for discrete inputs alone")
        rho = float(self.shares.min())
        rho_x = float(self._probabilities.min())
        if not rho_x > 0:
            raise UserError("some level never occurs in a class, which its premise excludes")
        odds, error = self.log_odds(named)

        def bound(m: int) -> float:
            epsilon = guarantees.least_epsilon(m, self.asked.delta, self._n_probabilities, rho)
            if math.isnan(epsilon):
                return math.nan
            tau = guarantees.tau_of(epsilon, self.n, rho_x, rho)
            return error + float(odds.near_zero(np.array([tau * self.n]))[0])

        for m in self._sizes_for(bound, rho):
            yield self._row(columns.THEOREM4_BOUND, named, m, bound(m), odds.accuracy)

    def _sizes_for(self, bound: Any, guessing: float) -> Sequence[int]:
        """Sizes asked for; else those of the experiment, larger ones, and where a bound matters."""
        if self.asked.m is not None:
            return self.asked.m
        first = guarantees.first_row(lambda m: bound(m) < guessing - TIE)
        return sorted({*self.experiment.sizes, *DECADES, *([first] if first else [])})

    def _proposition2(self, named: NamedFitter) -> Iterator[Row]:
        # Planes: an intercept, and weights of all levels of an input but one.
        dimension = 1 + int(np.maximum(self._widths - 1, 1).sum())
        for epsilon in self.asked.epsilon0:
            rows = guarantees.proposition2(epsilon, dimension, self.asked.delta)
            yield self._row(columns.PROPOSITION2_BOUND, named, epsilon, rows, 1e-11 * rows)

    def _efron(self, without: dict[str, str]) -> Iterator[Row]:
        """Constants of the experiment's classifiers, and how efficient logistic regression is."""
        if not isinstance(self.law, TwoNormals):
            return
        try:
            best = efron.constant(LogisticRegression(), self.law, self.stratified)
        except UserError as error:
            without[f"{self.experiment.name}, Efron's constants"] = str(error)
            return
        paper = [each for kind in (NaiveBayes, LogisticRegression) for each in self._of_type(kind)]
        others = [each for each in self.experiment.fitters if each not in paper]
        for named in (*paper, *others):
            try:
                value = efron.constant(named.fitter, self.law, self.stratified)
            except UserError as error:
                without[f"{self.experiment.name}, constant of {named.name}"] = str(error)
                continue
            yield self._row(columns.EFRON_CONSTANT, named, math.nan, value, efron.ACCURACY * value)
            if not isinstance(named.fitter, LogisticRegression):
                ratio = value / best
                yield self._row(
                    columns.EFFICIENCY, named, math.nan, ratio, 2 * efron.ACCURACY * ratio
                )
