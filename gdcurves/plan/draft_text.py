"""The config of a draft, as YAML that people read and change."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence

from gdcurves.config.classes import ClassConfig
from gdcurves.config.reading import Missing, Threshold
from gdcurves.datasets import CATALOGUE, Request
from gdcurves.fitters import REGISTRY
from gdcurves.plan.drafted import MEASURES, Draft, Options
from gdcurves.plan.experiment import NamedFitter
from gdcurves.words import visible, yaml_of

WORDS = {"true", "false", "null", "nan", "inf"}  # which YAML may take for something else
_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_+.-]*")


def config_text(
    made: Draft,
    request: Request,
    threshold: Threshold | None,
    missing: Missing,
    options: Options,
) -> str:
    """Write the config of a draft."""
    table, problem = made.table, made.problem
    kinds = {
        kind: [
            column
            for column, each in table.kinds.items()
            if each == kind and column not in table.inferred_levels
        ]
        for kind in ("continuous", "discrete")
    }
    left_out = [f"    # left out: {_flat(column)}, {why}" for column, why in table.dropped.items()]
    left_out += [f"    # left out: {_flat(str(error))}" for error in table.refused.values()]
    drop = [*table.dropped, *table.refused]
    own = request.data not in CATALOGUE or any((request.continuous, request.discrete, request.drop))
    lines = [
        f"# Learning curves of classifiers on {_flat(request.data)}.",
        "# What the keys mean: gdcurves config schema",
        "",
        f"splits: {made.effort.splits} # random splits into training and test rows at every size:"
        " from 1000 down to 50, the fewer the more a split costs",
        f"chunk: {made.effort.chunk} # splits that are computed and stored at a time",
        f"measures: {_list(MEASURES)} # error compares, unless `measure` names another one",
        *([] if options.figure is None else [f"figure: {options.figure}"]),
        "interval: rows # keep sums for every row: intervals for other data of this kind",
        "experiments:",
        f"  - name: {_scalar(made.name)}",
        f"    data: {_scalar(request.data)}",
        *(
            f"    {key}: {_scalar(value)}"
            for key in ("encoding", "sheet")
            if (value := getattr(request, key)) is not None
        ),
        *(
            ["    no_header: true # the first row is one of cells, not of names"]
            * request.no_header
        ),
        f"    target: {_scalar(table.target)}",
        *(f"    {kind}: {_list(columns)}" for kind, columns in kinds.items() if own and columns),
        *(
            f"    # discrete too: {_flat(column)}, not named as its texts among numbers would then"
            " be levels, and are missing values"
            for column in sorted(table.inferred_levels)
        ),
        *(f"    # note: {_flat(note)}" for note in made.notes),
        *left_out,
        *([f"    drop: {_list(drop)}"] if own and drop else []),
        *([_groups(table.groups)] if table.groups else []),
        (
            f"    classes: {_classes(problem.classes, options.classes)}"
            if threshold in (None, "none")
            else f"    threshold: {threshold} # not above it, above it"
        ),
        f"    missing_texts: {yaml_of(request.missing_texts)} # cells without a value",
        *(
            [f"    decimal: {json.dumps(table.decimal)} # stands before decimals in this source"]
            if table.decimal is not None
            else []
        ),
        f"    missing: {{continuous: {missing.continuous}, discrete: {missing.discrete}}}"
        " # or mean for continuous, level for discrete, error",
        f"    rescale: {problem.rescale} # or dataset, train, none",
        *(["    stratified: true # m // K training rows of each class"] * options.stratified),
        f"    sizes: [{', '.join(map(str, made.sizes))}]",
        "fitters:",
        *(f"  - {_fitter(each)}" for each in made.fitters),
    ]
    return "\n".join(lines) + "\n"


def _classes(names: Sequence[str], merged: Sequence[ClassConfig] | None) -> str:
    """Return YAML of the classes: a list of labels, or a mapping where labels are merged."""
    if merged is None or all(each.labels == (each.name,) for each in merged):
        return _list(names)
    return yaml_of({each.name: each.labels for each in merged})


def _groups(columns: Sequence[str]) -> str:
    named = _list(columns) if len(columns) > 1 else _scalar(columns[0])
    return f"    groups: {named} # rows of one stay together: sizes count groups"


def _fitter(named: NamedFitter) -> str:
    """Return YAML of a classifier with the options that it was given."""
    given = named.fitter.model_dump(exclude_unset=True)
    known = next(name for name, each in REGISTRY.items() if each is type(named.fitter))
    if known != named.name:
        given = {"name": named.name, **given}
    options = "".join(f", {key}: {_scalar(str(value))}" for key, value in given.items())
    return f"{{type: {known}{options}}} # {named.fitter.description}"


def _flat(text: str) -> str:
    return visible(" ".join(text.split()))


def _scalar(text: str) -> str:
    """Return YAML of a text, in quotes where it could be taken for something else."""
    plain = _PLAIN.fullmatch(text) and text.lower() not in WORDS
    return text if plain else yaml_of(text)


def _list(texts: Iterable[str]) -> str:
    return f"[{', '.join(map(_scalar, texts))}]"
