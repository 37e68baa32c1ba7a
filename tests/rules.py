"""Rules fitted to one training set, and what they say of rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from gdcurves import scoring
from gdcurves.fitters import Batch, Fit
from gdcurves.fitters.features import Layout, design, quadratic

Levels = tuple[int, ...]


def batch(x: np.ndarray, y: np.ndarray, levels: Levels = (), k: int = 2) -> Batch:
    """One training set; its inputs are named x1, x2, ..."""
    return Batch(x[None], y[None], levels, k, tuple(f"x{i + 1}" for i in range(x.shape[1])))


def fitted(fitter: Any, x: np.ndarray, y: np.ndarray, levels: Levels = (), k: int = 2) -> Fit:
    fit: Fit = fitter.fit(batch(x, y, levels, k), np.random.default_rng(0))
    return fit


def vectors(fit: Fit, x: np.ndarray, levels: Levels = ()) -> np.ndarray:
    """Feature vectors (n, q) of rows x (n, d) in the map that the rules of a fit are linear in."""
    features = design(x, levels)
    if fit.space == "linear":
        return features
    layout = Layout.of(levels, x.shape[1])
    return quadratic(features, layout, np.zeros(len(layout.continuous)))


def scores(fit: Fit, x: np.ndarray, levels: Levels = ()) -> np.ndarray:
    """Scores of the classes after the first against it, shape (n, K - 1)."""
    assert fit.direction is None or not fit.direction.any()
    found: np.ndarray = vectors(fit, x, levels) @ fit.weights[0, 0].T
    return found


def predictions(fit: Fit, x: np.ndarray, levels: Levels = ()) -> np.ndarray:
    """Classes, by the two levels of a rule."""
    features = vectors(fit, x, levels)
    weights = np.pad(features @ fit.weights[0, 0].T, ((0, 0), (1, 0)))
    if fit.direction is not None:
        leading = np.pad(features @ fit.direction[0, 0].T, ((0, 0), (1, 0)))
        weights[leading < leading.max(axis=1, keepdims=True) - scoring.TIE] = -np.inf
    tied = weights >= weights.max(axis=1, keepdims=True) - scoring.TIE
    found: np.ndarray = tied.argmax(axis=1)
    return found
