"""What commands print as JSON: models of it, from which its schema follows. See `telling`.

Every object says by `kind` what it is. Numbers that are not known are null; those that are infinite
are the texts "Infinity" and "-Infinity", as JSON has no other way to write them.
"""

from __future__ import annotations

from math import isfinite, isnan
from numbers import Integral
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, TypeAdapter, WithJsonSchema

import gdcurves


def number(value: Any) -> Any:
    """A number as JSON can have it."""
    if value is None or isnan(value):
        return None
    if isinstance(value, Integral):
        return int(value)
    value = float(value)
    return value if isfinite(value) else ("Infinity" if value > 0 else "-Infinity")


def _name(value: Any) -> Any:
    return value or None


_INFINITE: dict[str, Any] = {"enum": ["Infinity", "-Infinity"]}
Number = Annotated[
    float | Literal["Infinity", "-Infinity"] | None,
    BeforeValidator(number),
    WithJsonSchema({"anyOf": [{"type": "number"}, _INFINITE, {"type": "null"}]}),
]
Line = dict[str, str | int | float | None]
Name = Annotated[str | None, BeforeValidator(_name)]


class Model(BaseModel):
    """An object with keys that are always there."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Told(Model):
    """What a command prints: `gdcurves` is the version that does so."""

    gdcurves: str = gdcurves.__version__


class ExperimentStatus(Model):
    """How far an experiment is."""

    status: str
    reason: str | None
    splits: int
    splits_done: int
    splits_failed: int
    splits_missing: int


class Comparison(Model):
    """Two fitters at a size: a less b, with a 95 % interval; which is better, if that is known."""

    fitter_a: str
    fitter_b: str
    m: int
    difference: Number
    low: Number
    high: Number
    better: Name


class Crossing(Model):
    """Where the curves of two fitters cross; by the columns of crossings.csv."""

    fitter_a: str
    fitter_b: str
    kind: str
    m: Number
    m_low: Number
    m_high: Number
    better_below: Name
    better_above: Name


class Outlook(Model):
    """What a fitter reaches at its largest size, and is foreseen to at the size ahead."""

    fitter: str
    m: int
    value: Number
    low: Number
    high: Number
    falls: str
    m_ahead: int
    value_ahead: Number
    low_ahead: Number
    high_ahead: Number
    rows_for_target: Number
    rows_for_target_low: Number
    rows_for_target_high: Number


class Answer(Model):
    """What is known of the classifiers of an experiment.

    `use` has the best one, or those between which no difference is shown; none where none is shown
    to beat the largest class. `labelled` and `m` count rows, or groups of them, as `unit` says.
    """

    experiment: str
    unit: Literal["row", "group"]
    labelled: int
    m: int
    measure: str
    better: Literal["lower", "higher"]
    use: list[str]
    values: dict[str, Number]
    base_rate: Number
    sentences: list[str]
    comparisons: list[Comparison]
    crossings: list[Crossing]
    outlook: list[Outlook]


class RunTold(Told):
    """A run, as `run`, `status`, `crossings`, `plot` and `report` tell of it.

    `files` are those that the command wrote beside the results.
    """

    kind: Literal["run"] = "run"
    folder: str
    name: str
    status: str
    splits: int
    splits_done: int
    seconds: Number
    sessions: int | None
    chunks_lost: int
    cpu_seconds: Number
    warnings: dict[str, int]
    notes: list[str]
    experiments: dict[str, ExperimentStatus]
    answers: list[Answer]
    files: list[str] = Field(default_factory=list)


class PartTold(Told):
    """A part of a run, as `run --shard` tells of it.

    `done` are experiments of which the part has all its splits, `failed` the others, with reasons;
    `fits` are those of this session.
    """

    kind: Literal["part"] = "part"
    folder: str
    part: str
    done: list[str]
    failed: dict[str, str]
    fits: int


class Limit(Model):
    """What the curve of a fitter tends to, or of the best possible rule, "bayes"."""

    experiment: str
    fitter: str
    error: Number
    logloss: Number


class LimitsTold(Told):
    """What `limits` tells; `without` says what has no limit, and why."""

    kind: Literal["limits"] = "limits"
    limits: list[Limit]
    without: dict[str, str]
    files: list[str]


class ComplexityTold(Told):
    """What `complexity` tells of a run: lines of complexity.csv, by its columns."""

    kind: Literal["complexity"] = "complexity"
    folder: str
    lines: list[Line]
    sentences: list[str]


class TheoryTold(Told):
    """What `theory` tells: lines of theory.csv, by its columns, and what has no theory, and why."""

    kind: Literal["theory"] = "theory"
    lines: list[Line]
    sentences: list[str]
    without: dict[str, str]
    files: list[str]


class FitterTold(Model):
    """A type of classifier, with its options and their defaults."""

    name: str
    summary: str
    inputs: list[str]
    options: dict[str, Any]
    package: str | None


class FittersTold(Told):
    """What `fitters` tells."""

    kind: Literal["fitters"] = "fitters"
    fitters: list[FitterTold]


class Listed(Model):
    """A data set of the catalogue; `rows` of `rows_in_all` are in the package if it is there."""

    name: str
    title: str
    rows: int
    rows_in_all: int
    continuous: int
    discrete: int
    target: str
    source: str


class DatasetsTold(Told):
    """What `datasets list` tells."""

    kind: Literal["datasets"] = "datasets"
    datasets: list[Listed]
    cached: dict[str, str]


class Column(Model):
    """An input column."""

    name: str
    kind: Literal["continuous", "discrete"]
    missing: int
    inferred: bool


class DatasetTold(Told):
    """What `datasets show` tells; `classes` are labels with rows, null of a numeric target."""

    kind: Literal["dataset"] = "dataset"
    name: str
    source: str
    rows: int
    target: str
    classes: dict[str, int] | None
    columns: list[Column]
    left_out: dict[str, str]
    unclear: dict[str, str]
    groups: list[str]
    about: dict[str, str]
    sha256: str
    notes: list[str]


class ConfigTold(Told):
    """What `config check` tells; `errors` are of data, by experiment."""

    kind: Literal["config"] = "config"
    file: str
    experiments: int
    splits: int
    fits: int
    notes: list[str]
    errors: dict[str, str]
    not_looked_at: list[str]


Anything = (
    RunTold
    | PartTold
    | LimitsTold
    | ComplexityTold
    | TheoryTold
    | FittersTold
    | DatasetsTold
    | DatasetTold
    | ConfigTold
)


def schema() -> dict[str, Any]:
    """The JSON schema of whatever `--json` prints."""
    whole: TypeAdapter[Anything] = TypeAdapter(Annotated[Anything, Field(discriminator="kind")])
    own = whole.json_schema(mode="serialization")
    return {"$schema": "https://json-schema.org/draft/2020-12/schema"} | own
