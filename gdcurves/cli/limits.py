"""`gdcurves limits`: what the curves of simulated experiments tend to."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gdcurves.cli import output
from gdcurves.cli.options import ConfigFile
from gdcurves.cli.output import AsJson, Quiet
from gdcurves.errors import UserError, unwritable


def limits(
    config: ConfigFile,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="Folder for limits.csv.", show_default="results/<config's name>"
        ),
    ] = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Compute error and log loss for m to infinity, of every fitter and of the Bayes rule.

    For instance:

      gdcurves limits --config xue_titterington.yaml
    """
    from gdcurves.config import find, load

    document = load(find(config))

    from rich.console import Console

    from gdcurves import plan, report
    from gdcurves.limits.columns import TABLE
    from gdcurves.limits.table import complete
    from gdcurves.report import telling
    from gdcurves.run import near
    from gdcurves.store import contents, folder

    planned = plan.make(document)
    if all(each.simulation is None for each in planned.experiments):
        raise UserError(
            f"{document.path}: no experiment is simulated, and only a known law has limits;"
            " give one the key 'simulate'"
        )
    name = document.path.stem
    directory = (out or Path("results") / name).expanduser()
    folder.check(directory, name, "resume")
    rows, without = complete(planned)
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise unwritable(directory, error) from None
    TABLE.write(directory, rows)
    if (directory / contents.MANIFEST).exists():
        near.put_complexity(directory)
    file = directory / TABLE.name
    if as_json:
        output.show(telling.of_limits(rows, without, [file]))
        return
    console = Console(highlight=False)
    console.print(report.limits(rows, without, console.width), crop=False)
    if not quiet:
        typer.echo(file)
