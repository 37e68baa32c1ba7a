"""One experiment of a plan, and what its data can rule out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gdcurves.arrays import IntArray
from gdcurves.config import Document, ExperimentConfig
from gdcurves.config.source import Key
from gdcurves.datasets import Request
from gdcurves.errors import MisfitError, UserError
from gdcurves.fitters import Fitter
from gdcurves.plan import needs
from gdcurves.problems.problem import Problem
from gdcurves.problems.series import Series
from gdcurves.simulators import SimulationConfig
from gdcurves.words import counted, listed

LEAST_UNITS = 3  # two to learn from, one to test
ENDLESS = 10**12  # rows of each class that may be drawn from a law


@dataclass(frozen=True)
class NamedFitter:
    """A fitter under the name that results call it by."""

    name: str
    fitter: Fitter


@dataclass(frozen=True)
class Experiment:
    """One experiment of a plan.

    Attributes
    ----------
    config
        What the file says of it; a law that it names is written out.
    simulation
        The law that its data sets are drawn from; None where they are read.
    request
        Where its data are and how to read them; None where they are drawn.
    sizes
        Training sizes m, increasing.
    n_splits
        Number of splits at each of them.
    fitters
        Those that run on it, in the config's order.
    document
        The file that says so, for messages.
    written_name
        Its name there, or that of the family that it is of.
    """

    config: ExperimentConfig
    simulation: SimulationConfig | None
    request: Request | None
    sizes: tuple[int, ...]
    n_splits: tuple[int, ...]
    fitters: tuple[NamedFitter, ...]
    document: Document
    written_name: str

    @property
    def name(self) -> str:
        """The experiment's name."""
        return self.config.name

    def placed(self, error: MisfitError) -> UserError:
        """Return the error with file, line and key of what is wrong before its message."""
        return UserError(f"{self.document.locate(*self.way(error.keys))}: {error}")

    def way(self, keys: tuple[Key, ...]) -> tuple[Key, ...]:
        """Way from the top of the file to keys of the experiment, its sizes or its fitters."""
        if keys[:1] == ("fitters",) or (keys[:1] == ("sizes",) and self.config.sizes is None):
            return keys
        names = [each.name for each in self.document.config.experiments]
        return ("experiments", names.index(self.written_name), *keys)

    def check_sizes(self, n_units: int) -> None:
        """Refuse sizes that leave no test row, or no group of them; raises MisfitError."""
        data = f" of data set {self.config.data!r}" if self.request else ""
        unit = "group" if self.config.groups else "row"
        for number, m in enumerate(self.sizes):
            if m > n_units - 1:
                raise self._wrong_size(
                    number,
                    "stop",
                    f"is too large: {self.name} has {counted(n_units, unit)}{data}, and at least"
                    f" one is for testing; write {n_units - 1} or less",
                )

    def _wrong_size(self, number: int, end: str, message: str) -> MisfitError:
        """Return the error for a size; `end` is the key to change where sizes are a range."""
        ranged = self.way(("sizes", "start")) in self.document.lines
        at = end if ranged else number
        return MisfitError(f"size {self.sizes[number]} {message}", "sizes", at)

    def check_problem(self, problem: Problem | Series) -> None:
        """Refuse what the data rule out: sizes, and options of fitters; raises MisfitError."""
        endless = isinstance(problem, Series) and problem.endless
        if self.config.stratified:
            rows = np.bincount(problem.y)
            self._check_strata(np.full_like(rows, ENDLESS) if endless else rows, problem.classes)
        self._check_groups(problem)
        if not endless:
            self.check_sizes(problem.units.n)
        for each in self.fitters:
            named = (each.name, each.fitter.needed, self.name)
            needs.check(*named, problem, self.sizes, self.config.stratified)
            try:
                each.fitter.check(problem.features)
            except MisfitError as error:
                names = [one.name for one in self.document.config.fitters]
                keys = ("fitters", names.index(each.name), *error.keys)
                raise MisfitError(f"for {self.name}, {error}", *keys) from None

    def _check_groups(self, problem: Problem | Series) -> None:
        """Refuse groups that are too few to learn from and to test on; raises MisfitError."""
        n = problem.units.n
        if self.config.groups and n < LEAST_UNITS:
            by = listed([*map(repr, self.config.groups)])
            raise MisfitError(
                f"{self.name} has {counted(n, 'group')} by {by}, and takes"
                f" {LEAST_UNITS} at least: two to learn from, one to test; name another column, or"
                " leave this out",
                "groups",
            )

    def _check_strata(self, rows: IntArray, classes: Sequence[str]) -> None:
        """Refuse sizes that give a class no training row, more than it has, or no more than before.

        Raises MisfitError.
        """
        K, n = len(rows), int(rows.sum())
        most = min(int(rows.min()), (n - 1) // K)
        if most < 1:
            raise MisfitError(
                f"{counted(n, 'row')} of {K} classes are too few, with at least one for testing;"
                " leave this out",
                "stratified",
            )
        for number, m in enumerate(self.sizes):
            each = m // K
            share = f"means {counted(each, 'training row')} of each of {K} classes"
            if not 1 <= each <= rows.min():
                few = int(rows.argmin())
                raise self._wrong_size(
                    number,
                    "stop" if each else "start",
                    f"{share}, and class '{classes[few]}' of {self.name} has {rows[few]}; write a"
                    f" size from {K} to {min(n - 1, K * most + K - 1)}",
                )
            if number and each == self.sizes[number - 1] // K:
                raise self._wrong_size(
                    number,
                    "step",
                    f"{share} for {self.name}, as size {self.sizes[number - 1]} does; write"
                    f" multiples of {K}",
                )
