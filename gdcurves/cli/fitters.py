"""`gdcurves fitters`: what can stand under `fitters:` in a config."""

from __future__ import annotations

import typer


def fitters() -> None:
    """List the types of fitters, with their options and the options' defaults."""
    from gdcurves.fitters import REGISTRY

    for name, fitter in REGISTRY.items():
        inputs = " and ".join(sorted(fitter.needs.kinds))
        options = ", ".join(f"{key}={value}" for key, value in fitter().model_dump().items())
        typer.echo(f"{name}: {fitter.summary}; {inputs} inputs; options: {options or 'none'}")
