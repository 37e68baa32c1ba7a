"""`gdcurves run`: compute the learning curves of a config."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from gdcurves.cli import screen, typed
from gdcurves.cli.backends import chosen
from gdcurves.cli.datasets import Offline
from gdcurves.cli.drafting import Drafting
from gdcurves.cli.ended import Ended, tell_part
from gdcurves.cli.figures import check_figure
from gdcurves.cli.names import names
from gdcurves.cli.options import (
    Allowed,
    ClassesOf,
    ConfigIfAny,
    Continuous,
    Cut,
    Data,
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
from gdcurves.cli.output import AsJson, Quiet
from gdcurves.cli.runs import Measure
from gdcurves.errors import RunError, UserError


def _share(text: str) -> float:
    """Read a number from 0 to 1, or so many per cent; raises UserError."""
    from gdcurves.plan.asked import check_share

    number, per_cent, rest = text.strip().partition("%")
    try:
        value = float(number) / (100 if per_cent else 1)
    except ValueError:
        value = float("nan")
    check_share(float("nan") if rest else value, text)
    return value


def run(
    context: typer.Context,
    config: ConfigIfAny = None,
    data: Data = None,
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
    measure: Measure = None,
    target_error: Annotated[
        float | None,
        typer.Option(
            metavar="E",
            parser=_share,
            help="Tell how many training rows would bring the error down to this.",
            show_default="none",
        ),
    ] = None,
    more_rows: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            help="Tell what so many more training rows, or groups, would bring.",
            show_default="twice as many",
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="Folder for the results.", show_default="results/<config's name>"
        ),
    ] = None,
    splits: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            max=10_000_000,
            help="Random splits at every size.",
            show_default="the file's",
        ),
    ] = None,
    only: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="Only this experiment; repeat it, or write a,b.",
            show_default="all",
        ),
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option(
            metavar="N", min=1, help="Worker processes.", show_default="one per usable CPU"
        ),
    ] = None,
    data_dir: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            exists=True,
            file_okay=False,
            help="Folder of ARFF or CSV files; data sets found there are taken from it.",
        ),
    ] = None,
    source: Annotated[
        Literal["packaged", "openml"], typer.Option(help="Where the other data sets come from.")
    ] = "packaged",
    offline: Offline = False,
    backend: Annotated[
        Literal["local", "dask"],
        typer.Option(help="What computes: processes of this machine, or a Dask cluster."),
    ] = "local",
    scheduler: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS", help="The cluster's scheduler, tcp://host:port.", show_default="none"
        ),
    ] = None,
    with_report: Annotated[
        bool,
        typer.Option("--report", help="Write report.html too: all of it in one file."),
    ] = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
    shard: Annotated[
        str | None,
        typer.Option(
            metavar="I/N",
            help="Compute the I-th of N parts, as a job of an array; --resume makes the tables.",
            show_default="all",
        ),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the run that is in the folder, if any.")
    ] = False,
    fresh: Annotated[
        bool,
        typer.Option("--fresh", help="Replace the run of this name that is in the folder, if any."),
    ] = False,
) -> None:
    """Compute the learning curves of a config, or of data without one; options override the file.

    With --data: Gaussian naive Bayes, logistic regression with a penalty and the largest class, at
    sizes that fit the data, and the figure.

    For instance:

      gdcurves run --data patients.csv --target diagnosis

      gdcurves run --data patients.csv --target weight --threshold median --drop id

      gdcurves run --config ng_jordan.yaml --splits 100 --out results/quick
    """
    from gdcurves.config import find, load
    from gdcurves.store import folder

    if resume and fresh:
        raise UserError("--resume and --fresh exclude each other; give one of them")
    part = None if shard is None else typed.part(shard)
    if part is not None and (fresh or with_report):
        raise UserError("--shard computes a part: leave --fresh and --report to the whole run")
    if context.args:
        raise UserError(typed.with_option(context.args, context.params))
    if (config is None) == (data is None):
        raise UserError("give either --config FILE or --data DATA --target COLUMN")
    folder.writable((out or Path("results")).expanduser())
    drafting = Drafting.of(context.params)
    if config is not None:
        if drafting.misplaced:
            raise UserError(
                f"{drafting.misplaced} goes with --data; a config has keys for such things"
            )
        document = load(find(config))
    else:
        document = drafting.document()
        for line in drafting.understood(splits) if not quiet else ():
            screen.echo(line, err=as_json)
        if not quiet:
            typer.echo(f"To change this: {drafting.instead}", err=as_json)

    from rich.console import Console

    from gdcurves import plan
    from gdcurves.run import display, runner

    check_figure(document)
    planned = plan.make(
        document, names(only or []), splits, measure, target_error, more_rows, allow or ()
    )
    if data is not None:
        planned = drafting.made.noted(planned)
    name = document.path.stem
    results = (out or Path("results") / name).expanduser()
    console = Console(stderr=True, quiet=quiet)

    def say(line: str) -> None:
        console.print(
            screen.wrapped(line, screen.width(err=True)),
            soft_wrap=True,
            highlight=False,
            markup=False,
        )

    try:
        with chosen(backend, jobs, scheduler, say) as compute, display.display(console) as show:
            summary = runner.run(
                planned,
                results,
                name=name,
                mode="resume" if resume or part else "fresh" if fresh else "new",
                source=source,
                data_dir=data_dir,
                offline=offline,
                part=part,
                compute=compute,
                progress=show,
                say=say,
            )
    except KeyboardInterrupt as stop:
        stop.add_note(f"what was done is kept; resume with: {typed.resuming()}")
        raise
    except RunError as error:
        raise RunError(f"{error}; resume with: {typed.resuming()}") from None
    if part is not None:
        tell_part(part, results, summary, as_json, quiet)
        return
    ended = Ended(results, summary, drafting if data is not None else None, with_report)
    ended.tell(as_json, quiet, advising=not (stratified or sizes))
