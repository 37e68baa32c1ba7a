"""`gdcurves run`: compute the learning curves of a config."""

from __future__ import annotations

import shlex
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from gdcurves.cli.config import Cut, Target, check_figure, number
from gdcurves.cli.datasets import Offline
from gdcurves.errors import RunError, UserError

if TYPE_CHECKING:
    from gdcurves.config import Document
    from gdcurves.problems.targets import Threshold
    from gdcurves.run.runner import Compute


def run(
    config: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", help="A YAML file, or the name of a config shipped with gdcurves."
        ),
    ] = None,
    data: Annotated[
        str | None,
        typer.Option(
            metavar="DATA",
            help="Instead of a config: a file, openml:ID, openml:NAME, uci:ID or catalogue name.",
        ),
    ] = None,
    target: Target = None,
    threshold: Cut = None,
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
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the run that is in the folder, if any.")
    ] = False,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Replace the run that is in the folder, if any.")
    ] = False,
) -> None:
    """Compute the learning curves of a config, or of data without one; options override the file.

    With --data: naive Bayes and logistic regression at sizes that fit the data, and the figure.
    """
    from gdcurves.config import find, load

    if resume and fresh:
        raise UserError("--resume and --fresh exclude each other; give one of them")
    if (config is None) == (data is None):
        raise UserError("give either --config FILE or --data DATA --target COLUMN")
    if config is not None and (target is not None or threshold is not None):
        raise UserError("--target and --threshold go with --data; a config has keys for them")
    if config is not None:
        document = load(find(config))
    else:
        assert data is not None
        document = _drafted(data, target, number(threshold), source, offline)

    from rich.console import Console

    from gdcurves import plan, plots, report
    from gdcurves.cli import progress
    from gdcurves.run import reading, runner

    check_figure(document)
    planned = plan.make(document, _names(only or ()), splits)
    name = document.path.stem
    folder = (out or Path("results") / name).expanduser()
    console = Console(stderr=True)

    def say(line: str) -> None:
        console.print(line, soft_wrap=True, highlight=False, markup=False)

    try:
        with _backend(backend, jobs, scheduler, say) as compute, progress.display(console) as show:
            summary = runner.run(
                planned,
                folder,
                name=name,
                mode="resume" if resume else "fresh" if fresh else "new",
                source=source,
                data_dir=data_dir,
                offline=offline,
                compute=compute,
                progress=show,
                say=say,
            )
    except KeyboardInterrupt as stop:
        stop.add_note(f"what was done is kept; resume with: {_resuming()}")
        raise
    except RunError as error:
        raise RunError(f"{error}; resume with: {_resuming()}") from None
    console = Console(highlight=False)
    console.print(report.summary(reading.read_run(folder), console.width), crop=False)
    if summary.failed:
        typer.echo(f"To try what failed once more: {_resuming()}")
        raise typer.Exit(1)
    if data is None:
        typer.echo(f"Next: gdcurves plot {shlex.quote(str(folder))}")
    else:
        for file in plots.draw(reading.read_run(folder)):
            typer.echo(f"Figure: {file}")


def _drafted(
    data: str, target: str | None, threshold: Threshold | None, source: str, offline: bool
) -> Document:
    """Draft a config for data, and say what was understood of them."""
    from gdcurves.cli import described
    from gdcurves.config import load_text
    from gdcurves.datasets import Request
    from gdcurves.plan import draft

    request = Request(data, target, numeric_target=threshold is not None)
    made = draft.make(request, threshold, source, offline)
    instead = f"{_init(data, target, threshold)} > {made.name}.yaml"
    if made.refusal is not None:
        texts, unclear = (
            ", ".join(map(repr, each)) for each in (made.missing_texts, made.table.refused)
        )
        has = [f"with {texts} in 'missing_texts'"] if texts else []
        has += [f"without {unclear if texts else 'it'}"] if unclear else []
        raise UserError(f"{made.refusal}; or start from a config {' and '.join(has)}: {instead}")
    for line in (
        *described.table(made.table),
        *described.problem(made.problem, made.table),
        *described.notes(made.notes),
    ):
        typer.echo(line)
    typer.echo(f"  sizes       {', '.join(map(str, made.sizes))}")
    typer.echo(f"To change this: {instead}")
    return load_text(made.text, Path(f"{made.name}.yaml"))


def _init(data: str, target: str | None, threshold: Threshold | None) -> str:
    options = [] if target is None else ["--target", target]
    options += [] if threshold is None else ["--threshold", str(threshold)]
    return shlex.join(["gdcurves", "config", "init", data, *options])


@contextmanager
def _backend(
    backend: str, jobs: int | None, scheduler: str | None, say: Callable[[str], None]
) -> Iterator[Compute]:
    """Return what computes tasks: processes of this machine, or the workers of a cluster."""
    if (backend == "dask") != (scheduler is not None):
        raise UserError("--backend dask and --scheduler tcp://host:port go together; give both")
    if scheduler is None:
        import joblib

        from gdcurves.compute import local

        yield partial(local.run, jobs=jobs or joblib.cpu_count())
        return
    if jobs is not None:
        raise UserError("--jobs is for processes of this machine; leave it out with --backend dask")
    try:
        from gdcurves.compute import cluster
    except ImportError as error:
        raise UserError(
            f"--backend dask: {error}; install what it needs: pip install 'gdcurves[dask]'"
        ) from None
    with cluster.connected(scheduler, say) as compute:
        yield compute


def _resuming() -> str:
    """Return the command that goes on with the run which this one began."""
    program = Path(sys.argv[0])
    if program.name == "__main__.py":
        words = [sys.executable, "-m", "gdcurves"]
    else:
        installed = shutil.which(program.name)
        same = installed is not None and program.exists() and program.samefile(installed)
        words = [program.name if same else str(program)]
    options = [each for each in sys.argv[1:] if each not in ("--fresh", "--resume")]
    return shlex.join([*words, *options, "--resume"])


def _names(only: Sequence[str]) -> list[str]:
    """Split the values of `--only` at commas; spaces around a name are no part of it."""
    return [name.strip() for value in only for name in value.split(",")]
