"""`gdcurves fitters`: what can stand under `fitters:` in a config."""

from __future__ import annotations

from typing import Any

import typer


def fitters() -> None:
    """List the types of fitters, with their options and the options' defaults."""
    from gdcurves.compute.versions import of_packages
    from gdcurves.fitters import REGISTRY
    from gdcurves.plugins import package_of

    for name, fitter in REGISTRY.items():
        inputs = " and ".join(sorted(fitter.needs.kinds))
        needed = [key for key, field in fitter.model_fields.items() if field.is_required()]
        example: dict[str, Any] = dict.fromkeys(needed, "...")
        given = fitter.model_construct(**example).model_dump()
        options = ", ".join(f"{key}={value}" for key, value in given.items())
        package = package_of(fitter)
        origin = "" if package is None else f"; from {package} {of_packages([package])[package]}"
        typer.echo(
            f"{name}: {fitter.summary}; {inputs} inputs; options: {options or 'none'}{origin}"
        )
