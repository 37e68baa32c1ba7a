"""What an experiment file may hold."""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Iterable
from typing import Annotated, Any, Literal, Self

from pydantic import (
    AfterValidator,
    BeforeValidator,
    ConfigDict,
    Field,
    WithJsonSchema,
    field_serializer,
    model_validator,
)

from gdcurves.config.classes import ClassConfig, Classes, Label
from gdcurves.config.missing_texts import MissingTexts
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
from gdcurves.config.sizes import Sizes
from gdcurves.config.strict import AS_WHOLE, NOT_EMPTY, StrictModel, unlike, wrong
from gdcurves.words import suggest

LONGEST_NAME = 60
MOST_SPLITS = 10_000_000
NAME = r"[A-Za-z][A-Za-z0-9._+-]*"
# What pandas and spreadsheets read as something else than a name.
_NO_NAMES = {"na", "nan", "null", "none", "true", "false", "inf", "infinity"}


def _name(value: str) -> str:
    """Check a name that stands in CSV files, in file names and after `--only`."""
    if not re.fullmatch(NAME, value):
        raise wrong(
            f"found '{value}'; write a name that starts with a letter, of letters a-z, digits,"
            " '-', '_', '.' and '+'"
        )
    if value.lower() in _NO_NAMES:
        raise wrong(
            f"found '{value}', which pandas and spreadsheets read in CSV files as something else"
            " than a name; write another name"
        )
    if len(value) > LONGEST_NAME:
        raise wrong(f"found {len(value)} characters; write {LONGEST_NAME} or fewer")
    return value


def _threshold(value: Any) -> Any:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if value is None or value in ("median", "none") or (number and math.isfinite(value)):
        return value
    raise unlike("'median', a number, or 'none' for a class of each number")


def _rescale(given: dict[str, Any]) -> Rescale:
    """The paper's way for its data sets; one that needs no other rows for one's own data."""
    return "dataset" if is_name(str(given.get("data", ""))) else "train"


_NAME = {"type": "string", "pattern": f"^{NAME}$", "maxLength": LONGEST_NAME}
Name = Annotated[str, AfterValidator(_name), WithJsonSchema(_NAME)]
Columns = Annotated[tuple[Label, ...], Field(strict=False)]


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
    "groups": None,
    "encoding": None,
    "sheet": None,
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
        What results call it.
    data
        A data set of the catalogue, a file, `openml:...` or `uci:...`; the name of the experiment
        unless given.
    simulate
        In place of `data`: the law to draw data sets from, by name or as a mapping, see
        `gdcurves.simulators.SimulationConfig`.
    target
        The column to predict; the source's own unless given.
    inputs
        Which columns are used; those of a law are all of one kind.
    continuous, discrete, drop
        Columns of these kinds, and columns left out, whatever the source says or they look like.
    groups
        The column whose equal values say which rows stay together, those of one patient for
        instance: training sets are drawn by groups, and test rows are of other groups. It is no
        input. A row without a value is a group of its own.
    encoding
        Of a text that is not UTF-8 and does not say what it is, such as cp1252.
    sheet
        Of an .xlsx workbook; the first unless given.
    missing
        What becomes of missing values.
    missing_texts
        Texts that stand for a missing value beside the usual ones, or `{only: [...]}` in their
        place, after blanks around them are removed.
    decimal, thousands
        "." or ",": what stands before decimals, or between thousands, in columns that do not show
        it, as 1,234 does not; one of them is enough.
    rescale
        Continuous inputs are rescaled to [0, 1] over all rows used ("dataset"), over the training
        rows ("train"), or stay as they are ("none").
    classes
        The classes in order (ties go to the first); rows with other labels are not used.
    threshold
        For a numeric target instead of `classes`: the first class is "not above", the second
        "above" this value or the median; "none" for numbers that are codes, a class each.
    sizes
        Training set sizes m; those of the file's top level unless given. With `groups`, numbers of
        groups.
    stratified
        Whether training sets hold m // K rows of each of the K classes.
    optional
        Whether the run goes on without a word of failure when the data set cannot be had.
    """

    name: Name
    simulate: Annotated[str | dict[str, Any] | None, BeforeValidator(_law)] = None
    data: str | None = Field(default_factory=_data)
    target: Label | None = None
    inputs: Inputs | None = Field(default_factory=_inputs)
    continuous: Columns = ()
    discrete: Columns = ()
    drop: Columns = ()
    groups: Label | None = None
    encoding: Label | None = None
    sheet: Label | None = None
    missing: MissingRule = DROP_ROWS
    missing_texts: MissingTexts = MISSING_TEXTS
    decimal: Mark | None = None
    thousands: Mark | None = None
    rescale: Rescale = Field(default_factory=_rescale)
    classes: Classes | None = None
    threshold: Annotated[Threshold | None, BeforeValidator(_threshold)] = None
    sizes: Sizes | None = None
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
        if self.stratified and self.groups is not None:
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


class FitterConfig(StrictModel):
    """One classifier: its type, its name in results, and the options of that type.

    Attributes
    ----------
    type
        One of the types that `gdcurves fitters` lists.
    name
        What results call it; the type unless given.
    inputs
        Only the experiments with these inputs; all unless given.
    experiments
        Only the experiments of these names; all unless given.
    """

    model_config = ConfigDict(extra="allow")

    type: str
    name: Name = Field(default_factory=lambda given: str(given.get("type", "")))
    inputs: Inputs | None = None
    experiments: Annotated[tuple[str, ...], Field(strict=False), NOT_EMPTY] | None = None

    def runs_on(self, experiment: str, inputs: str | None) -> bool:
        """Whether it is asked to run on an experiment of this name with these inputs."""
        return self.inputs in (None, inputs) and (
            self.experiments is None or experiment in self.experiments
        )

    @model_validator(mode="before")
    @classmethod
    def _has_type(cls, value: Any) -> Any:
        if isinstance(value, dict) and "type" not in value:
            close = difflib.get_close_matches("type", value, n=1)
            advice = f"is it '{close[0]}' that stands for it?" if close else "add it"
            raise wrong(f"this key is missing; {advice}", "type")
        return value

    @property
    def options(self) -> dict[str, Any]:
        """All other keys, for the fitter type to check."""
        return dict(self.model_extra or {})


Splits = Annotated[int, Field(ge=1, le=MOST_SPLITS), AS_WHOLE]


class MoreSplits(StrictModel):
    """A number of splits of its own for some of the sizes."""

    sizes: Sizes
    splits: Splits


class RunConfig(StrictModel):
    """A whole experiment file.

    `model_dump(mode="json")` writes it back as a file would hold it, all defaults filled in.

    Attributes
    ----------
    splits
        Random splits into training and test rows at every size.
    seed
        What all random draws derive from.
    sizes
        Training set sizes m of the experiments that name none.
    more_splits
        Other numbers of splits at some sizes.
    experiments, fitters
        What is run; every fitter on every experiment with its kind of inputs.
    measures
        What is counted of every fitted rule, by the names that `gdcurves.scoring.measures` has.
    interval
        What tells how sure differences are for other data: the splits alone, or sums that are kept
        for every row, see `gdcurves.crossings.interval`.
    measure
        The one of them by which classifiers are compared, and that figures show; `error` unless
        given, or the first that is always finite where that is not among them.
    target_error
        The error for which it is told how many training rows would bring it.
    more_rows
        The number of training rows, or groups of them, of which it is told what so many more would
        bring.
    chunk
        Splits that are computed and stored at a time. Fits that draw at random share a generator
        in them, so it is a part of the numbers. None: as many as in the configs that are shipped.
    figure
        Which figure `gdcurves plot` draws of the results.
    """

    splits: Splits = 1000
    seed: Annotated[int, Field(ge=0), AS_WHOLE] = 0
    sizes: Sizes | None = None
    more_splits: Annotated[tuple[MoreSplits, ...], Field(strict=False)] = ()
    experiments: Annotated[tuple[ExperimentConfig, ...], Field(strict=False), NOT_EMPTY]
    fitters: Annotated[tuple[FitterConfig, ...], Field(strict=False), NOT_EMPTY]
    measures: Annotated[tuple[str, ...], Field(strict=False), NOT_EMPTY] = ("error", "logloss")
    interval: Literal["splits", "rows"] = "splits"
    measure: str | None = None
    target_error: Annotated[float, Field(gt=0, lt=1)] | None = None
    more_rows: Annotated[int, Field(ge=1), AS_WHOLE] | None = None
    chunk: Splits | None = None
    figure: str = "learning_curves"

    def splits_at(self, m: int) -> int:
        """Number of splits at a size."""
        return next((each.splits for each in self.more_splits if m in each.sizes), self.splits)

    @model_validator(mode="after")
    def _complete(self) -> Self:
        _check_names("experiments", (each.name for each in self.experiments))
        _check_names("fitters", (each.name for each in self.fitters))
        known = [each.name for each in self.experiments]
        for index, fitter in enumerate(self.fitters):
            for name in fitter.experiments or ():
                if name not in known:
                    message = f"no experiment '{name}'; {suggest(name, known)}"
                    raise wrong(message, "fitters", index, "experiments")
        for index, name in enumerate(self.measures):
            if name in self.measures[:index]:
                raise wrong(f"'{name}' stands here already; name it once", "measures", index)
        for index, experiment in enumerate(self.experiments):
            if experiment.sizes is None and self.sizes is None:
                message = "this key is missing; add it here, or for all at the top of the file"
                raise wrong(message, "experiments", index, "sizes")
        used = {m for each in self.experiments for m in each.sizes or self.sizes or ()}
        seen: set[int] = set()
        for index, more in enumerate(self.more_splits):
            for m in more.sizes:
                if m not in used:
                    message = f"no experiment has the size {m}; write sizes that one has"
                    raise wrong(message, "more_splits", index, "sizes")
                if m in seen:
                    message = f"the size {m} has its splits already; name it once"
                    raise wrong(message, "more_splits", index, "sizes")
                seen.add(m)
        return self


def _check_names(key: str, names: Iterable[str]) -> None:
    """Refuse names that are equal, or would be as file names where case is no difference."""
    first: dict[str, int] = {}
    for index, name in enumerate(names):
        if (other := first.setdefault(name.casefold(), index)) != index:
            message = f"'{name}' is the name of {key}[{other}] already; give each its own name"
            raise wrong(message, key, index, "name")
