"""`gdcurves theory`: what the papers prove, with numbers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gdcurves.cli import output, typed
from gdcurves.cli.datasets import DataDir, Offline
from gdcurves.cli.drafting import Drafting
from gdcurves.cli.options import (
    ClassesOf,
    ConfigIfAny,
    Continuous,
    Cut,
    Data,
    Decimal,
    Discrete,
    Drop,
    Encoding,
    MissingRule,
    MissingText,
    NoHeader,
    Rescaled,
    Sheet,
    Target,
    Thousands,
)
from gdcurves.cli.output import AsJson, Quiet
from gdcurves.errors import UserError, unwritable

if TYPE_CHECKING:
    from rich.console import Console

    from gdcurves.theory.asked import Asked
    from gdcurves.theory.table import Theory

AROUND = 2  # lines around what is said of an experiment, and around it all


def theory(
    context: typer.Context,
    config: ConfigIfAny = None,
    data: Data = None,
    tau: Annotated[
        str | None,
        typer.Option(metavar="a,b,...", help="Of G(tau).", show_default="0,0.01,...,1"),
    ] = None,
    m: Annotated[
        str | None,
        typer.Option(
            "--m",
            metavar="a,b,...",
            help="Training rows, of Theorem 4's bound.",
            show_default="the config's sizes, and up to a million",
        ),
    ] = None,
    epsilon1: Annotated[
        str,
        typer.Option(metavar="a,b,...", help="Of Lemma 3: how near estimates are to come."),
    ] = "0.1",
    epsilon0: Annotated[
        str,
        typer.Option(
            metavar="a,b,...", help="Of Proposition 2: how near to the least error to come."
        ),
    ] = "0.5,0.4,0.3,0.25,0.2,0.15,0.1,0.07,0.05",
    delta: Annotated[
        float, typer.Option(metavar="P", help="Probability with which bounds may fail.")
    ] = 0.05,
    target: Target = None,
    threshold: Cut = None,
    classes: ClassesOf = None,
    drop: Drop = None,
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
    data_dir: DataDir = None,
    offline: Offline = False,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="Folder for theory.csv.", show_default="results/<config's name>"
        ),
    ] = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Compute what Ng & Jordan and Efron prove of laws, with numbers: bounds, and what holds.

    Of data, alpha and G alone, with naive Bayes fitted to all rows.

    For instance:

      gdcurves theory --config proposition1.yaml
    """
    if (config is None) == (data is None):
        raise UserError("give either --config FILE or --data DATA --target COLUMN")
    asked = _asked(tau, m, epsilon1, epsilon0, delta)
    if data is not None:
        made = Drafting.of(context.params).made
        from gdcurves.theory import table

        of_data = table.of_problem(made.problem, asked)
        _say(of_data, _put(of_data, made.name, out), as_json, quiet)
        return
    drafting = Drafting.of({**context.params, "data": ""})
    if drafting.misplaced:
        raise UserError(f"{drafting.misplaced} goes with --data; a config has keys for such things")
    assert config is not None, "one of the two is given"
    of_config, name = _of_config(config, asked, data_dir, offline)
    _say(of_config, _put(of_config, name, out), as_json, quiet)


def _of_config(
    config: str, asked: Asked, data_dir: Path | None, offline: bool
) -> tuple[Theory, str]:
    """The theory of a config's experiments, and the name of the config."""
    from dataclasses import replace

    from gdcurves import plan
    from gdcurves.config import find, load
    from gdcurves.plan import loading
    from gdcurves.theory import table

    document = load(find(config))
    planned = plan.make(document)
    read = tuple(each for each in planned.experiments if each.simulation is None)
    from_data = replace(planned, experiments=read)
    problems, absent = loading.load(from_data, "packaged", data_dir, offline)
    made = table.of_plan(planned, problems, asked)
    missing = {name: str(error) for name, error in absent.items()}
    return replace(made, without={**made.without, **missing}), document.path.stem


def _put(made: Theory, name: str, out: Path | None) -> Path:
    """Write theory.csv; returns its path."""
    from gdcurves.store import folder
    from gdcurves.theory.columns import TABLE

    directory = (out or Path("results") / name).expanduser()
    folder.check(directory, name, "resume")
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise unwritable(directory, error) from None
    TABLE.write(directory, made.table)
    return directory / TABLE.name


def _say(made: Theory, file: Path, as_json: bool, quiet: bool) -> None:
    """Say what is in theory.csv."""
    from rich.console import Console

    from gdcurves.report import telling
    from gdcurves.report import theory as words
    from gdcurves.words import counted

    if as_json:
        output.show(telling.of_theory(made, [file]))
        return
    console = Console(highlight=False)
    known = list(dict.fromkeys(made.table["experiment"]))
    said = [[*words.sentences(made, each)] for each in known]
    shown = _fitting(console, said) if console.is_terminal else len(said)
    for experiment, sentences in [*zip(known, said, strict=True)][:shown]:
        console.print(words.heading(made.table, experiment), style="bold", markup=False)
        for sentence in sentences:
            console.print(sentence, markup=False, soft_wrap=not console.is_terminal)
        console.print()
    if shown < len(said):
        rest = counted(len(said) - shown, "more experiment")
        console.print(f"{rest}: {typed.again()} | less", markup=False, soft_wrap=True)
    for experiment, why in made.without.items():
        if experiment.partition(", ")[0] not in known:
            console.print(f"{experiment}: {why}", markup=False, soft_wrap=True)
    if not quiet:
        typer.echo(file)


def _fitting(console: Console, said: list[list[str]]) -> int:
    """How many experiments a screen holds, of which these sentences are said; at least one."""
    left = console.height - AROUND
    for number, sentences in enumerate(said):
        left -= AROUND + sum(len(console.render_lines(each, pad=False)) for each in sentences)
        if left < 0:
            return max(number, 1)
    return len(said)


def _asked(tau: str | None, m: str | None, epsilon1: str, epsilon0: str, delta: float) -> Asked:
    """Read the arguments; raises UserError."""
    from gdcurves.theory.asked import TAUS, Asked

    if not 0 < delta < 1:
        raise UserError(f"--delta {delta:g}: write a number between 0 and 1, as 0.05")
    rows = None
    if m is not None:
        numbers = _numbers("--m", m, 1, 1e15)
        if any(each != int(each) for each in numbers):
            raise UserError(f"--m {m}: write whole numbers a,b,...")
        rows = tuple(map(int, numbers))
    return Asked(
        TAUS if tau is None else _numbers("--tau", tau, 0, 1e6),
        rows,
        _numbers("--epsilon1", epsilon1, 1e-3, 1),
        _numbers("--epsilon0", epsilon0, 1e-6, 1),
        delta,
    )


def _numbers(option: str, text: str, least: float, most: float) -> tuple[float, ...]:
    """Read numbers within a range; raises UserError."""
    try:
        numbers = tuple(float(part) for part in text.split(","))
    except ValueError:
        numbers = ()
    if not numbers or not all(least <= each <= most for each in numbers):
        raise UserError(f"{option} {text}: write numbers a,b,... from {least:g} to {most:g}")
    return numbers
