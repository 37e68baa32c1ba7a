"""The answer of a run: which classifier to use with the rows that there are, and how sure it is.

A classifier is named only where the interval for other data of this kind excludes zero against all
others, and against always answering the largest class where that ran, and where the interval of its
error lies below the base rate. The functions here are what every command says it with.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from gdcurves.crossings.interval import LEAST_DIFFERING
from gdcurves.crossings.outlook import TARGETED
from gdcurves.report import outlook
from gdcurves.report.base_rate import LARGEST, BaseRates
from gdcurves.report.chance import no_chance
from gdcurves.report.tables import by
from gdcurves.scoring.measures import Measure, main
from gdcurves.words import listed, spans

if TYPE_CHECKING:
    import pandas as pd

    from gdcurves.store.files import Run

FEW = 3  # experiments whose answers are said
TOLD = 2  # classifiers of which is said what more rows bring, where none is better
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
        """Fitters that are shown to beat always answering the largest class, best first.

        That is, the fitter that does so with the training rows' own, where it ran; and, with
        errors, the base rate, which has to lie above the interval of the error for other data.
        """
        return [name for name in self.values if self._is_useful(name)]

    def _is_useful(self, name: str) -> bool:
        if self.guessing is not None and self.better(name, self.guessing[0]) != name:
            return False
        if self.base_rate is None or self.measure.name != "error":
            return True
        if name not in self.ends or 0 < self.n_units <= LEAST_DIFFERING:
            return False
        return self.ends[name][1] < self.base_rate

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
        )


def _ends(run: Run, name: str, measure: Measure) -> dict[str, tuple[float, float]]:
    """Ends of the intervals of an experiment's values at the largest size, by fitter."""
    if run.outlook is None:
        return {}
    rows = run.outlook[run.outlook["experiment"] == name]
    rows = rows[rows["measure"] == measure.name].drop_duplicates("fitter")
    ends = zip(rows["low_last"], rows["high_last"], strict=True)
    known = zip(rows["fitter"], ends, strict=True)
    return {fitter: (low, high) for fitter, (low, high) in known if low == low and high == high}


def sentences(run: Run) -> Iterator[str]:
    """Say the answers of a run, each after the name of its experiment; none of many experiments."""
    known = list(answers(run))
    if len(known) > FEW:
        return
    for each in known:
        if len(known) > 1:
            yield f"{each.experiment}:"
        yield from of_one(run, each)


def of_one(run: Run, answer: Answer) -> Iterator[str]:
    """Say the answer of one experiment of a run."""
    yield from lines(answer)
    yield from _ahead(run, answer)


def _ahead(run: Run, answer: Answer) -> Iterator[str]:
    """What more rows would bring the best classifiers, and the error that is wanted if one is."""
    if run.outlook is None:
        return
    known = run.outlook[run.outlook["experiment"] == answer.experiment]
    config = run.manifest["config"]
    wanted = config.get("target_error")
    rows_of = outlook.shown_rows(known, config)
    for name in (answer.best or [*answer.values])[:TOLD]:
        rows = {row["measure"]: row for _, row in rows_of[rows_of["fitter"] == name].iterrows()}
        if answer.measure.name not in rows:
            continue
        ahead = outlook.ahead(rows[answer.measure.name], answer.measure, answer.unit)
        said = f"On these data, the {answer.measure.label} of {name}: {ahead}."
        if wanted is not None and TARGETED in rows:
            what = "target" if answer.measure.name == TARGETED else f"target {TARGETED}"
            said = f"{said} {outlook.target(rows[TARGETED], wanted, answer.unit, what)}".rstrip()
        yield said


def lines(answer: Answer) -> Iterator[str]:
    """Say it in a few lines: which to use, by how much, and where that was otherwise."""
    if answer.conditions:
        yield f"This holds only if {listed(answer.conditions)}."
    yield _which(answer)
    yield from _differences(answer)
    yield from _elsewhere(answer)


def _which(answer: Answer) -> str:
    label, best, guess = answer.measure.label, answer.best, _guess(answer)
    of_all = f" of the {answer.n_units:,}" if answer.n_units else ""
    start = f"With {answer.m:,}{of_all} {answer.unit}s to learn from"
    if not best:
        return (
            f"{start}, no classifier is shown to be better than {LARGEST} ({guess}):"
            f" {_shown(answer, [*answer.values])}."
        )
    others = [each for each in answer.values if each not in best]
    rest = [_shown(answer, others)] if others else []
    rest += [f"{LARGEST} {guess}"] if guess else []
    against = f"; {', '.join(rest)}" if rest else ""
    if len(best) == 1:
        value = answer.values[best[0]]
        return f"{start}, use {best[0]}: its {label} is {value:.3f}{against}."
    useful = [each for each in best if each in answer.useful]
    only = ""
    if len(useful) < len(best):
        only = f" Of these, only {listed(useful)} {'is' if len(useful) == 1 else 'are'} shown to"
        only += f" be better than {LARGEST}."
    return f"{start}, no difference is shown between {_shown(answer, best)}{against}.{only}"


def _shown(answer: Answer, names: Sequence[str]) -> str:
    return listed([f"{each} {answer.values[each]:.3f}" for each in names])


def _guess(answer: Answer) -> str:
    """Value of always answering the largest class, as far as it is known."""
    if answer.base_rate is not None and answer.measure.name == "error":
        return f"{answer.base_rate:.3f}"
    return "" if answer.guessing is None else f"{answer.guessing[1]:.3f}"


def _differences(answer: Answer) -> Iterator[str]:
    """The best one against the others, nearest first."""
    lower = answer.measure.better == "lower"
    less = f"{'less' if lower else 'more'} {answer.measure.label}"
    first, *others = answer.best or [*answer.values]
    if len(answer.best) <= 1:
        others = [each for each in answer.values if each != first]
    for other in others[:2]:
        by_how_much, low, high = answer.lead(first, other)
        if max(abs(by_how_much), abs(low), abs(high)) < HARDLY:
            yield f"{first} and {other} say the same of nearly all rows."
            continue
        interval = f"for other data of this kind {low:.3f} to {high:.3f} (95 % interval)"
        if low != low:
            interval = "of other data one split tells nothing"
        if abs(by_how_much) < HARDLY:
            yield f"{first} and {other} have the same {answer.measure.label}; {interval}."
        else:
            yield f"{first} has {by_how_much:.3f} {less} than {other}; {interval}."


def _elsewhere(answer: Answer) -> Iterator[str]:
    """Smaller sizes at which another one is better, or some is where now no difference is shown."""
    now = answer.best[0] if len(answer.best) == 1 else ""
    ahead = next(iter(answer.values))
    sizes: dict[str, list[int]] = {}
    every = sorted(set(answer.comparisons["m"]))
    for m in every[:-1]:
        winner = _winner(answer, m)
        if winner and winner != now:
            sizes.setdefault(winner, []).append(m)
    sizes = {name: no_chance(answer.comparisons, name, at) for name, at in sizes.items()}
    parts = [f"{name} is better at m = {spans(at, every)}" for name, at in sizes.items() if at]
    if not parts:
        return
    if now:
        yield f"With fewer {answer.unit}s it is otherwise: {listed(parts)}."
    elif [name for name, at in sizes.items() if at] == [ahead]:
        yield (
            f"With fewer {answer.unit}s to learn from, and more to test on, a difference is shown:"
            f" {listed(parts)}."
        )
    else:
        yield f"With fewer {answer.unit}s a difference is shown: {listed(parts)}."


def _winner(answer: Answer, m: int) -> str:
    """The fitter that is better than all others and the largest class at a size; or none."""
    names = [*answer.values]
    if answer.guessing is not None:
        names.append(answer.guessing[0])
    for name in answer.values:
        if all(answer.better(name, other, m) == name for other in names if other != name):
            return name
    return ""
