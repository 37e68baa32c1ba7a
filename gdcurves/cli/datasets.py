"""`gdcurves datasets`: what data there are, what is in them, and copies for work offline."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from gdcurves.cli import output, screen
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
    NoHeader,
    Sheet,
    Thousands,
)
from gdcurves.cli.output import AsJson, Quiet

if TYPE_CHECKING:
    from gdcurves.datasets import Table
    from gdcurves.datasets.remarks import Remark

app = typer.Typer(
    name="datasets",
    help="Data sets: list them, show what is in one, fetch copies.",
    no_args_is_help=True,
    rich_markup_mode=screen.markup(),
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
def list_all(as_json: AsJson = False) -> None:
    """List the data sets of the catalogue, and what the cache holds.

    For instance:

      gdcurves datasets list
    """
    from gdcurves.datasets import CATALOGUE
    from gdcurves.datasets.sources import cache, packaged
    from gdcurves.report.told import DatasetsTold, Listed

    known = []
    for spec in CATALOGUE.values():
        kinds = list(spec.columns.values())
        known.append(
            Listed(
                name=spec.name,
                title=spec.title,
                rows=packaged.n_rows(spec) if spec.packaged_from else spec.n_rows,
                rows_in_all=spec.n_rows,
                continuous=kinds.count("continuous"),
                discrete=kinds.count("discrete"),
                target=spec.target,
                source="packaged" if spec.packaged_from else f"openml:{spec.openml_id}",
            )
        )
    cached = {name: str(entry) for name, entry in cache.entries()}
    if as_json:
        output.show(DatasetsTold(datasets=known, cached=cached))
        return
    for one in known:
        part = f" of {one.rows_in_all:,}" if one.rows < one.rows_in_all else ""
        source = one.source if one.source == "packaged" else f"from {one.source}"
        typer.echo(
            f"{one.name}: {one.title}; {one.rows:,}{part} rows; {one.continuous} continuous,"
            f" {one.discrete} discrete inputs; target {one.target}; {source}"
        )
    for name, entry in cached.items():
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
    no_header: NoHeader = False,
    source: Source = "packaged",
    data_dir: DataDir = None,
    offline: Offline = False,
    as_json: AsJson = False,
) -> None:
    """Show rows, columns by kind, classes, missing values, source, licence and hash.

    For instance:

      gdcurves datasets show patients.csv --target diagnosis
    """
    from gdcurves import datasets
    from gdcurves.config.reading import DROP_ROWS
    from gdcurves.datasets.remarks import lines
    from gdcurves.plan import draft
    from gdcurves.plan.draft import LEFT_OUT
    from gdcurves.problems.problem import WITHOUT
    from gdcurves.problems.sparse import Sparse
    from gdcurves.report import described, telling

    asked = Drafting.of({**context.params, "data": name})
    table = datasets.look(asked.request, source, data_dir, offline=offline)
    sparse = Sparse.of(table, [*table.kinds], DROP_ROWS)
    left_out = draft.left_out(table, sparse, asked.request)
    features = [name for name in table.kinds if name not in left_out]
    remarks = [
        *table.remarks,
        *sparse.remarks(LEFT_OUT if left_out else WITHOUT),
        *sparse.scatter(),
        *(() if table.catalogued or not table.labels else _of_target(table, features)),
    ]
    notes = lines(remarks, None)
    if as_json:
        output.show(telling.of_table(table, notes))
        return
    for line in (*described.table(table), *described.notes(notes)):
        screen.echo(line)


def _of_target(table: Table, features: Sequence[str]) -> Iterator[Remark]:
    """What is to be looked at in a target whose labels are classes, which are shown with rows.

    Of the inputs that a run has.
    """
    from gdcurves.datasets.remarks import About, Remark
    from gdcurves.problems import leaks, targets

    if (message := targets.too_many(table)) is not None:
        yield Remark(About.TARGET, message)
        return
    names, y = targets.by_label(table, None)
    doubts = targets.doubts(table, names, y[y >= 0], every_label=True)
    yield from (each for each in doubts if each.kind != About.RARE_CLASS)
    yield from leaks.doubts(table, features, y[y >= 0], y >= 0, names)


@app.command("fetch")
def fetch(
    names: Annotated[
        list[str], typer.Argument(help="openml:..., uci:..., or names of the list, from OpenML.")
    ],
    quiet: Quiet = False,
) -> None:
    """Fetch data sets into the cache; whole copies stay as they are.

    For instance:

      gdcurves datasets fetch openml:31
    """
    from gdcurves import datasets

    say = output.silent if quiet else typer.echo
    each(names, lambda name: say(f"{name}: {datasets.fetch(name)}"))
