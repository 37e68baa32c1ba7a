"""The twelve laws of Xue & Titterington (2009), section 3."""

from __future__ import annotations

from typing import Any

import numpy as np

from gdcurves.arrays import FloatArray
from gdcurves.simulators.base import Law
from gdcurves.simulators.bernoulli import Bernoulli
from gdcurves.simulators.gaussian import Gaussian

_MEAN = (1.5, 0.0, 0.5, 0.0)
_COVARIANCE = 0.25

# Where covariances of two features are not zero: nowhere, within the blocks x1, x2 and x3, x4, or
# everywhere.
_PATTERNS: dict[str, FloatArray] = {
    "diag": np.zeros((4, 4)),
    "block": np.repeat(np.repeat(np.eye(2), 2, axis=0), 2, axis=1),
    "full": np.ones((4, 4)),
}


def _gaussian(pattern: FloatArray, *variances: tuple[float, ...]) -> Gaussian:
    """Means of opposite sign; one covariance matrix for each tuple of variances."""
    off_diagonal = _COVARIANCE * pattern * (1 - np.eye(4))
    matrices = [(off_diagonal + np.diag(each)).tolist() for each in variances]
    return Gaussian.model_validate(
        {
            "means": [_MEAN, [-each for each in _MEAN]],
            "covariances": matrices if len(matrices) > 1 else matrices[0],
        }
    )


def _given(parent: str, if_1: float, if_0: float) -> dict[str, Any]:
    return {"given": parent, "if_1": if_1, "if_0": if_0}


def _independent(*p: float) -> dict[str, Any]:
    return {f"x{i + 1}": each for i, each in enumerate(p)}


def _block(p1: float, p2: tuple[float, float], p3: float, p4: tuple[float, float]) -> Any:
    """x2 given x1, x4 given x3."""
    return {"x1": p1, "x2": _given("x1", *p2), "x3": p3, "x4": _given("x3", *p4)}


def _full(p1: float, *others: tuple[float, float]) -> dict[str, Any]:
    """x2, x3 and x4 given x1."""
    return {"x1": p1} | {f"x{i + 2}": _given("x1", *each) for i, each in enumerate(others)}


def _bernoulli(*classes: dict[str, Any]) -> Bernoulli:
    return Bernoulli.model_validate(list(classes))


_UNIT = (1.0, 1.0, 1.0, 1.0)
_UNEQUAL = (0.25, 0.75, 1.25, 1.75)

_P_BLOCK = _block(0.2, (0.7, 0.2), 0.4, (0.8, 0.3))
_P_FULL = _full(0.2, (0.7, 0.2), (0.8, 0.3), (0.9, 0.4))
_Q_FULL = (0.8, 0.3), (0.7, 0.2), (0.6, 0.1)

# Continuous or Bernoulli features with equal or unequal covariances: ce, cu, be, bu.
NAMED: dict[str, Law] = {
    **{f"ce_{name}": _gaussian(each, _UNIT) for name, each in _PATTERNS.items()},
    **{f"cu_{name}": _gaussian(each, _UNIT, _UNEQUAL) for name, each in _PATTERNS.items()},
    "be_diag": _bernoulli(_independent(0.2, 0.3, 0.4, 0.5), _independent(0.8, 0.7, 0.6, 0.5)),
    "be_block": _bernoulli(_P_BLOCK, _block(0.8, (0.8, 0.3), 0.6, (0.7, 0.2))),
    "be_full": _bernoulli(_P_FULL, _full(0.8, *_Q_FULL)),
    "bu_diag": _bernoulli(_independent(0.2, 0.3, 0.4, 0.5), _independent(0.6, 0.7, 0.8, 0.9)),
    "bu_block": _bernoulli(_P_BLOCK, _block(0.6, (0.8, 0.3), 0.8, (0.7, 0.2))),
    "bu_full": _bernoulli(_P_FULL, _full(0.6, *_Q_FULL)),
}
