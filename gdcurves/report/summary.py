"""The summary at the end of a run."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from rich.console import Group, RenderableType
from rich.text import Text

from gdcurves import published
from gdcurves.datasets import CATALOGUE
from gdcurves.fitters import REGISTRY
from gdcurves.fitters.majority import guessing
from gdcurves.report import crossings, saying
from gdcurves.report.scores import scores
from gdcurves.report.status import warning_lines
from gdcurves.report.tables import GAP, by, line, plain
from gdcurves.scoring.measures import main
from gdcurves.words import counted

if TYPE_CHECKING:
    import pandas as pd

    from gdcurves.store.files import Run

OFTEN = 0.05  # share of separable training sets that is worth a word


def summary(run: Run, width: int) -> RenderableType:
    """Tell what a run computed, from which rows, what it could not do, and where its results are.

    Parameters
    ----------
    run
        A finished or partial run.
    width
        Of the terminal, in characters; with more fitters than fit side by side, their tables
        follow each other.
    """
    parts: list[RenderableType] = [Text(headline(run), style="bold")]
    known = list(saying.sentences(run))
    parts += map(Text, known and ["", *known])
    parts += details(run, width)
    if _done(run):
        if known:
            parts += [line(f"Crossings, and every size: gdcurves crossings {run.folder}")]
        parts += [
            line(f"Results: {run.folder} (curves.csv, comparisons.csv, crossings.csv, splits/)"),
        ]
    return Group(*parts)


def details(run: Run, width: int) -> Iterator[RenderableType]:
    """What stands below the answer of a run; see `summary`."""
    yield from rows(run, width)
    yield from measured(run, width)
    if next(saying.sentences(run), None) is None:
        yield from compared(run, width)
    yield ""
    yield from troubles(run)


def rows(run: Run, width: int) -> Iterator[RenderableType]:
    """Which rows the experiments that are done used, and how many they left out."""
    done = _done(run)
    if done:
        yield Text("\nRows used; rows left out because incomplete, or of another class:")
        yield from _rows(done, width)
        yield from _partial(done)


def measured(run: Run, width: int) -> Iterator[RenderableType]:
    """What was measured of each classifier at the largest size, beside base rates and papers."""
    if _done(run):
        last = run.curves.drop_duplicates(["experiment", "fitter"], keep="last")
        yield from scores(run, last, width)
        yield from _separable(last)
        yield from _undecided(run)
        yield from _published(run)


def compared(run: Run, width: int) -> Iterator[RenderableType]:
    """Say which fitter is better, and where that changes."""
    if _done(run) and run.crossings is not None and len(run.crossings):
        yield ""
        yield crossings.summary(
            run.crossings,
            width,
            main(run.manifest["config"]),
            run.comparisons,
            run.units,
            guessing(run.manifest["config"]),
        )


def troubles(run: Run) -> Iterator[RenderableType]:
    """What the work was warned of, and the experiments that are not done, with the reasons."""
    yield from map(line, warning_lines(run))
    for name, entry in run.manifest["experiments"].items():
        if entry["status"] != "done":
            why = entry["reason"] or "not complete"
            yield line(f"{entry['status'].capitalize()}: {name}: {why}")


def _done(run: Run) -> dict[str, dict[str, Any]]:
    """What the manifest says of the experiments that are complete."""
    experiments = run.manifest["experiments"].items()
    return {name: entry for name, entry in experiments if entry["status"] == "done"}


def of_sizes(run: Run) -> str:
    """Say what sizes count, and what means are taken over."""
    units = {*run.units.values()}
    what = "rows" if units == {"row"} else "groups of rows"
    if len(units) > 1:
        what = "rows, or groups of them,"
    n_splits = counted(run.manifest["config"]["splits"], "random split")
    return (
        f"m is the number of {what} that a classifier has learned from; it is tested on all others."
        f" Means are over {n_splits}."
    )


def headline(run: Run) -> str:
    """How much of a run is done, and from how many splits."""
    manifest, n_done = run.manifest, len(_done(run))
    seconds = timedelta(seconds=round(manifest["seconds"]))
    return (
        f"{manifest['name']}: {n_done} of {counted(len(manifest['experiments']), 'experiment')}"
        f" done in {seconds}; splits at every m: {manifest['config']['splits']:,}"
        + "".join(
            f", {more['splits']:,} at m = {', '.join(f'{m:,}' for m in more['sizes'])}"
            for more in manifest["config"].get("more_splits", ())
        )
    )


def _rows(experiments: dict[str, dict[str, Any]], width: int) -> Iterator[RenderableType]:
    """Which rows of which source each experiment used; sources without room have their lines."""
    keys = {"used": "rows_used", "incomplete": "rows_missing", "other": "rows_other_class"}
    if any(entry.get("groups") is not None for entry in experiments.values()):
        keys = {"groups": "groups", **keys}
    table = plain()
    table.add_column("experiment")
    for column in keys:
        table.add_column(column, justify="right")
    taken = max(map(len, ["experiment", *experiments])) + sum(len(key) + GAP for key in keys) + GAP
    sources = {name: str(entry["source"]) for name, entry in experiments.items()}
    has_room = taken + max(map(len, sources.values())) <= width
    if has_room:
        table.add_column("source")
    for name, entry in experiments.items():
        known = entry if entry.get("rows_read") else {}  # of endless ones none are counted
        counts = (f"{n:,}" if (n := known.get(key)) is not None else "" for key in keys.values())
        table.add_row(name, *counts, *([Text(sources[name])] if has_room else []))
    yield table
    if not has_room:
        shared = len(set(sources.values())) == 1
        for name, source in list(sources.items())[: 1 if shared else None]:
            yield line(source if shared else f"{name}: {source}")


def _partial(experiments: dict[str, dict[str, Any]]) -> Iterator[Text]:
    """Name the data sets of which the source holds a part only."""
    read = {entry["data"]: entry["rows_read"] for entry in experiments.values()}
    origins = {entry["data"]: entry.get("origin") for entry in experiments.values()}
    for data, n_rows in read.items():
        complete = CATALOGUE[data].n_rows if data in CATALOGUE else 0
        if n_rows < complete and origins[data] == "packaged":
            yield Text(
                f"Note: {n_rows:,} of the {complete:,} rows of {data}; for all of them: "
                "--source openml, or --data-dir"
            )


def _separable(last: pd.DataFrame) -> Iterator[Text]:
    """Say what is fitted where the likelihood has no maximum, if that is no rare case."""
    if last["separable"].max() >= OFTEN:
        yield Text(
            "Where classes are separable the likelihood has no maximum: as in Ng & Jordan's paper,"
            " the rule is drawn at random from all that separate. A penalised fit may"
            " well do better there."
        )


def _undecided(run: Run) -> Iterator[Text]:
    """Say how many training sets could not be proved to be of any kind."""
    types = {each["name"]: each["type"] for each in run.manifest["config"].get("fitters", ())}
    for (name, fitter), rows in run.curves.groupby(["experiment", "fitter"], sort=False):
        n = round((rows["undecided"] * rows["n_splits"]).sum())
        if n:
            yield Text(
                f"Undecided: {n:,} of {counted(int(rows['n_splits'].sum()), 'training set')} of"
                f" {name}, {fitter}: {REGISTRY[types[fitter]].undecided}"
            )


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
    table = plain()
    table.add_column("experiment", no_wrap=True)
    for fitter in fitters:
        table.add_column(fitter)
    for name, rows in by(summary, "experiment"):
        cells = {
            row.fitter: f"{row.n_agree}/{row.n_points} {row.largest:+.3f} m={row.at_m}"
            for row in rows.itertuples()
        }
        table.add_row(name, *(cells.get(fitter, "") for fitter in fitters))
    yield table
