"""What is asked of one's own data, however it is said: a config is drafted that says the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from os.path import isdir

from gdcurves.config.classes import ClassConfig
from gdcurves.config.reading import (
    MISSING_TEXTS,
    RULES,
    Mark,
    Missing,
    Rescale,
    Threshold,
    decimal_of,
    is_name,
)
from gdcurves.datasets import CATALOGUE, Request
from gdcurves.datasets.raw import Raw
from gdcurves.datasets.request import labels_like_gaps
from gdcurves.errors import UserError
from gdcurves.plan import choice, draft
from gdcurves.plan.drafted import Draft, Options
from gdcurves.words import suggest


@dataclass(frozen=True)
class Asked:
    """Data, and what is said of them; None or nothing where nothing is said.

    The names are those of the options of the command line. `source` and `offline` are where data
    come from, see `datasets.load`; `held` is the table itself where it is in memory.
    """

    data: str
    target: str | None = None
    threshold: Threshold | None = None
    classes: tuple[ClassConfig, ...] | None = None
    fitters: tuple[str, ...] | None = None
    allow: tuple[str, ...] = ()
    sizes: tuple[int, ...] | None = None
    drop: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    continuous: tuple[str, ...] = ()
    discrete: tuple[str, ...] = ()
    encoding: str | None = None
    sheet: str | None = None
    no_header: bool = False
    missing: tuple[str, ...] | None = None
    missing_text: tuple[str, ...] = ()
    decimal: Mark | None = None
    thousands: Mark | None = None
    rescale: Rescale | None = None
    stratified: bool = False
    figure: str | None = None
    source: str = "packaged"
    offline: bool = False
    held: Raw | None = None

    @property
    def request(self) -> Request:
        """Where the data are and how to read them; raises UserError."""
        return Request(
            self.data,
            self.target,
            continuous=self.continuous,
            discrete=self.discrete,
            drop=self.drop,
            missing_texts=(*MISSING_TEXTS, *self.missing_text),
            numeric_target=self.threshold not in (None, "none"),
            groups=self.groups,
            decimal=_decimal_mark(self.decimal, self.thousands),
            encoding=self.encoding,
            sheet=self.sheet,
            no_header=self.no_header,
            held=self.held,
            labels=labels_like_gaps(self.classes),
        )

    def draft(self) -> Draft:
        """Read the data and draft a config; raises UserError."""
        options = Options(
            self.sizes,
            None if self.missing is None else _missing(self.missing),
            self.rescale,
            self.stratified,
            self.figure,
            self.classes,
        )
        fitters = choice.choose(choice.USUAL if self.fitters is None else self.fitters, self.allow)
        return draft.make(self.request, self.threshold, self.source, self.offline, fitters, options)


def source(data: str) -> str:
    """Data as they are meant: with a slash if they are a folder here, and none of the catalogue."""
    is_folder = is_name(data) and data not in CATALOGUE and isdir(data)
    return f"{data}/" if is_folder else data


def check_sizes(numbers: Sequence[int], shown: str) -> None:
    """Refuse training sizes that are too small or not in order; raises UserError."""
    rule = f"--sizes {shown}: write each size once, in order, from 2 on"
    if not numbers:
        raise UserError(f"{rule}; found none")
    small = next((each for each in numbers if each < 2), None)
    if small is not None:
        raise UserError(f"{rule}; {small} is below 2, as a training set has a row of each class")
    wrong = next((pair for pair in pairwise(numbers) if pair[0] >= pair[1]), None)
    if wrong is not None:
        first, second = wrong
        ordered = ",".join(map(str, sorted(set(numbers))))
        raise UserError(f"{rule}, as {ordered}; {second} stands after {first}")


def check_threshold(value: float, shown: str) -> None:
    """Refuse a threshold that is no finite number; raises UserError."""
    if value - value != 0:
        raise UserError(f"--threshold {shown}: write median, a number, or none")


def check_share(value: float, shown: str) -> None:
    """Refuse an error to be reached that is none; raises UserError."""
    if not 0 <= value <= 1:
        raise UserError(f"--target-error {shown}: write a number from 0 to 1, as 0.15, or 15%")


def _decimal_mark(decimal: Mark | None, thousands: Mark | None) -> Mark | None:
    """Return what stands before decimals; raises UserError."""
    if decimal is not None and decimal == thousands:
        raise UserError(f"--decimal {decimal} and --thousands {thousands} exclude each other")
    return decimal_of(decimal, thousands)


def _missing(words: Sequence[str]) -> Missing:
    """Read what becomes of missing values; raises UserError."""
    rule = ",".join(words)
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
