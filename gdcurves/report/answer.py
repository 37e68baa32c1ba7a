"""The answer of a run: which classifier to use with the rows that there are, and how sure it is.

A classifier is named only where the interval for other data of this kind excludes zero against all
others, and where it is shown to be better than always answering the largest class: its error than
the base rate (`gdcurves.crossings.useful`), by other measures than the fitter that does so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from gdcurves.crossings.useful import Against, beats_base_rate
from gdcurves.report.base_rate import BaseRates
from gdcurves.report.tables import by
from gdcurves.scoring.measures import Measure, main

if TYPE_CHECKING:
    import pandas as pd

    from gdcurves.store.files import Run

HARDLY = 0.0005  # a difference, and an interval's ends, that are nothing when they are said


@dataclass(frozen=True, eq=False)
class Answer:
    """What is known of the classifiers of an experiment, by the run's main measure.

    Attributes
    ----------
    experiment, n_units, m
        Its name, the labelled rows, or groups of them, that there are, 0 where there is no end of
        them, and the largest size.
    measure
        By which they are compared.
    values
        Mean at the largest size by fitter, the best first; those that always answer the largest
        class are not among them.
    guessing
        The fitter that does, with its mean at the largest size; None if none ran.
    base_rate
        Its error, or what it would be; None where errors were not measured.
    comparisons
        Rows of comparisons.csv of the experiment and measure.
    ends
        Of the 95 % interval of the value for other data of this kind by fitter, where known.
    unit
        What sizes count, "row" or "group".
    holds_if
        What has to be so for all of this to hold, where notes on the data doubt it.
    by_auc
        Mean AUC at the largest size of the fitters that have more than the guessing one on other
        data, the best first; empty where that did not run, or AUC was not measured.
    """

    experiment: str
    n_units: int
    m: int
    measure: Measure
    values: dict[str, float]
    guessing: tuple[str, float] | None
    base_rate: float | None
    comparisons: pd.DataFrame
    ends: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    unit: str = "row"
    holds_if: tuple[str, ...] = ()
    by_auc: Mapping[str, float] = field(default_factory=dict)

    def better(self, a: str, b: str, m: int | None = None) -> str:
        """Which of two fitters is better on other data at a size, the largest unless given."""
        row = self._row(a, b, self.m if m is None else m)
        return "" if row is None else str(row["better"])

    def lead(self, a: str, b: str) -> tuple[float, float, float]:
        """By how much fitter a is better than b at the largest size, with the ends of its interval.

        Positive is better, whichever way the measure goes.
        """
        row = self._row(a, b, self.m)
        assert row is not None, "both ran"
        ends = [float(row[key]) for key in ("difference", "low", "high")]
        if (row["fitter_a"] == a) == (self.measure.better == "lower"):
            ends = [-each for each in ends]
        return ends[0], min(ends[1:]), max(ends[1:])

    def _row(self, a: str, b: str, m: int) -> pd.Series[Any] | None:
        table = self.comparisons
        pair = table["fitter_a"].isin((a, b)) & table["fitter_b"].isin((a, b))
        rows = table[pair & (table["m"] == m)]
        return None if rows.empty else rows.iloc[0]

    @property
    def conditions(self) -> tuple[str, ...]:
        """What has to be so, of the data or for an error of next to nothing."""
        named = self.best[:1] if self.measure.name == "error" and not self.holds_if else []
        if any(self.values[name] < HARDLY for name in named):
            return ("no input is known only with the class, as so small an error may mean",)
        return self.holds_if

    @property
    def useful(self) -> list[str]:
        """Fitters that are shown to beat always answering the largest class, best first."""
        return [name for name in self.values if self._is_useful(name)]

    def _is_useful(self, name: str) -> bool:
        better = self.guessing is None or self.better(name, self.guessing[0]) == name
        if self.base_rate is None or self.measure.name != "error":
            return better
        guess = None
        if self.guessing is not None and self._row(name, self.guessing[0], self.m) is not None:
            lead, low, _ = self.lead(name, self.guessing[0])
            guess = Against(self.guessing[1], lead - low, better)
        error = self.values[name]
        half = self.ends[name][1] - error if name in self.ends else np.nan
        return beats_base_rate(error, half, self.base_rate, self.n_units, guess)

    @property
    def best(self) -> list[str]:
        """The best of the useful ones, and all that are not shown to be worse, best first."""
        if not self.useful:
            return []
        first = self.useful[0]
        return [each for each in self.values if each == first or not self.better(first, each)]


def answers(run: Run) -> Iterator[Answer]:
    """Answers of a run's experiments that are done; none where nothing is compared."""
    measure = main(run.manifest["config"])
    if run.comparisons is None or measure.infinite:
        return
    last = run.curves.drop_duplicates(["experiment", "fitter"], keep="last")
    rates = BaseRates(run.manifest, last)
    compared = run.comparisons[run.comparisons["measure"] == measure.name]
    for name, rows in by(last, "experiment"):
        own = compared[compared["experiment"] == name]
        means = dict(zip(rows["fitter"], rows[f"{measure.name}_mean"], strict=True))
        known = {each: mean for each, mean in means.items() if mean == mean}
        guessing = next(((each, known[each]) for each in known if each in rates.guessing), None)
        others = {each: mean for each, mean in known.items() if each not in rates.guessing}
        if own.empty or not others:
            continue
        ordered = sorted(others, key=others.__getitem__, reverse=measure.better == "higher")
        yield Answer(
            name,
            run.n_groups(name) or run.manifest["experiments"][name]["rows_used"],
            int(own["m"].max()),
            measure,
            {each: others[each] for each in ordered},
            guessing,
            rates.values.get(name),
            own,
            _ends(run, name, measure),
            run.units[name],
            tuple(run.manifest["experiments"][name].get("holds_if") or ()),
            {} if guessing is None else _by_auc(run, name, rows, guessing[0]),
        )


def _by_auc(run: Run, name: str, last: pd.DataFrame, guessing: str) -> dict[str, float]:
    """Mean AUC, the best first, of the fitters of an experiment with more than the guessing one.

    `last` are its rows of curves.csv at the largest size.
    """
    assert run.comparisons is not None, "without it there are no answers"
    compared = run.comparisons[run.comparisons["measure"] == "auc"]
    if compared.empty:
        return {}
    compared = compared[(compared["experiment"] == name) & (compared["m"] == last["m"].max())]
    pairs = compared[(compared["fitter_a"] == guessing) | (compared["fitter_b"] == guessing)]
    better = set(pairs["better"]) - {guessing, ""}
    known = last[last["fitter"].isin(better)].sort_values("auc_mean", ascending=False)
    return dict(zip(known["fitter"], known["auc_mean"], strict=True))


def _ends(run: Run, name: str, measure: Measure) -> dict[str, tuple[float, float]]:
    """Ends of the intervals of an experiment's values at the largest size, by fitter."""
    if run.outlook is None:
        return {}
    rows = run.outlook[run.outlook["experiment"] == name]
    rows = rows[rows["measure"] == measure.name].drop_duplicates("fitter")
    ends = zip(rows["low_last"], rows["high_last"], strict=True)
    known = zip(rows["fitter"], ends, strict=True)
    return {fitter: (low, high) for fitter, (low, high) in known if low == low and high == high}
