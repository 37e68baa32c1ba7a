"""The answer of a run in words: which classifier to use, by how much, and what more rows bring.

The functions here are what every command says it with.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from gdcurves.crossings.outlook import TARGETED
from gdcurves.report import outlook
from gdcurves.report.answer import HARDLY, Answer, answers
from gdcurves.report.base_rate import LARGEST
from gdcurves.report.chance import no_chance
from gdcurves.words import listed, spans, spelt

if TYPE_CHECKING:
    from gdcurves.store.files import Run

FEW = 3  # experiments whose answers are said
EVEN = (
    "The classes have the same number of rows, so that the more of one are learnt from, the fewer"
    " are left to test: classifiers that tell little err more often than on new rows, some more"
    " than others. With --stratified as many of each are learnt from."
)
TOLD = 2  # classifiers of which is said what more rows bring, where none is better


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
        row = rows[answer.measure.name]
        if not answer.best and row["falls"] == "unknown":
            ahead = outlook.not_sure(answer.measure)
        else:
            ahead = outlook.ahead(row, answer.measure, answer.unit, run.curves)
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
    if answer.even and not answer.best and answer.measure.name == "error":
        yield EVEN
    else:
        yield from _differences(answer)
    yield from _elsewhere(answer)


def _which(answer: Answer) -> str:
    label, best, guess = answer.measure.label, answer.best, _guess(answer)
    of_all = f" of the {answer.n_units:,}" if answer.n_units else ""
    start = f"With {answer.m:,}{of_all} {answer.unit}s to learn from"
    if not best:
        return (
            f"{start}, no classifier is shown to be better than {LARGEST} ({guess}):"
            f" {_shown(answer, [*answer.values])}.{_by_auc(answer)}"
        )
    others = [each for each in answer.values if each not in best]
    rest = [_shown(answer, others)] if others else []
    rest += [f"{LARGEST} {guess}"] if guess else []
    against = f"; {', '.join(rest)}" if rest else ""
    if len(best) == 1:
        value = answer.values[best[0]]
        return f"{start}, use {best[0]}: its {label} is {value:z.3f}{against}."
    useful = [each for each in best if each in answer.useful]
    only = ""
    if len(useful) < len(best):
        only = f" Of these, only {listed(useful)} {'is' if len(useful) == 1 else 'are'} shown to"
        only += f" be better than {LARGEST}."
    return f"{start}, no difference is shown between {_shown(answer, best)}{against}.{only}"


def _by_auc(answer: Answer) -> str:
    """Name those that order rows better than chance, though their errors are as many."""
    if answer.measure.name == "auc" or not answer.by_auc:
        return ""
    named = listed([f"{name} {value:z.3f}" for name, value in answer.by_auc.items()])
    does = "does" if len(answer.by_auc) == 1 else "do"
    return f" By AUC, {named} {does} better than chance: --measure auc tells."


def _shown(answer: Answer, names: Sequence[str]) -> str:
    return listed([f"{each} {answer.values[each]:z.3f}" for each in names])


def _guess(answer: Answer) -> str:
    """Value of always answering the largest class, as far as it is known."""
    if answer.base_rate is not None and answer.measure.name == "error":
        return f"{answer.base_rate:z.3f}"
    return "" if answer.guessing is None else f"{answer.guessing[1]:z.3f}"


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
        interval = f"for other data of this kind {spelt(low)} to {spelt(high)} (95 % interval)"
        if low != low:
            interval = "of other data one split tells nothing"
        if abs(by_how_much) < HARDLY:
            yield f"{first} and {other} have the same {answer.measure.label}; {interval}."
        else:
            yield f"{first} has {by_how_much:z.3f} {less} than {other}; {interval}."


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
