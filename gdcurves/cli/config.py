"""`gdcurves config`: draft a config, check one, and its JSON schema."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gdcurves.cli import output, screen
from gdcurves.cli.datasets import Offline
from gdcurves.cli.drafting import Drafting
from gdcurves.cli.figures import check_figure
from gdcurves.cli.options import (
    Allowed,
    ClassesOf,
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
    NoHeader,
    Rescaled,
    Sheet,
    Sizes,
    Stratified,
    Target,
    Thousands,
)
from gdcurves.cli.output import AsJson, Quiet, Say
from gdcurves.errors import UserError
from gdcurves.words import counted

if TYPE_CHECKING:
    from gdcurves.report.told import ConfigTold

app = typer.Typer(
    name="config",
    help="Config files: draft one for data, check one, print the JSON schema.",
    no_args_is_help=True,
    rich_markup_mode=screen.markup(),
)


@app.command("init")
def init(
    context: typer.Context,
    data: Annotated[str, typer.Argument(help="A file, openml:..., uci:..., or a catalogue name.")],
    target: Target = None,
    threshold: Cut = None,
    classes: ClassesOf = None,
    fitters: Fitters = None,
    allow: Allowed = None,
    sizes: Sizes = None,
    drop: Drop = None,
    groups: Groups = None,
    continuous: Continuous = None,
    discrete: Discrete = None,
    encoding: Encoding = None,
    sheet: Sheet = None,
    no_header: NoHeader = False,
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
    """Print a config for data, to be changed and run, or write it into a new file.

    For instance:

      gdcurves config init patients.csv --target diagnosis --out mine.yaml
    """
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
    if not path.parent.is_dir():
        raise UserError(f"--out {path}: there is no folder {path.parent}; make it, or name another")
    whole.replace(path, text.encode())


@app.command("check")
def check(
    config: Annotated[str, typer.Argument(metavar="FILE", help="A YAML file.")],
    allow: Allowed = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Check a config and the data at hand, fetching none; say what it would run.

    For instance:

      gdcurves config check mine.yaml
    """
    from gdcurves import datasets, plan
    from gdcurves.config import find, load
    from gdcurves.limits import judges
    from gdcurves.plan import loading
    from gdcurves.report.told import ConfigTold

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
    checked = ConfigTold(
        file=str(document.path),
        experiments=len(planned.experiments),
        splits=planned.config.splits,
        fits=sum(len(each.fitters) * sum(each.n_splits) for each in planned.experiments),
        notes=list(loading.notes(problems)),
        errors={name: str(error) for name, error in broken.items()},
        not_looked_at=[each.name for each in planned.experiments if each not in at_hand],
    )
    if as_json:
        output.show(checked)
    _say(checked, output.silent if as_json or quiet else screen.echo)
    if broken:
        raise typer.Exit(1)


def _say(checked: ConfigTold, say: Say) -> None:
    """Say what was found in a config."""
    for note in checked.notes:
        say(f"Note: {note}")
    for name, error in checked.errors.items():
        typer.echo(f"Error: {name}: {error}", err=True)
    if checked.not_looked_at:
        say(f"Data that would be fetched were not looked at: {', '.join(checked.not_looked_at)}")
    if not checked.errors:
        say(
            f"{checked.file}: no mistakes; {counted(checked.experiments, 'experiment')},"
            f" {counted(checked.splits, 'split')}, {counted(checked.fits, 'fit')}"
        )


@app.command("schema")
def schema() -> None:
    """Print the JSON schema of configs, with the options of every fitter, for editors.

    For instance:

      gdcurves config schema > config.json
    """
    from gdcurves.cli import schema

    typer.echo(json.dumps(schema.schema(), indent=2))
