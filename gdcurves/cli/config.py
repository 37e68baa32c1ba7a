"""`gdcurves config`: draft a config, check one, and its JSON schema."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from gdcurves.cli import screen
from gdcurves.cli.datasets import Offline
from gdcurves.cli.drafting import Drafting
from gdcurves.cli.figures import check_figure
from gdcurves.cli.options import (
    Allowed,
    Continuous,
    Cut,
    Decimal,
    Discrete,
    Drop,
    Encoding,
    FigureName,
    Fitters,
    Groups,
    MissingRule,
    MissingText,
    Rescaled,
    Sheet,
    Sizes,
    Stratified,
    Target,
    Thousands,
)
from gdcurves.errors import UserError
from gdcurves.words import counted

app = typer.Typer(
    name="config",
    help="Config files: draft one for data, check one, print the JSON schema.",
    no_args_is_help=True,
)


@app.command("init")
def init(
    context: typer.Context,
    data: Annotated[str, typer.Argument(help="A file, openml:..., uci:..., or a catalogue name.")],
    target: Target = None,
    threshold: Cut = None,
    fitters: Fitters = None,
    allow: Allowed = None,
    sizes: Sizes = None,
    drop: Drop = None,
    groups: Groups = None,
    continuous: Continuous = None,
    discrete: Discrete = None,
    encoding: Encoding = None,
    sheet: Sheet = None,
    missing: MissingRule = None,
    missing_text: MissingText = None,
    decimal: Decimal = None,
    thousands: Thousands = None,
    rescale: Rescaled = None,
    stratified: Stratified = False,
    figure: FigureName = None,
    offline: Offline = False,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="A new file for it; none is left where there is none."),
    ] = None,
) -> None:
    """Print a config for data, to be changed and run, or write it into a new file."""
    made = Drafting.of(context.params).made
    if out is None:
        typer.echo(made.text, nl=False)
    else:
        _write_new(out.expanduser(), made.text)
    left_out = [f"left out: {error}" for error in made.table.refused.values()]
    for note in (*left_out, *made.notes):
        screen.echo(f"Note: {note}", err=True)


def _write_new(path: Path, text: str) -> None:
    """Write a file that there is not yet; raises UserError."""
    from gdcurves.store import whole

    if path.exists():
        raise UserError(f"--out {path}: is there already; name another file, or remove this one")
    whole.replace(path, text.encode())


@app.command("check")
def check(
    config: Annotated[str, typer.Argument(metavar="FILE", help="A YAML file.")],
    allow: Allowed = None,
) -> None:
    """Check a config and the data at hand, fetching none; say what it would run."""
    from gdcurves import datasets, plan
    from gdcurves.config import find, load
    from gdcurves.limits import judges
    from gdcurves.plan import loading

    document = load(find(config))
    check_figure(document)
    planned = plan.make(document, allowed=allow or ())
    judges.check(planned.experiments, planned.config.measures)
    at_hand = [
        each
        for each in planned.experiments
        if each.request is None or datasets.at_hand(each.request.data)
    ]
    problems, broken = loading.load(replace(planned, experiments=tuple(at_hand)), "packaged", None)
    for note in loading.notes(problems):
        screen.echo(f"Note: {note}")
    for name, error in broken.items():
        typer.echo(f"Error: {name}: {error}", err=True)
    absent = [each.name for each in planned.experiments if each not in at_hand]
    if absent:
        typer.echo(f"Data that would be fetched were not looked at: {', '.join(absent)}")
    if broken:
        raise typer.Exit(1)
    n_fits = sum(len(each.fitters) * sum(each.n_splits) for each in planned.experiments)
    typer.echo(
        f"{document.path}: no mistakes; {counted(len(planned.experiments), 'experiment')},"
        f" {counted(planned.config.splits, 'split')}, {counted(n_fits, 'fit')}"
    )


@app.command("schema")
def schema() -> None:
    """Print the JSON schema of configs, with the options of every fitter, for editors."""
    from gdcurves.cli import schema

    typer.echo(json.dumps(schema.schema(), indent=2))
