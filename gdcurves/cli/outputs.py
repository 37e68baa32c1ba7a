"""`gdcurves schema`: what `--json` prints."""

from __future__ import annotations

import json

import typer


def schema() -> None:
    """Print the JSON schema of what --json prints, of all commands that have it.

    For instance:

      gdcurves schema > answers.json
    """
    from gdcurves.report import told

    typer.echo(json.dumps(told.schema(), indent=2))
