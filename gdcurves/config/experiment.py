"""What one experiment of a file may hold."""

from __future__ import annotations

import math
from typing import Annotated, Any, Self

from pydantic import BeforeValidator, Field, field_serializer, model_validator

from gdcurves.config.classes import ClassConfig, Classes, Label
from gdcurves.config.missing_texts import MissingTexts
from gdcurves.config.naming import Name
from gdcurves.config.reading import (
    DROP_ROWS,
    MISSING_TEXTS,
    Inputs,
    Mark,
    MissingRule,
    Rescale,
    Threshold,
    is_name,
)
from gdcurves.config.sizes import SizesOfLaw
from gdcurves.config.strict import StrictModel, unlike, wrong

Columns = Annotated[tuple[Label, ...], Field(strict=False)]


def _columns(value: Any) -> Any:
    return (value,) if isinstance(value, str) else value


OneOrMore = Annotated[Columns, BeforeValidator(_columns)]
"""Names of columns, one of which may stand alone."""


def _threshold(value: Any) -> Any:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if value is None or value in ("median", "none") or (number and math.isfinite(value)):
        return value
    raise unlike("'median', a number, or 'none' for a class of each number")


def _rescale(given: dict[str, Any]) -> Rescale:
    """The paper's way for its data sets; one that needs no other rows for one's own data."""
    return "dataset" if is_name(str(given.get("data", ""))) else "train"


def _law(value: Any) -> Any:
    if value is None or isinstance(value, str | dict):
        return value
    raise unlike("the name of a law, or a mapping that describes one")


def _data(given: dict[str, Any]) -> str | None:
    """Data set of an experiment that names none."""
    return None if given.get("simulate") is not None else str(given.get("name", ""))


def _inputs(given: dict[str, Any]) -> Inputs | None:
    return None if given.get("simulate") is not None else "all"


# Keys that say how data are read, with what they hold where none are.
_OF_DATA = {
    "data": None,
    "target": None,
    "inputs": None,
    "continuous": (),
    "discrete": (),
    "drop": (),
    "groups": (),
    "encoding": None,
    "sheet": None,
    "no_header": False,
    "missing": DROP_ROWS,
    "missing_texts": MISSING_TEXTS,
    "decimal": None,
    "thousands": None,
    "rescale": "dataset",
    "classes": None,
    "threshold": None,
}


class ExperimentConfig(StrictModel):
    """One panel: a data set, the inputs used and the classes told apart.

    Attributes
    ----------
    name
        What results call it: a letter, then letters a-z, digits and `-_.+`, at most 60 in all.
    data
        A data set that `gdcurves datasets list` lists, a file, or a data set of OpenML or UCI
        (`openml:31`, `uci:53`); the name of the experiment unless given.
    simulate
        In place of `data`: the law to draw data sets from, by name or as a mapping.
    target
        The column to predict; the source's own unless given.
    inputs
        The columns used: those of one kind, or `all`, which it is unless given; those of a law are
        what they are.
    continuous, discrete
        Columns of this kind, whatever the source says or they look like.
    drop
        Columns that are left out.
    groups
        The column whose equal values say which rows stay together, those of one patient for
        instance, or several (`[center, id]`: all of them equal): training sets are drawn by groups,
        and test rows are of other groups. It is no input unless `continuous` or `discrete` names it
        too, `sizes` count groups, and a row without a value is a group of its own. Not with
        `stratified`.
    encoding
        Of a text that is not UTF-8 and has no mark that says what it is, such as `cp1252`,
        `latin-1` or `utf-16-le`.
    sheet
        Of an `.xlsx` workbook; the first that is not hidden unless given.
    no_header
        Whether the first row of a text or a sheet is one of cells, not of names; columns are then
        called c1, c2 and so on.
    missing
        What becomes of missing values. `drop_rows` (unless given) leaves their rows out; `level`
        makes them a level of their own in discrete inputs; `mean` puts the mean of the training
        rows in continuous ones; `error` refuses them. `level` and `mean` drop rows for the other
        kind; `{continuous: mean, discrete: level}` names both.
    missing_texts
        Texts that are missing values beside `""` and `?`, blanks around them removed, in all
        columns; `{only: [...]}` has its texts in place of all others.
    decimal, thousands
        What stands before decimals, or between thousands, in a file whose columns do not show it,
        as `1,234` does not; one of them is enough.
    rescale
        Continuous inputs are brought to [0, 1] over all rows used (`dataset`, for the data sets of
        the list unless given), over the rows of each training set (`train`, for all other data
        unless given), or stay as they are (`none`).
    classes
        Labels in order (ties go to the first), or a mapping of a name to the label or labels that
        it merges; rows with other labels are left out. Without it, every label is a class.
    threshold
        For a numeric target in place of `classes`: `median`, or a number. The first class is "not
        above" it, the second "above"; `none` for numbers that are codes, a class each.
    sizes
        Training sizes m; those of the file's top level unless given. With `groups`, numbers of
        groups. With a law in `blocks`, `{times_n: [1, 2, 4]}` for multiples of its number of
        features.
    stratified
        Whether training sets hold m // K rows of each of the K classes; no two sizes with the same.
    optional
        Whether the run may do without it, when the data set cannot be had.
    """

    name: Name
    simulate: Annotated[str | dict[str, Any] | None, BeforeValidator(_law)] = None
    data: str | None = Field(default_factory=_data)
    target: Label | None = None
    inputs: Inputs | None = Field(default_factory=_inputs)
    continuous: Columns = ()
    discrete: Columns = ()
    drop: Columns = ()
    groups: OneOrMore = ()
    encoding: Label | None = None
    sheet: Label | None = None
    no_header: bool = False
    missing: MissingRule = DROP_ROWS
    missing_texts: MissingTexts = MISSING_TEXTS
    decimal: Mark | None = None
    thousands: Mark | None = None
    rescale: Rescale = Field(default_factory=_rescale)
    classes: Classes | None = None
    threshold: Annotated[Threshold | None, BeforeValidator(_threshold)] = None
    sizes: SizesOfLaw | None = None
    stratified: bool = False
    optional: bool = False

    @model_validator(mode="after")
    def _one_target(self) -> Self:
        if self.classes is not None and self.threshold not in (None, "none"):
            raise wrong("this makes the classes already; leave out 'classes' or it", "threshold")
        return self

    @model_validator(mode="after")
    def _two_marks(self) -> Self:
        if self.decimal is not None and self.decimal == self.thousands:
            raise wrong(
                "this stands before decimals already; leave out one of the two", "thousands"
            )
        return self

    @model_validator(mode="after")
    def _one_source(self) -> Self:
        for key in ("data", "inputs"):
            if self.simulate is None and getattr(self, key) is None:
                raise wrong("found nothing; write a value, or leave the key out", key)
        if self.stratified and self.groups:
            raise wrong(
                "training sets are drawn by 'groups', whose rows may be of any class; leave out"
                " 'groups' or this",
                "stratified",
            )
        for key, unset in _OF_DATA.items():
            if self.simulate is not None and getattr(self, key) != unset:
                raise wrong(f"this does not go with 'simulate'; leave out '{key}' or it", key)
        return self

    @field_serializer("classes")
    def _as_mapping(self, classes: tuple[ClassConfig, ...] | None) -> dict[str, list[str]] | None:
        return None if classes is None else {each.name: list(each.labels) for each in classes}
