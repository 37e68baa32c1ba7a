"""What the papers' theory says, a sentence for each quantity."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gdcurves.report.tables import by
from gdcurves.scoring.judged import TIE
from gdcurves.theory import columns
from gdcurves.words import counted, listed

if TYPE_CHECKING:
    import pandas as pd

    from gdcurves.theory.table import Theory

TOLD = (0.05, 0.1, 0.2)  # arguments of which a sentence on many speaks


@dataclass(frozen=True)
class Said:
    """A quantity of a classifier in an experiment.

    Attributes
    ----------
    values
        Arguments and values.
    guessing
        Error of always answering the larger class.
    surely
        Probability with which bounds hold.
    """

    values: Sequence[tuple[float, float]]
    guessing: float
    surely: str

    @property
    def some(self) -> Sequence[tuple[float, float]]:
        """Those of which a sentence speaks."""
        return [each for each in self.values if each[0] in TOLD] or self.values


def sentences(theory: Theory, experiment: str) -> Iterator[str]:
    """Say what is known of an experiment, and why the rest is not; once for fitters that agree."""
    own = theory.table[theory.table["experiment"] == experiment]
    surely = f"with probability {1 - theory.delta:g}"
    fitters_of: dict[str, list[str]] = {}
    for fitter, rows in by(own, "fitter"):
        of_quantity = {quantity: each for quantity, each in by(rows, "quantity")}
        for quantity, words in WORDS.items():
            if quantity in of_quantity:
                pairs = (
                    of_quantity[quantity][["argument", "value"]].astype(float).to_numpy().tolist()
                )
                values = [(argument, value) for argument, value in pairs]
                said = Said(values, theory.guessing[experiment], surely)
                fitters_of.setdefault(words(said), []).append(fitter)
    for sentence, fitters in fitters_of.items():
        yield f"{listed(fitters)}: {sentence}"
    for name, why in theory.without.items():
        if name.startswith(f"{experiment}, "):
            yield f"Not known of {name}: {why}."


def _alpha(said: Said) -> str:
    alphas = dict(said.values)
    means = " and ".join(f"{_number(alphas[k])} n in class {k}" for k in (2, 1))
    words = f"alpha: its limit's log odds are in the mean {means} on the right side of zero"
    if min(alphas.values()) <= 0:
        return f"{words}: below zero, the prior weighs more than what the features tell."
    return f"{words} (Proposition 5)."


def _g(said: Said) -> str:
    values = ", ".join(f"G({tau:g}) = {_number(value)}" for tau, value in said.some)
    return (
        f"{values}: the share of rows that its limit classifies rightly by no more than tau n,"
        " which is what Theorem 4 adds to the error where log odds are off by that."
    )


def _bound3(said: Said) -> str:
    return f"Lemma 3 promises all its probabilities {_within(said)} on, {said.surely}."


def _exact3(said: Said) -> str:
    return f"In fact all its estimates are {_within(said)} on, {said.surely}."


def _within(said: Said) -> str:
    return listed([f"within {epsilon:g} from m = {m:,.0f}" for epsilon, m in said.values])


def _theorem4(said: Said) -> str:
    useful = [each for each in said.values if each[1] < said.guessing - TIE]
    base = f"always answering the larger class, which errs {_number(said.guessing)}"
    if not useful:
        last, _ = said.values[-1]
        return f"Theorem 4 is vacuous up to m = {last:,.0f}: nothing there is better than {base}."
    (first, _), (last, value) = useful[0], useful[-1]
    words = f"it promises an error of at most {_number(value)} at m = {last:,.0f}"
    if len(useful) < len(said.values):
        return f"Theorem 4 is vacuous below m = {first:,.0f}, no better than {base}; {words}."
    return f"Theorem 4: {words}."


def _proposition2(said: Said) -> str:
    values = ", ".join(f"{epsilon:g} from m = {m:,.0f}" for epsilon, m in said.some)
    useful = [m for epsilon, m in said.values if epsilon < said.guessing]
    vacuous = f"; below m = {min(useful):,.0f} or so it is vacuous" if useful else ""
    return (
        "Proposition 2, with Vapnik's constants, promises of the rule with the fewest training"
        " errors that it errs above the best linear rule by no more than"
        f" {values} on, {said.surely}{vacuous}."
    )


def _constant(said: Said) -> str:
    ((_, value),) = said.values
    return f"Its error is above the Bayes rule's by {value:.5g} / m for large m (Efron)."


def _efficiency(said: Said) -> str:
    ((_, value),) = said.values
    return (
        f"Logistic regression is {value:.5g} times as efficient: where that needs 100 rows, this"
        f" needs {100 * value:.3g}, at every large m, so that nothing here is logarithmic."
    )


def _number(value: float) -> str:
    return f"{value:.3g}"


def heading(table: pd.DataFrame, experiment: str) -> str:
    """Name an experiment and its number of features."""
    n = int(table.loc[table["experiment"] == experiment, "n"].iloc[0])
    return f"{experiment}, {counted(n, 'feature')}"


WORDS: dict[str, Callable[[Said], str]] = {
    columns.ALPHA: _alpha,
    columns.G: _g,
    columns.LEMMA3_BOUND: _bound3,
    columns.LEMMA3_EXACT: _exact3,
    columns.THEOREM4_BOUND: _theorem4,
    columns.PROPOSITION2_BOUND: _proposition2,
    columns.EFRON_CONSTANT: _constant,
    columns.EFFICIENCY: _efficiency,
}
