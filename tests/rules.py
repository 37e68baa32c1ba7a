"""Rules fitted to one training set, and what they say of rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from gdcurves import scoring
from gdcurves.fitters import Batch, Fit
from gdcurves.fitters.features import Layout, design
from gdcurves.problems.problem import Problem
from gdcurves.scoring.pool import Pool, collect

Levels = tuple[int, ...]


def full(levels: Levels, x: np.ndarray) -> Levels:
    """Levels of the inputs of x (..., d); without any, all are continuous."""
    return levels or (0,) * x.shape[-1]


def pool_of(made: Problem) -> Pool:
    """The rows of a problem, as they are."""
    return collect(made.x, np.asarray(made.y), made.levels, len(made.classes))


def batch(x: np.ndarray, y: np.ndarray, levels: Levels = (), k: int = 2) -> Batch:
    """One training set; its inputs are named x1, x2, ..."""
    return Batch(
        x[None], y[None], full(levels, x), k, tuple(f"x{i + 1}" for i in range(x.shape[1]))
    )


def fitted(fitter: Any, x: np.ndarray, y: np.ndarray, levels: Levels = (), k: int = 2) -> Fit:
    fit: Fit = fitter.fit(batch(x, y, levels, k), np.random.default_rng(0))
    return fit


def vectors(fit: Fit, x: np.ndarray, levels: Levels = ()) -> np.ndarray:
    """Feature vectors (n, q) of rows x (n, d) in the map that the rules of a fit are linear in."""
    levels = full(levels, x)
    layout = Layout.of(levels)
    origin = np.zeros(len(layout.continuous))
    return fit.rules.feature_map.vectors(design(x, levels), layout, origin)


def scores(fit: Fit, x: np.ndarray, levels: Levels = ()) -> np.ndarray:
    """Scores of the classes after the first against it, shape (n, K - 1)."""
    assert fit.rules.direction is None or not fit.rules.direction.any()
    log_odds: np.ndarray = vectors(fit, x, levels) @ fit.rules.weights[0, 0].T
    return log_odds


def predictions(fit: Fit, x: np.ndarray, levels: Levels = ()) -> np.ndarray:
    """Classes, by the two levels of a rule."""
    features = vectors(fit, x, levels)
    weights = np.pad(features @ fit.rules.weights[0, 0].T, ((0, 0), (1, 0)))
    if fit.rules.direction is not None:
        leading = np.pad(features @ fit.rules.direction[0, 0].T, ((0, 0), (1, 0)))
        weights[leading < leading.max(axis=1, keepdims=True) - scoring.TIE] = -np.inf
    tied = weights >= weights.max(axis=1, keepdims=True) - scoring.TIE
    classes: np.ndarray = tied.argmax(axis=1)
    return classes
