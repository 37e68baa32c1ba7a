"""Rows needed by every fitter of a run to come near its limit, as a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gdcurves import splits
from gdcurves.complexity.growth import growth
from gdcurves.complexity.needed import Needed, needed
from gdcurves.crossings import bootstrap, paired
from gdcurves.scoring.measures import Measure, main
from gdcurves.store import contents
from gdcurves.store.files import Run
from gdcurves.store.table import TableFormat

if TYPE_CHECKING:
    import pandas as pd

WITHIN = 0.03
COLUMNS = (
    "experiment",
    "fitter",
    "n",
    "within",
    "limit",
    "m_needed",
    "m_low",
    "m_high",
    "kind",
    "m_first",
    "m_last",
    "slope",
    "slope_low",
    "slope_high",
    "per_ln_n",
    "per_ln_n_low",
    "per_ln_n_high",
)
TABLE = TableFormat(
    contents.COMPLEXITY, COLUMNS, texts=frozenset({"experiment", "fitter", "kind"}), needed=COLUMNS
)
GROWTH = "growth"  # the kind of a family's row


@dataclass(frozen=True, eq=False)
class _Point:
    """A fitter of an experiment: the limit of its curve, and the rows needed, if it has one."""

    experiment: str
    fitter: str
    n: int
    limit: float
    m: tuple[int, int]
    needed: Needed | None


def of_run(run: Run, within: float = WITHIN) -> pd.DataFrame:
    """Rows needed to be within a distance of the limit, by a run's main measure.

    One row for each experiment and fitter: `kind` is reached, below_first, not_reached, or
    no_limit; see `needed.Needed` for `m_needed` and its ends. For each family of laws and fitter
    one more, of kind growth, under the family's name; see `growth.Growth`.

    Parameters
    ----------
    run
        As read with its raw rows and limits.
    within
        The distance.
    """
    import pandas as pd

    names = [each["name"] for each in run.manifest["config"]["experiments"]]
    known = [name for name in names if name in run.chunks]
    points = [point for name in known for point in _points(run, name, within)]
    rows = [_row(each, within) for each in points]
    rows += _of_families(run, points, within)
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _points(run: Run, name: str, within: float) -> Iterator[_Point]:
    config = run.manifest["config"]
    measure = main(config)
    read = paired.read(run.chunks[name], [each["name"] for each in config["fitters"]], [measure])
    values = read[measure.name]
    limits = _limits(run, name, measure)
    n = int(run.manifest["experiments"][name].get("n_features", 0))
    for number, fitter in enumerate(values.fitters):
        own = values.values[number]
        finite = np.where(np.isfinite(own), own, np.nan)
        there = np.isfinite(finite).any(axis=1)
        if not there.any():
            continue
        m, finite = values.m[there], finite[there]
        limit = limits.get(fitter, np.nan)
        rows = None
        if np.isfinite(limit):
            rng = splits.generator(config["seed"], name, fitter, contents.COMPLEXITY)
            resampled = bootstrap.resampled(finite[None], rng)[:, 0]
            mean = np.nanmean(finite, axis=1)
            rows = needed(m.astype(np.float64), mean, resampled, limit + within)
        yield _Point(name, fitter, n, limit, (int(m[0]), int(m[-1])), rows)


def _limits(run: Run, name: str, measure: Measure) -> dict[str, float]:
    """Limits by fitter of the experiment's curves, where they are known of its law."""
    known = run.limits
    if known is None or measure.name not in known or measure.better != "lower":
        return {}
    law = run.manifest["experiments"][name].get("sha256")
    own = known[(known["experiment"] == name) & (known["law"] == law)]
    return dict(zip(own["fitter"], own[measure.name], strict=True))


def _row(point: _Point, within: float) -> dict[str, Any]:
    row = {
        "experiment": point.experiment,
        "fitter": point.fitter,
        "n": point.n,
        "within": within,
        "limit": point.limit,
        "m_first": point.m[0],
        "m_last": point.m[1],
        "kind": "no_limit",
    }
    if point.needed is None:
        return row
    one = point.needed
    return {**row, "m_needed": one.m, "m_low": one.low, "m_high": one.high, "kind": one.kind}


def families(config: Mapping[str, Any]) -> dict[str, str]:
    """Name of the family that an experiment is of, by the experiment's, from a run's config."""
    family_of = {}
    for each in config["experiments"]:
        n = (each.get("simulate") or {}).get("n")
        family, _, last = each["name"].rpartition("-")
        if n is not None and last == f"n{n}":
            family_of[each["name"]] = family
    return family_of


def _of_families(run: Run, points: Sequence[_Point], within: float) -> Iterator[dict[str, Any]]:
    of = families(run.manifest["config"])
    members: dict[tuple[str, str], list[_Point]] = {}
    for each in points:
        if each.experiment in of and each.needed is not None:
            members.setdefault((of[each.experiment], each.fitter), []).append(each)
    for (family, fitter), those in members.items():
        grown = growth(
            [each.n for each in those], [each.needed for each in those if each.needed is not None]
        )
        if grown is not None:
            names = ("slope", "per_ln_n")
            columns = {
                f"{name}{end}": value
                for name in names
                for end, value in zip(("", "_low", "_high"), getattr(grown, name), strict=True)
            }
            common = {"experiment": family, "fitter": fitter, "within": within, "kind": GROWTH}
            yield {**common, **columns}
