"""The summary of a run, for the terminal."""

from __future__ import annotations

import shlex
import textwrap
from collections.abc import Iterator
from datetime import timedelta
from math import isnan
from typing import TYPE_CHECKING, Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from gdcurves import published
from gdcurves.crossings import words
from gdcurves.datasets import CATALOGUE

if TYPE_CHECKING:
    import pandas as pd

    from gdcurves.store import Run

_GAP = 2  # blanks between columns
_MOST = 5  # warnings shown
_ERROR = "0.123 ± 0.004"


def summary(run: Run, width: int) -> RenderableType:
    """Tell what a run computed, from which rows, what it could not do, and what to do next.

    Parameters
    ----------
    run
        A finished or partial run.
    width
        Of the terminal, in characters; with more fitters than fit side by side, their tables
        follow each other.
    """
    experiments: dict[str, dict[str, Any]] = run.manifest["experiments"]
    done = {name: entry for name, entry in experiments.items() if entry["status"] == "done"}
    parts: list[RenderableType] = [Text(_headline(run, len(done)), style="bold")]
    if done:
        last = run.curves.drop_duplicates(["experiment", "fitter"], keep="last")
        parts += [
            Text("\nRows used; rows left out because incomplete, or of another class:"),
            _rows(done),
            *_partial(done),
            Text(
                "\nError on the test rows at the largest m: "
                + (
                    f"mean over {_range(last['n_splits'])} splits, plus or minus 2 Monte Carlo"
                    " standard errors. "
                    if (last["n_splits"] > 1).all()
                    else "one split, so no standard error. "
                )
                + "Separable: share of the training sets whose classes a hyperplane separates."
            ),
            *_errors(last, width),
            *_published(run),
            *_crossings(run, width),
        ]
    parts.append("")
    parts += map(_line, warning_lines(run))
    parts += [
        _line(f"{entry['status'].capitalize()}: {name}: {entry['reason'] or 'not complete'}")
        for name, entry in experiments.items()
        if entry["status"] != "done"
    ]
    if done:
        parts += [
            _line(f"Results: {run.folder} (curves.csv, crossings.csv, manifest.json, splits/)"),
            _line(f"Next: gdcurves plot {shlex.quote(str(run.folder))}"),
        ]
    return Group(*parts)


def status(run: Run) -> dict[str, Any]:
    """How far a run is, for programs: what is done, missing and failed, why, and the time spent."""
    manifest = run.manifest
    experiments = {}
    for name, entry in manifest["experiments"].items():
        wanted = 0 if entry["status"] == "skipped" else entry["splits"]
        experiments[name] = {
            "status": entry["status"],
            "reason": entry["reason"],
            "splits": wanted,
            "splits_done": entry["splits_done"],
            "splits_failed": entry["splits_failed"],
            "splits_missing": wanted - entry["splits_done"] - entry["splits_failed"],
        }
    return {
        "name": manifest["name"],
        "status": manifest["status"],
        "splits": sum(each["splits"] for each in experiments.values()),
        "splits_done": sum(each["splits_done"] for each in experiments.values()),
        "seconds": manifest["seconds"],
        "sessions": manifest["sessions"],
        "cpu_seconds": sum(manifest["cpu_seconds"].values()),
        "warnings": manifest["warnings"],
        "experiments": experiments,
    }


def warning_lines(run: Run) -> Iterator[str]:
    """Each warning of the work once, the most frequent ones with their count."""
    counts = sorted(run.manifest["warnings"].items(), key=lambda each: (-each[1], each[0]))
    for text, count in counts[:_MOST]:
        yield f"Warning, {count:,} times: {text}"
    if len(counts) > _MOST:
        yield f"Warnings of {len(counts) - _MOST} more kinds; manifest.json lists them"


def limits(found: pd.DataFrame, without: dict[str, str], width: int) -> RenderableType:
    """Show limits: one table for error, one for log loss; what has none, and why.

    Parameters
    ----------
    found, without
        As `limits.table.table` returns them.
    width
        Of the terminal, in characters.
    """
    parts: list[RenderableType] = []
    for column, title in (("error", "Error"), ("logloss", "Log loss, nats per row")):
        parts.append(Text(f"\n{title}, for m to infinity; bayes is the best possible rule:"))
        parts += _side_by_side(found, column, width)
    parts += [_line(f"No limit for {name}: {why}") for name, why in without.items()]
    return Group(*parts)


def _side_by_side(found: pd.DataFrame, column: str, width: int) -> Iterator[RenderableType]:
    """A column for each fitter; several tables where they do not fit."""
    fitters = list(dict.fromkeys(found["fitter"]))
    experiments = {name: rows.set_index("fitter") for name, rows in _by(found, "experiment")}
    beside = max(1, (width - max(map(len, experiments), default=0)) // (len(_ERROR) + _GAP))
    for start in range(0, len(fitters), beside):
        group = fitters[start : start + beside]
        table = _table()
        table.add_column("experiment", no_wrap=True)
        for fitter in group:
            table.add_column(_header(fitter), no_wrap=True)
        for name, rows in experiments.items():
            table.add_row(
                name,
                *(f"{rows.loc[each, column]:.5f}" if each in rows.index else "" for each in group),
            )
        yield table


def _line(text: str) -> Text:
    """Return text that stays one line, to be copied from the terminal."""
    return Text(text, no_wrap=True, overflow="ignore")


def _headline(run: Run, n_done: int) -> str:
    manifest = run.manifest
    seconds = timedelta(seconds=round(manifest["seconds"]))
    return (
        f"{manifest['name']}: {n_done} of {len(manifest['experiments'])} experiments done "
        f"in {seconds}; splits at every m: {manifest['config']['splits']:,}"
        + "".join(
            f", {more['splits']:,} at m = {', '.join(f'{m:,}' for m in more['sizes'])}"
            for more in manifest["config"].get("more_splits", ())
        )
    )


def _range(numbers: pd.Series[Any]) -> str:
    """Say how many, where it may differ."""
    low, high = numbers.min(), numbers.max()
    return f"{high:,}" if low == high else f"{low:,} to {high:,}"


def _rows(experiments: dict[str, dict[str, Any]]) -> RenderableType:
    """Which rows of which source each experiment used."""
    table = _table()
    table.add_column("experiment")
    for column in ("used", "incomplete", "other"):
        table.add_column(column, justify="right")
    table.add_column("source")
    for name, entry in experiments.items():
        counts = (f"{entry[key]:,}" for key in ("rows_used", "rows_missing", "rows_other_class"))
        table.add_row(name, *counts, Text(entry["source"]))
    return table


def _partial(experiments: dict[str, dict[str, Any]]) -> Iterator[Text]:
    """Name the data sets of which the source holds a part only."""
    read = {entry["data"]: entry["rows_read"] for entry in experiments.values()}
    sources = {entry["data"]: entry["source"] for entry in experiments.values()}
    for data, n_rows in read.items():
        complete = CATALOGUE[data].n_rows if data in CATALOGUE else 0
        if n_rows < complete and sources[data].startswith("packaged"):
            yield Text(
                f"Note: {n_rows:,} of the {complete:,} rows of {data}; for all of them: "
                "--source openml, or --data-dir"
            )


def _errors(last: pd.DataFrame, width: int) -> Iterator[RenderableType]:
    """Show each fitter's error at the last size, and how often training sets were separable.

    Yields one table, or several where the fitters do not fit side by side.
    """
    experiments = {name: rows.set_index("fitter") for name, rows in _by(last, "experiment")}
    fitters = list(dict.fromkeys(last["fitter"]))
    # All fitters see the same training sets; those that look for hyperplanes say what they found.
    separable = last.groupby("experiment")["separable"].max()
    room = width - max(map(len, experiments)) - len(f"{last['m'].max():,}  separable") - 2 * _GAP
    beside = max(1, room // (len(_ERROR) + _GAP))
    for start in range(0, len(fitters), beside):
        group = fitters[start : start + beside]
        table = _table()
        table.add_column("experiment", no_wrap=True)
        table.add_column("m", justify="right")
        for fitter in group:
            table.add_column(_header(fitter), no_wrap=True)
        table.add_column("separable", justify="right")
        for name, rows in experiments.items():
            errors = (_error(rows.loc[each]) if each in rows.index else "" for each in group)
            share = separable[name]
            table.add_row(
                name, f"{rows['m'].max():,}", *errors, "" if isnan(share) else f"{share:.0%}"
            )
        yield table


def _published(run: Run) -> Iterator[RenderableType]:
    """Compare with the published curves, if there are any."""
    theirs = published.values(run.manifest["config"]["figure"])
    comparison = None if theirs is None else published.compare(run.curves, theirs)
    if comparison is None or comparison.empty:
        return
    summary = published.summarise(comparison)
    fitters = list(dict.fromkeys(summary["fitter"]))
    yield Text(
        "\nPoints within 3 combined standard errors + 0.0002 of the published curve, and the "
        "largest difference (ours less theirs)."
        + " The published naive Bayes curves for continuous inputs are those of nearest_centroid."
        * ("nearest_centroid" in fitters)
    )
    table = _table()
    table.add_column("experiment", no_wrap=True)
    for fitter in fitters:
        table.add_column(fitter)
    for name, rows in _by(summary, "experiment"):
        cells = {
            row.fitter: f"{row.n_agree}/{row.n_points} {row.largest:+.3f} m={row.at_m}"
            for row in rows.itertuples()
        }
        table.add_row(name, *(cells.get(fitter, "") for fitter in fitters))
    yield table


def _crossings(run: Run, width: int) -> Iterator[RenderableType]:
    """Say which fitter is better, and where that changes."""
    if run.crossings is not None and len(run.crossings):
        yield ""
        yield words.summary(run.crossings, width)


def _by(frame: pd.DataFrame, column: str) -> Iterator[tuple[str, pd.DataFrame]]:
    """Groups of rows, in the order of the rows."""
    for name, rows in frame.groupby(column, sort=False):
        yield str(name), rows


def _error(row: pd.Series[Any]) -> str:
    if isnan(row["error_se"]):
        return f"{row['error_mean']:.3f}"
    return f"{row['error_mean']:.3f} ± {2 * row['error_se']:.3f}"


def _header(fitter: str) -> str:
    """Return a fitter's name, broken at underscores where it is longer than the numbers."""
    lines = textwrap.wrap(fitter.replace("_", "_ "), len(_ERROR))
    return "\n".join(lines).replace("_ ", "_")


def _table() -> Table:
    return Table(box=None, padding=(0, _GAP, 0, 0), pad_edge=False, header_style="bold")
