"""Configs drafted for data: what options say of them, and what was understood."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from gdcurves.cli.figures import check_option
from gdcurves.cli.names import names
from gdcurves.errors import MisfitError, UserError
from gdcurves.words import quoted

if TYPE_CHECKING:
    from gdcurves.config import Document
    from gdcurves.config.classes import ClassConfig
    from gdcurves.config.reading import Mark, Rescale, Threshold
    from gdcurves.datasets import Request
    from gdcurves.plan.asked import Asked
    from gdcurves.plan.drafted import Draft


@dataclass(frozen=True)
class Drafting:
    """Data, and what options say of them, as on the command line; None where they say nothing.

    `source` and `offline` are where data come from, see `datasets.load`.
    """

    data: str
    target: str | None = None
    threshold: str | None = None
    classes: str | None = None
    fitters: str | None = None
    allow: Sequence[str] | None = None
    sizes: str | None = None
    drop: Sequence[str] | None = None
    continuous: Sequence[str] | None = None
    discrete: Sequence[str] | None = None
    encoding: str | None = None
    sheet: str | None = None
    no_header: bool = False
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
        from gdcurves.plan.asked import source

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
    def asked(self) -> Asked:
        """What the options say, as values; raises UserError."""
        from gdcurves.plan.asked import Asked

        return Asked(
            self.data,
            self.target,
            threshold=_number(self.threshold),
            classes=None if self.classes is None else _classes(self.classes),
            fitters=None if self.fitters is None else tuple(names([self.fitters])),
            allow=tuple(self.allow or ()),
            sizes=None if self.sizes is None else _sizes(self.sizes),
            drop=tuple(names(self.drop or ())),
            groups=tuple(names(self.groups or ())),
            continuous=tuple(names(self.continuous or ())),
            discrete=tuple(names(self.discrete or ())),
            encoding=self.encoding,
            sheet=self.sheet,
            no_header=self.no_header,
            missing=tuple(names(self.missing)) if self.missing else None,
            missing_text=tuple(self.missing_text or ()),
            decimal=self.decimal,
            thousands=self.thousands,
            rescale=self.rescale,
            stratified=self.stratified,
            figure=self.figure,
            source=self.source,
            offline=self.offline,
        )

    @property
    def request(self) -> Request:
        """Where the data are and how to read them; raises UserError."""
        return self.asked.request

    @cached_property
    def made(self) -> Draft:
        """The draft; raises UserError."""
        check_option(self.figure)
        try:
            return self.asked.draft()
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

    def document(self) -> Document:
        """The draft as a config to be run.

        Raises UserError where data cannot be used without a config of the user's own.
        """
        from gdcurves.config import load_text

        made = self.made
        if made.refusal is not None:
            raise UserError(
                f"{made.refusal}; to go on without: {self._without(made.table.refused)}; or start"
                f" from a config without it: {self.instead}"
            )
        return load_text(made.text, Path(f"{made.name}.yaml"))

    def understood(self, splits: int | None) -> Iterator[str]:
        """Lines about what was understood of the data, and is to be computed.

        `splits` is how many are run, where it is another number than the draft's.
        """
        from gdcurves.report import described

        yield from described.data(self.made)
        yield from described.notes(self.made.notes)
        yield from described.work(self.made, splits or self.made.effort.splits)


def _sizes(text: str) -> tuple[int, ...]:
    """Read training sizes as written on the command line; raises UserError."""
    from gdcurves.plan.asked import check_sizes

    ranged = ":" in text
    parts = [part.strip() for part in text.split(":" if ranged else ",")]
    rule = f"--sizes {text}: write whole numbers a,b,... or START:STOP:STEP"
    other = next((part for part in parts if not re.fullmatch(r"[+-]?\d+", part)), None)
    if other is not None:
        raise UserError(
            f"{rule}; " + (f"{other!r} is no such number" if other else "one is missing")
        )
    if ranged and len(parts) != 3:
        raise UserError(f"{rule}; there are {len(parts)} numbers: --sizes 10:50:20 is 10,30,50")
    numbers = [int(part) for part in parts]
    if ranged:
        numbers = _ranged(text, *numbers)
    check_sizes(numbers, text)
    return tuple(numbers)


def _ranged(text: str, start: int, stop: int, step: int) -> list[int]:
    """Sizes from START by STEP up to and with STOP; raises UserError."""
    if step < 1:
        raise UserError(f"--sizes {text}: STEP is {step}; write 1 or more")
    if stop < start:
        raise UserError(
            f"--sizes {text}: STOP, {stop}, is below START, {start}; write"
            f" --sizes {stop}:{start}:{step}"
        )
    return list(range(start, stop + 1, step))


def _classes(text: str) -> tuple[ClassConfig, ...]:
    """Read labels, or a mapping of YAML, as written on the command line; raises UserError."""
    from gdcurves.config.classes import classes_of
    from gdcurves.config.source import read_text

    if not text.lstrip().startswith("{"):
        return classes_of(names([text]), "--classes")
    return classes_of(read_text(f"classes: {text}", Path("--classes")).data["classes"], "--classes")


def _number(threshold: str | None) -> Threshold | None:
    """Return a threshold as written on the command line; raises UserError."""
    from gdcurves.plan.asked import check_threshold

    if threshold in (None, "median", "none"):
        return cast("Threshold | None", threshold)
    try:
        value = float(threshold)
    except ValueError:
        value = float("nan")
    check_threshold(value, threshold)
    return value
