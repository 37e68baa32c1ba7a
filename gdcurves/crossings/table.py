"""The crossings of all pairs of fitters, as a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from gdcurves import splits
from gdcurves.arrays import FloatArray, IntArray
from gdcurves.crossings import ahead, bootstrap, outlook
from gdcurves.crossings.comparisons import Comparison, Pair
from gdcurves.crossings.crossing import crossings, established, zeros
from gdcurves.crossings.evidence import Splits
from gdcurves.crossings.paired import Paired
from gdcurves.scoring.measures import Measure
from gdcurves.store import contents
from gdcurves.store.table import TableFormat
from gdcurves.trends import Trend

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = (
    "experiment",
    "fitter_a",
    "fitter_b",
    "kind",
    "m",
    "m_low",
    "m_high",
    "better_below",
    "better_above",
    "n_splits",
    "n_sizes",
    "n_a_better",
    "n_b_better",
    "m_first",
    "m_last",
    "difference_last",
    "low_last",
    "high_last",
    "better_last",
    "rows",
    "rows_for_verdict",
    "m_ahead",
    "m_ahead_low",
    "m_ahead_high",
    "published_m",
)
TABLE = TableFormat(
    contents.CROSSINGS,
    COLUMNS,
    texts=frozenset(
        {
            *("experiment", "fitter_a", "fitter_b", "kind"),
            *("better_below", "better_above", "better_last", "published_m"),
        }
    ),
    needed=COLUMNS,
)

Kind = Literal["crosses", "does_not_cross", "better_from", "cannot_tell", "equal"]


def table(
    experiment: str,
    measure: Measure,
    read: Paired,
    compared: Mapping[Pair, Sequence[Comparison]],
    seed: int,
    theirs: pd.DataFrame | None = None,
) -> pd.DataFrame:
    """One row for every crossing of a pair of fitters, or one that says why there is none.

    Differences are values of `fitter_a` less those of `fitter_b`. Columns:

    kind
        crosses; does_not_cross, if the same fitter is better at every size; better_from, if it is
        at some and no worse, on average, from the first of them on; equal, if no split tells them
        apart; otherwise cannot_tell.
    m, m_low, m_high, better_below, better_above
        See `crossing.Crossing`; where the curves do not cross, the better fitter twice. Of
        better_from, the least size at which it is established, and the fitter above alone.
    n_splits
        The fewest at any size.
    n_sizes, n_a_better, n_b_better
        Sizes in all, and those at which it is established which fitter is better.
    m_first, m_last
        The least and the largest size.
    difference_last, low_last, high_last, better_last
        The difference at the largest size, its interval for other data, and the fitter that is
        better by it, see `comparisons.Comparison`.
    rows
        Labelled rows that there are.
    rows_for_verdict
        About how many more would give a verdict, see `ahead.rows_for_verdict`. Empty where there is
        one, or more test than training rows, or where every split has its own rows.
    m_ahead, m_ahead_low, m_ahead_high
        Where the difference would be zero beyond the largest size, see `ahead.Ahead`; anywhere, and
        `m_ahead` empty, where a curve is not of the form that is drawn out. These and
        `rows_for_verdict` are empty unless it is established there which fitter is better.
    published_m
        Where the published curves of the same two classifiers cross, with blanks between.

    Parameters
    ----------
    experiment
        Its name.
    measure, read
        What was measured, complete, and by which measure.
    compared
        What `comparisons.of_pairs` says of the same fitters.
    seed
        Of the run; resamples depend on it and the experiment's name.
    theirs
        Published curves of the fitters, by their names, with m as index.
    """
    if len(read.fitters) < 2 or not len(read.m):
        return empty()
    resampled = bootstrap.resampled(read.values, splits.generator(seed, experiment, "resamples"))
    trends = outlook.of_fitters(measure, read)
    rows = [
        {
            "experiment": experiment,
            **row,
            "n_splits": read.n_splits.min(),
            "m_first": read.m[0],
            "m_last": read.m[-1],
            "published_m": _published(theirs, read.fitters[a], read.fitters[b]),
        }
        for a, b in combinations(range(len(read.fitters)), 2)
        for row in _Pair(
            read.of(a, b),
            (trends[a], trends[b]),
            resampled[:, a] - resampled[:, b],
            _at_the_end(compared[measure.name, read.fitters[a], read.fitters[b]], read),
        ).rows()
    ]
    return _frame(rows)


def empty() -> pd.DataFrame:
    """Return the table without a row."""
    return _frame([])


def _at_the_end(compared: Sequence[Comparison], read: Paired) -> Comparison:
    return next(each for each in compared if each.m == read.m[-1])


def _frame(rows: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    import pandas as pd

    return pd.DataFrame(rows, columns=list(COLUMNS))


@dataclass(frozen=True, eq=False)
class _Pair:
    """Two fitters, how their curves go on, and their difference in resamples (N_RESAMPLES, k).

    `last` compares them at the largest size.
    """

    read: Paired
    trends: tuple[Trend | None, Trend | None]
    resampled: FloatArray
    last: Comparison

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield one for each crossing, or the one that says why there is none."""
        read, last = self.read, self.last
        mean, deviation = read.difference(0, 1)
        signs = established(mean, deviation, read.n_splits, self.resampled)
        negative, positive = read.better(0, 1)
        n_better = {negative: np.sum(signs < 0), positive: np.sum(signs > 0)}
        common = {
            "fitter_a": read.fitters[0],
            "fitter_b": read.fitters[1],
            "n_sizes": len(signs),
            "n_a_better": n_better[read.fitters[0]],
            "n_b_better": n_better[read.fitters[1]],
            "difference_last": last.difference,
            "low_last": last.low,
            "high_last": last.high,
            "better_last": last.better,
            "rows": read.n_train[-1] + read.n_test[-1],
            **(self._more() if signs[-1] else {}),
        }
        crossed = crossings(read.m, mean, self.resampled, signs)
        for each in crossed:
            below, above = (positive, negative) if each.sign > 0 else (negative, positive)
            yield {
                **common,
                "kind": "crosses",
                "m": each.m,
                "m_low": each.low,
                "m_high": each.high,
                "better_below": below,
                "better_above": above,
            }
        if not crossed:
            equal = not np.any(mean) and not np.any(deviation)
            better = positive if signs.max() > 0 else negative
            yield {**common, **self._uncrossed(signs, mean, better, equal)}

    def _uncrossed(
        self, signs: IntArray, mean: FloatArray, better: str, equal: bool
    ) -> dict[str, Any]:
        """Columns that say why there is no crossing; the signs (k,) are of one kind, and zeros."""
        kind: Kind = "equal" if equal else "cannot_tell"
        if np.all(signs != 0):
            kind = "does_not_cross"
            return {"kind": kind, "better_below": better, "better_above": better}
        if np.any(signs):
            first = int(np.flatnonzero(signs)[0])
            if np.all(mean[first:] * signs[first] >= 0):
                kind, m = "better_from", self.read.m[first]
                return {"kind": kind, "m": m, "better_below": "", "better_above": better}
        return {"kind": kind, "better_below": "", "better_above": ""}

    def _more(self) -> dict[str, float]:
        """Columns about what more rows would change, where an order is established at the end."""
        last, n_train, n_test = self.last, self.read.n_train[-1], self.read.n_test[-1]
        a, b = self.trends
        if a is None or b is None:
            zero = ahead.Ahead(np.nan, last.m, np.inf)
        else:
            lower = 1 if self.read.lower_is_better else -1
            zero = ahead.zero_ahead(lower * last.difference, last.se_splits, a, b)
        columns = {"m_ahead": zero.m, "m_ahead_low": zero.low, "m_ahead_high": zero.high}
        if not last.better and last.interval != Splits.name and n_test <= n_train:
            columns["rows_for_verdict"] = ahead.rows_for_verdict(
                n_train + n_test, last.difference, last.low, last.high
            )
        return columns


def _published(theirs: pd.DataFrame | None, a: str, b: str) -> str:
    if theirs is None or a not in theirs or b not in theirs:
        return ""
    m = theirs.index.to_numpy(dtype=np.float64)
    return " ".join(f"{each:.1f}" for each in zeros(m, (theirs[a] - theirs[b]).to_numpy()))
