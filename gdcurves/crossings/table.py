"""The crossings of all pairs of fitters, as a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from gdcurves import published, splits
from gdcurves.arrays import FloatArray
from gdcurves.crossings import ahead, bootstrap, paired, verdict
from gdcurves.crossings.crossing import crossings, established, zeros
from gdcurves.crossings.paired import Paired
from gdcurves.scoring.measures import main
from gdcurves.store import contents
from gdcurves.store.table import TableFormat

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

Kind = Literal["crosses", "does_not_cross", "cannot_tell", "equal"]


def of_chunks(experiment: str, paths: Sequence[Path], config: Mapping[str, Any]) -> pd.DataFrame:
    """Crossings of an experiment from the files of its chunks, see `table`.

    Parameters
    ----------
    experiment
        Its name.
    paths
        The files, at least one.
    config
        The config of the run, as the manifest has it.
    """
    own = next(each for each in config["experiments"] if each["name"] == experiment)
    simulate = own["simulate"]
    measure = main(config)
    if measure.infinite:
        return _frame([])
    read = paired.of_chunks(paths, [each["name"] for each in config["fitters"]], measure)
    theirs = None
    if measure.name == "error":
        theirs = published.same_classifiers(
            config["figure"], experiment, own["inputs"], read.fitters
        )
    return table(
        experiment,
        read,
        config["seed"],
        independent=simulate is not None and simulate["draw"] == "each",
        theirs=theirs,
    )


def table(
    experiment: str,
    read: Paired,
    seed: int,
    independent: bool = False,
    theirs: pd.DataFrame | None = None,
) -> pd.DataFrame:
    """One row for every crossing of a pair of fitters, or one that says why there is none.

    Differences are values of `fitter_a` less those of `fitter_b`. Columns:

    kind
        crosses; does_not_cross, if the same fitter is better at every size; equal, if no split
        tells them apart; otherwise cannot_tell.
    m, m_low, m_high, better_below, better_above
        See `crossing.Crossing`; where the curves do not cross, the better fitter twice.
    n_splits
        The fewest at any size.
    n_sizes, n_a_better, n_b_better
        Sizes in all, and those at which it is established which fitter is better.
    m_first, m_last
        The least and the largest size.
    difference_last, low_last, high_last, better_last
        The difference at the largest size, its interval by `verdict.interval`, and the fitter
        that is better by it; empty if it holds zero.
    rows
        Labelled rows that there are.
    rows_for_verdict
        About how many would give a verdict, see `ahead.rows_for_verdict`. Empty where there is one,
        or more test than training rows, or where every split has its own rows.
    m_ahead, m_ahead_low, m_ahead_high
        Where the difference would be zero beyond the largest size, see `ahead.Ahead`. These and
        `rows_for_verdict` are empty unless it is established there which fitter is better.
    published_m
        Where the published curves of the same two classifiers cross, with blanks between.

    Parameters
    ----------
    experiment
        Its name.
    read
        What was measured.
    seed
        Of the run; resamples depend on it and the experiment's name.
    independent
        Whether every split has a data set of its own.
    theirs
        Published curves of the fitters, by their names, with m as index.
    """
    if len(read.fitters) < 2 or not len(read.m):
        return _frame([])
    resampled = bootstrap.resampled(read.values, splits.generator(seed, experiment, "resamples"))
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
        for row in _rows(read, a, b, resampled[:, a] - resampled[:, b], independent)
    ]
    return _frame(rows)


def _frame(rows: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    import pandas as pd

    return pd.DataFrame(rows, columns=list(COLUMNS))


def _rows(
    read: Paired, a: int, b: int, resampled: FloatArray, independent: bool
) -> Iterator[dict[str, Any]]:
    """Yield the rows of a pair: one for each crossing, or the one that says why there is none."""
    mean, deviation = read.difference(a, b)
    signs = established(mean, deviation, read.n_splits, resampled)
    negative, positive = read.better(a, b)
    n_better = {negative: np.sum(signs < 0), positive: np.sum(signs > 0)}
    common = {
        "fitter_a": read.fitters[a],
        "fitter_b": read.fitters[b],
        "n_sizes": len(signs),
        "n_a_better": n_better[read.fitters[a]],
        "n_b_better": n_better[read.fitters[b]],
        **_last(read, a, b, independent),
    }
    if signs[-1]:
        common |= _more(read, mean, resampled, common, independent)
    crossed = crossings(read.m, mean, resampled, signs)
    for each in crossed:
        below, above = (positive, negative) if each.sign > 0 else (negative, positive)
        where = {"m": each.m, "m_low": each.low, "m_high": each.high}
        yield {
            **common,
            "kind": "crosses",
            **where,
            "better_below": below,
            "better_above": above,
        }
    if not crossed:
        kind: Kind = "cannot_tell"
        better = ""
        if np.all(signs != 0):
            kind, better = "does_not_cross", positive if signs[0] > 0 else negative
        elif not np.any(mean) and not np.any(deviation):
            kind = "equal"
        yield {**common, "kind": kind, "better_below": better, "better_above": better}


def _last(read: Paired, a: int, b: int, independent: bool) -> dict[str, Any]:
    """Columns about the largest size: the difference there, its interval and the verdict."""
    mean, deviation = (float(each[-1]) for each in read.difference(a, b))
    n_train, n_test = int(read.n_train[-1]), int(read.n_test[-1])
    ratio = 0.0 if independent else n_test / n_train
    low, high = verdict.interval(mean, deviation, int(read.n_splits[-1]), ratio)
    negative, positive = read.better(a, b)
    better = negative if high < 0 else positive if low > 0 else ""
    return {
        "difference_last": mean,
        "low_last": low,
        "high_last": high,
        "better_last": better,
        "rows": n_train + n_test,
    }


def _more(
    read: Paired,
    mean: FloatArray,
    resampled: FloatArray,
    last: Mapping[str, Any],
    independent: bool,
) -> dict[str, float]:
    """Columns about what more rows would change, where an order is established at the last size."""
    columns: dict[str, float] = {}
    if len(read.m) > 1:
        zero = ahead.zero_ahead(read.m, mean, resampled)
        columns |= {"m_ahead": zero.m, "m_ahead_low": zero.low, "m_ahead_high": zero.high}
    if not last["better_last"] and not independent and read.n_test[-1] <= read.n_train[-1]:
        columns["rows_for_verdict"] = ahead.rows_for_verdict(
            last["rows"], last["difference_last"], last["low_last"], last["high_last"]
        )
    return columns


def _published(theirs: pd.DataFrame | None, a: str, b: str) -> str:
    if theirs is None or a not in theirs or b not in theirs:
        return ""
    m = theirs.index.to_numpy(dtype=np.float64)
    return " ".join(f"{each:.1f}" for each in zeros(m, (theirs[a] - theirs[b]).to_numpy()))
