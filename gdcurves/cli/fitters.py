"""`gdcurves fitters`: what can stand under `fitters:` in a config."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from gdcurves.cli import output
from gdcurves.cli.output import AsJson

if TYPE_CHECKING:
    from gdcurves.fitters.base import Fitter
    from gdcurves.report.told import FitterTold


def fitters(as_json: AsJson = False) -> None:
    """List the types of fitters, with their options and the options' defaults.

    For instance:

      gdcurves fitters
    """
    from gdcurves.fitters import REGISTRY
    from gdcurves.report.told import FittersTold

    known = [_told(name, fitter) for name, fitter in REGISTRY.items()]
    if as_json:
        output.show(FittersTold(fitters=known))
    for each in known if not as_json else ():
        options = ", ".join(f"{key}={value}" for key, value in each.options.items())
        origin = "" if each.package is None else f"; from {each.package}"
        typer.echo(
            f"{each.name}: {each.summary}; {' and '.join(each.inputs)} inputs;"
            f" options: {options or 'none'}{origin}"
        )


def _told(name: str, fitter: type[Fitter]) -> FitterTold:
    from gdcurves.compute.versions import of_packages
    from gdcurves.plugins import package_of
    from gdcurves.report.told import FitterTold

    needed = [key for key, field in fitter.model_fields.items() if field.is_required()]
    example: dict[str, Any] = dict.fromkeys(needed, "...")
    package = package_of(fitter)
    return FitterTold(
        name=name,
        summary=fitter.summary,
        inputs=sorted(fitter.needs.kinds),
        options=fitter.model_construct(**example).model_dump(),
        package=package and f"{package} {of_packages([package])[package]}",
    )
