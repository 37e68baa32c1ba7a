"""What a draft is: what was understood of data of one's own, and a config that says so."""

from __future__ import annotations

from dataclasses import dataclass, replace

from gdcurves.config.classes import ClassConfig
from gdcurves.config.reading import Missing, Rescale
from gdcurves.datasets import Table
from gdcurves.errors import UserError
from gdcurves.plan.cost import Effort
from gdcurves.plan.experiment import NamedFitter
from gdcurves.plan.plan import Plan
from gdcurves.problems.problem import Problem

MEASURES = ("error", "balanced_error", "auc", "brier", "logloss")


@dataclass(frozen=True)
class Options:
    """What a user says of a run of own data, as the config keys of these names; None: nothing.

    Attributes
    ----------
    sizes
        Training sizes m, ascending.
    missing, rescale
        What becomes of missing values, and how continuous inputs are rescaled.
    stratified
        Whether training sets hold as many rows of each class.
    figure
        What is drawn.
    classes
        Labels of each class.
    """

    sizes: tuple[int, ...] | None = None
    missing: Missing | None = None
    rescale: Rescale | None = None
    stratified: bool = False
    figure: str | None = None
    classes: tuple[ClassConfig, ...] | None = None


NOTHING_ASKED = Options()


@dataclass(frozen=True, eq=False)
class Draft:
    """What was understood, and a config that says so.

    Attributes
    ----------
    name
        Of the experiment, and of the run.
    table, problem
        What was read, and what becomes of it.
    refusal
        Why the data cannot be used without a config such as this; None where they can.
    notes
        What the user should look at.
    fitters
        What is compared.
    sizes
        Training sizes m.
    effort
        Number of splits, and how many are computed at a time.
    text
        The config, YAML.
    """

    name: str
    table: Table
    problem: Problem
    refusal: UserError | None
    notes: tuple[str, ...]
    fitters: tuple[NamedFitter, ...]
    sizes: tuple[int, ...]
    effort: Effort
    text: str

    def noted(self, planned: Plan) -> Plan:
        """A plan made of the draft, with what was noted of the data."""
        return replace(planned, notes=self.notes, holds_if=self.problem.provenance.holds_if)
