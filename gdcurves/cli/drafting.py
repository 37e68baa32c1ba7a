"""Configs drafted for data: what options say of them, and what was understood."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import typer

from gdcurves.cli.figures import check_option
from gdcurves.cli.names import names, source
from gdcurves.errors import MisfitError, UserError
from gdcurves.words import quoted, suggest

if TYPE_CHECKING:
    from gdcurves.config import Document
    from gdcurves.config.reading import Mark, Missing, Rescale, Threshold
    from gdcurves.datasets import Request
    from gdcurves.plan.draft import Draft


@dataclass(frozen=True)
class Drafting:
    """Data, and what options say of them, as on the command line; None where they say nothing.

    `source` and `offline` are where data come from, see `datasets.load`.
    """

    data: str
    target: str | None = None
    threshold: str | None = None
    fitters: str | None = None
    allow: Sequence[str] | None = None
    sizes: str | None = None
    drop: Sequence[str] | None = None
    continuous: Sequence[str] | None = None
    discrete: Sequence[str] | None = None
    encoding: str | None = None
    sheet: str | None = None
    missing: Sequence[str] | None = None
    missing_text: Sequence[str] | None = None
    decimal: Mark | None = None
    thousands: Mark | None = None
    rescale: Rescale | None = None
    stratified: bool = False
    figure: str | None = None
    groups: Sequence[str] | None = None
    source: str = "packaged"
    offline: bool = False

    @classmethod
    def of(cls, params: Mapping[str, Any]) -> Drafting:
        """Take those of a command's parameters that say something of data, by their names."""
        known = {each.name: params[each.name] for each in fields(cls) if each.name in params}
        return cls(**{**known, "data": source(params["data"] or "")})

    @property
    def given(self) -> list[str]:
        """The words of the options that were given, but for where data come from."""
        words: list[str] = []
        for each in fields(self):
            value = getattr(self, each.name)
            if each.name in ("data", "source", "offline") or value in (None, False):
                continue
            option = f"--{each.name.replace('_', '-')}"
            if value is True:
                words.append(option)
            else:
                texts = [value] if isinstance(value, str) else value
                words += [word for text in texts for word in (option, text)]
        return words

    @property
    def misplaced(self) -> str | None:
        """The first option that was given and says something of data; None for none."""
        return next((word for word in self.given if word[:2] == "--" and word != "--allow"), None)

    @property
    def _cut(self) -> Threshold | None:
        return _number(self.threshold)

    @property
    def request(self) -> Request:
        """Where the data are and how to read them; raises UserError."""
        from gdcurves.config.reading import MISSING_TEXTS
        from gdcurves.datasets import Request

        return Request(
            self.data,
            self.target,
            continuous=tuple(names(self.continuous or ())),
            discrete=tuple(names(self.discrete or ())),
            drop=tuple(names(self.drop or ())),
            missing_texts=(*MISSING_TEXTS, *(self.missing_text or ())),
            numeric_target=self._cut not in (None, "none"),
            groups=tuple(names(self.groups or ())),
            decimal=_decimal_mark(self.decimal, self.thousands),
            encoding=self.encoding,
            sheet=self.sheet,
        )

    @cached_property
    def made(self) -> Draft:
        """The draft; raises UserError."""
        from gdcurves.plan import choice, draft

        check_option(self.figure)
        chosen = choice.USUAL if self.fitters is None else names([self.fitters])
        options = draft.Options(
            None if self.sizes is None else _sizes(self.sizes),
            None if self.missing is None else _missing(self.missing),
            self.rescale,
            self.stratified,
            self.figure,
        )
        try:
            return draft.make(
                self.request,
                self._cut,
                self.source,
                self.offline,
                choice.choose(chosen, self.allow or ()),
                options,
            )
        except MisfitError as error:
            raise self._with_quotes(error) from None

    def _with_quotes(self, error: MisfitError) -> UserError:
        """Return an error about names with a word on those that hold a comma, if some may."""
        split = [
            value
            for key in error.keys[:1]
            if key in ("drop", "continuous", "discrete", "groups")
            for value in getattr(self, str(key)) or ()
            if "," in value and not value.startswith('"')
        ]
        if not split:
            return error
        option = shlex.join([f"--{error.keys[0]}", quoted(split[0])])
        return UserError(f"{error}; a name that holds a comma stands in double quotes: {option}")

    @property
    def instead(self) -> str:
        """The command that writes the draft into a file."""
        command = shlex.join(["gdcurves", "config", "init", self.data, *self.given])
        return f"{command} --out {self.made.name}.yaml"

    @property
    def advised(self) -> list[tuple[str, ...]]:
        """Options that notes advise, each with its words, but on columns that are dropped."""
        dropped = names(self.drop or ())
        advised = [each.options for each in self.made.table.remarks if each.options]
        return [words for words in advised if words[-1] not in dropped]

    @staticmethod
    def _without(columns: Iterable[str]) -> str:
        """The options that leave columns out."""
        return shlex.join(word for column in columns for word in ("--drop", quoted(column)))

    def document(self, splits: int | None) -> Document:
        """The draft as a config to be run, after a word about what was understood of the data.

        `splits` is how many are run, where it is another number than the draft's.

        Raises UserError where they cannot be used without a config of the user's own.
        """
        from gdcurves.cli import described, screen
        from gdcurves.config import load_text

        made = self.made
        if made.refusal is not None:
            raise UserError(
                f"{made.refusal}; to go on without: {self._without(made.table.refused)}; or start"
                f" from a config without it: {self.instead}"
            )
        for line in (
            *described.table(made.table),
            *described.problem(made.problem, made.table),
            *described.notes(made.notes),
            *described.work(made, splits or made.effort.splits),
        ):
            screen.echo(line)
        typer.echo(f"To change this: {self.instead}")
        return load_text(made.text, Path(f"{made.name}.yaml"))


def _sizes(text: str) -> tuple[int, ...]:
    """Read training sizes as written on the command line; raises UserError."""
    ranged = ":" in text
    parts = text.split(":" if ranged else ",")
    if not all(part.strip().isdecimal() for part in parts) or (ranged and len(parts) != 3):
        raise UserError(f"--sizes {text}: write whole numbers a,b,... or START:STOP:STEP")
    numbers = [int(part) for part in parts]
    if ranged:
        start, stop, step = numbers
        numbers = list(range(start, stop + 1, max(step, 1)))
    if not numbers or numbers[0] < 2 or numbers != sorted(set(numbers)):
        raise UserError(f"--sizes {text}: write each size once, in order, from 2 on")
    return tuple(numbers)


def _decimal_mark(decimal: Mark | None, thousands: Mark | None) -> Mark | None:
    """Return what stands before decimals; raises UserError."""
    from gdcurves.config.reading import decimal_of

    if decimal is not None and decimal == thousands:
        raise UserError(f"--decimal {decimal} and --thousands {thousands} exclude each other")
    return decimal_of(decimal, thousands)


def _missing(rules: Sequence[str]) -> Missing:
    """Read what becomes of missing values; raises UserError."""
    from gdcurves.config.reading import RULES, Missing

    words, rule = names(rules), ",".join(rules)
    for word in words:
        if word not in RULES:
            raise UserError(f"--missing {rule}: {suggest(word, RULES)}")
    keys = [key for word in words for key in RULES[word]]
    if len(keys) != len(set(keys)) or ("drop_rows" in words and len(keys) == len(RULES["error"])):
        raise UserError(
            f"--missing {rule}: these exclude each other; give one of them; mean, or level, drops"
            " the rows of what it does not fill, and mean,level goes together"
        )
    return Missing.model_validate(
        {key: each for word in words for key, each in RULES[word].items()}
    )


def _number(threshold: str | None) -> Threshold | None:
    """Return a threshold as written on the command line; raises UserError."""
    if threshold in (None, "median", "none"):
        return cast("Threshold | None", threshold)
    try:
        value = float(threshold)
    except ValueError:
        value = float("nan")
    if value - value != 0:
        raise UserError(f"--threshold {threshold}: write median, a number, or none")
    return value
