"""A config with every key, and wrong values for each of them, for several test modules."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from gdcurves import plan
from gdcurves.cli.figures import check_figure
from gdcurves.config import document
from gdcurves.config.source import Key, Source, read_text
from gdcurves.errors import UserError

EVERYTHING = """\
splits: 5
seed: 1
sizes: [2, 4]
more_splits: [{sizes: [4], splits: 3}]
measures: [error, auc]
measure: auc
target_error: 0.1
more_rows: 3
chunk: 3
figure: learning_curves
experiments:
  - name: a
    data: vote
    target: Class
    inputs: discrete
    continuous: []
    discrete: [handicapped-infants]
    drop: []
    encoding: utf-8
    sheet: first
    no_header: false
    missing: {continuous: mean, discrete: level}
    missing_texts: ["?"]
    rescale: none
    classes: {d: [democrat], r: republican}
    sizes: {start: 2, stop: 4, step: 1}
    stratified: false
    optional: true
  - {name: b, data: boston, threshold: 5, inputs: continuous}
  - {name: c, data: vote, inputs: discrete, classes: [democrat, republican], missing: level}
  - name: d
    simulate:
      gaussian: {means: [[1, 0], [0, 1]], covariances: [[1, 0], [0, 1]], features: [p, q]}
      rows: [20, 20]
      classes: [one, two]
      draw: each
  - name: e
    simulate:
      bernoulli: [{x: 0.2, y: {given: x, if_1: 0.5, if_0: 0.2}}, {x: 0.3, y: 0.5}]
      rows: 40
  - {name: f, simulate: {name: ce_full, rows: 40}}
fitters:
  - {type: naive_bayes, name: nb, laplace: 1, epsilon: 0.1, prior: equal, ddof: 0}
  - {type: naive_bayes, name: nb2, variance: per_class}
  - {type: logistic_regression, draws: 2, trajectories: 10, quasi_separable: newton}
  - {type: hybrid, blocks: [[1], [2]], leave_one_out: true, normalised: true, inputs: continuous}
  - {type: logistic_regression, name: lr2, experiments: [a], newton_steps: 8, coding: overlapping,
     separable: perceptron, passes: 200}
  - {type: lda, inputs: continuous, epsilon: 0, prior: smoothed, ddof: 1}
  - {type: nearest_centroid, inputs: continuous}
"""
VALUES = [
    *(None, True, "foo", "", "x" * 300, "a\nb", "é", -1, 0, 2.5, 2.0, 10**30, 2**63),
    *(float("nan"), float("inf"), [], [1], ["1"], [None], [True], [[1]], {}, {"a": 1}),
]


def source() -> Source:
    """The config as read."""
    return read_text(EVERYTHING, Path("c.yaml"))


def _places(value: Any, way: tuple[Key, ...] = ()) -> Iterator[tuple[Key, ...]]:
    inner: Iterable[tuple[Key, Any]] = ()
    if isinstance(value, dict | list):
        inner = value.items() if isinstance(value, dict) else enumerate(value)
    for key, below in inner:
        yield (*way, key)
        yield from _places(below, (*way, key))


_SOURCE = source()
WAYS = list(_places(_SOURCE.data))
"""The ways to all that stands in it."""


def put(way: tuple[Key, ...], value: object) -> dict[str, Any]:
    """The config with another value in one place."""
    data = copy.deepcopy(_SOURCE.data)
    around: Any = data
    for key in way[:-1]:
        around = around[key]
    around[way[-1]] = value
    return data


def said(data: dict[str, Any]) -> str:
    """What is said of a config; nothing if it is right."""
    try:
        checked = document._checked(Source(_SOURCE.path, data, _SOURCE.lines))
        check_figure(checked)
        plan.make(checked)
    except UserError as error:
        return str(error)
    return ""
