"""`gdcurves datasets`: what data there are, what is in them, and copies for work offline."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from gdcurves.cli.drafting import Drafting
from gdcurves.cli.each import each
from gdcurves.cli.options import (
    Continuous,
    Cut,
    Decimal,
    Discrete,
    Drop,
    Encoding,
    Groups,
    MissingText,
    Sheet,
    Thousands,
)

if TYPE_CHECKING:
    from gdcurves.datasets import Table
    from gdcurves.datasets.remarks import Remark

app = typer.Typer(
    name="datasets",
    help="Data sets: list them, show what is in one, fetch copies.",
    no_args_is_help=True,
)

Source = Annotated[
    Literal["packaged", "openml"],
    typer.Option(help="Where data sets of the catalogue come from."),
]
Offline = Annotated[bool, typer.Option("--offline", help="Make no request; use the cache.")]
DataDir = Annotated[
    Path | None,
    typer.Option(
        metavar="DIR",
        exists=True,
        file_okay=False,
        help="Folder of files; data sets of the catalogue found there are taken from it.",
    ),
]


@app.command("list")
def list_all() -> None:
    """List the data sets of the catalogue, and what the cache holds."""
    from gdcurves.datasets import CATALOGUE
    from gdcurves.datasets.sources import cache, packaged

    for spec in CATALOGUE.values():
        kinds = list(spec.columns.values())
        source, n_rows = f"from openml:{spec.openml_id}", spec.n_rows
        if spec.packaged_from:
            source, n_rows = "packaged", packaged.n_rows(spec)
        part = f" of {spec.n_rows:,}" if n_rows < spec.n_rows else ""
        typer.echo(
            f"{spec.name}: {spec.title}; {n_rows:,}{part} rows; {kinds.count('continuous')}"
            f" continuous, {kinds.count('discrete')} discrete inputs; target {spec.target};"
            f" {source}"
        )
    for name, entry in cache.entries():
        typer.echo(f"{name}: in the cache, {entry}")


@app.command("show")
def show(
    context: typer.Context,
    name: Annotated[str, typer.Argument(help="A name of the list, a file, openml:..., uci:...")],
    target: Annotated[
        str | None, typer.Option(metavar="COLUMN", help="The column to predict.")
    ] = None,
    threshold: Cut = None,
    groups: Groups = None,
    drop: Drop = None,
    continuous: Continuous = None,
    discrete: Discrete = None,
    missing_text: MissingText = None,
    decimal: Decimal = None,
    thousands: Thousands = None,
    encoding: Encoding = None,
    sheet: Sheet = None,
    source: Source = "packaged",
    data_dir: DataDir = None,
    offline: Offline = False,
) -> None:
    """Show rows, columns by kind, classes, missing values, source, licence and hash."""
    from gdcurves import datasets
    from gdcurves.cli import screen
    from gdcurves.config.reading import DROP_ROWS
    from gdcurves.datasets.remarks import lines
    from gdcurves.plan.draft import LEFT_OUT
    from gdcurves.problems.sparse import Sparse
    from gdcurves.report import described

    told = Drafting.of({**context.params, "data": name})
    table = datasets.look(told.request, source, data_dir, offline=offline)
    sparse = Sparse.of(table, [*table.kinds], DROP_ROWS)
    remarks = [
        *table.remarks,
        *sparse.remarks(LEFT_OUT),
        *sparse.scatter(),
        *(() if table.catalogued or not table.labels else _of_target(table)),
    ]
    for line in (*described.table(table), *described.notes(lines(remarks, None))):
        screen.echo(line)


def _of_target(table: Table) -> Iterator[Remark]:
    """What is to be looked at in a target whose labels are classes, which are shown with rows."""
    from gdcurves.datasets.remarks import About, Remark
    from gdcurves.problems import leaks, targets

    if (message := targets.too_many(table)) is not None:
        yield Remark(About.TARGET, message)
        return
    names, y = targets.by_label(table, None)
    doubts = targets.doubts(table, names, y[y >= 0], every_label=True)
    yield from (each for each in doubts if each.kind != About.RARE_CLASS)
    yield from leaks.doubts(table, [*table.kinds], y[y >= 0], y >= 0)


@app.command("fetch")
def fetch(
    names: Annotated[
        list[str], typer.Argument(help="openml:..., uci:..., or names of the list, from OpenML.")
    ],
) -> None:
    """Fetch data sets into the cache; whole copies stay as they are."""
    from gdcurves import datasets

    each(names, lambda name: typer.echo(f"{name}: {datasets.fetch(name)}"))
