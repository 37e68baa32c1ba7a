"""Configs drafted for data: what options say of them, and what was understood."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gdcurves.errors import UserError

if TYPE_CHECKING:
    from gdcurves.config import Document
    from gdcurves.plan.draft import Draft
    from gdcurves.problems.targets import Threshold

Target = Annotated[
    str | None,
    typer.Option(metavar="COLUMN", help="The column to predict.", show_default="the source's own"),
]
Cut = Annotated[
    str | None,
    typer.Option(
        metavar="median|NUMBER", help="For a number as target: classes are above it and not."
    ),
]
Fitters = Annotated[
    str | None,
    typer.Option(
        metavar="a,b,...",
        help="Classifiers by their names; or paper, for those of Ng & Jordan.",
        show_default="naive_bayes,penalised_logistic,majority",
    ),
]


@dataclass(frozen=True)
class Drafting:
    """Data, and what options say of them; None where they say nothing.

    Attributes
    ----------
    data, target, threshold, fitters
        As on the command line.
    source, offline
        Where data come from, see `datasets.load`.
    """

    data: str
    target: str | None
    threshold: str | None
    fitters: str | None
    source: str = "packaged"
    offline: bool = False

    @cached_property
    def made(self) -> Draft:
        """The draft; raises UserError."""
        from gdcurves.datasets import Request
        from gdcurves.plan import choice, draft

        cut = _number(self.threshold)
        request = Request(self.data, self.target, numeric_target=cut is not None)
        chosen = choice.USUAL if self.fitters is None else names([self.fitters])
        return draft.make(
            request,
            cut,
            self.source,
            self.offline,
            fitters=choice.choose(chosen),
        )

    @property
    def instead(self) -> str:
        """The command that writes the draft into a file."""
        options = {
            "--target": self.target,
            "--threshold": self.threshold,
            "--fitters": self.fitters,
        }
        words = [
            word for key, value in options.items() if value is not None for word in (key, value)
        ]
        command = shlex.join(["gdcurves", "config", "init", self.data, *words])
        return f"{command} > {self.made.name}.yaml"

    def document(self, splits: int | None) -> Document:
        """The draft as a config to be run, after a word about what was understood of the data.

        `splits` is how many are run, where it is another number than the draft's.

        Raises UserError where they cannot be used without a config of the user's own.
        """
        from gdcurves.cli import described
        from gdcurves.config import load_text

        made = self.made
        if made.refusal is not None:
            raise UserError(f"{made.refusal}; or start from a config without it: {self.instead}")
        for line in (
            *described.table(made.table),
            *described.problem(made.problem, made.table),
            *described.notes(made.notes),
            *described.work(made, splits or made.effort.splits),
        ):
            typer.echo(line)
        typer.echo(f"To change this: {self.instead}")
        return load_text(made.text, Path(f"{made.name}.yaml"))


def names(values: list[str]) -> list[str]:
    """Split values of an option at commas; spaces around a name are no part of it."""
    return [name.strip() for value in values for name in value.split(",")]


def _number(threshold: str | None) -> Threshold | None:
    """Return a threshold as written on the command line; raises UserError."""
    if threshold is None or threshold == "median":
        return "median" if threshold else None
    try:
        value = float(threshold)
    except ValueError:
        value = float("nan")
    if value - value != 0:
        raise UserError(f"--threshold {threshold}: write median or a number")
    return value
