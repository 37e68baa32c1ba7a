"""Error and expected log loss of a quadratic rule for two normal classes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr

from gdcurves.arrays import FloatArray
from gdcurves.limits.contour import EPS, SOFTPLUS, STEP, nodes
from gdcurves.limits.quadratic import DiagonalForm, Quadratic, diagonal
from gdcurves.scoring.judged import TIE


@dataclass(frozen=True)
class Risk:
    """Error and expected log loss (nats per row), each with an estimate of its numerical error."""

    error: float
    logloss: float
    error_accuracy: float
    logloss_accuracy: float


def risk(rule: Quadratic, means: FloatArray, covariances: FloatArray, priors: FloatArray) -> Risk:
    """Return the risk of a rule.

    Parameters
    ----------
    rule
        Score of the second class against the first; a tie goes to the first, and a score that is
        constant to `scoring.TIE` is tied up to that value.
    means, covariances, priors
        Of the two classes, shapes (2, d), (2, d, d) and (2,).
    """
    total = np.zeros(4)
    for k, prior in enumerate(priors):
        total += prior * np.array(_of_class(rule, k, means[k], covariances[k]))
    return Risk(*map(float, total))


def linear_risk(means: FloatArray, variances: FloatArray, priors: FloatArray) -> Risk:
    """As `risk`, of a score that is normal.

    Parameters
    ----------
    means, variances, priors
        Of the score in the two classes, and their priors, shape (2,).
    """
    total = np.zeros(4)
    for k, prior in enumerate(priors):
        form = DiagonalForm(float(means[k]), np.sqrt(variances[k : k + 1]), np.zeros(1))
        total += prior * np.array(_of_form(form, k))
    return Risk(*map(float, total))


def of_class(
    rule: Quadratic, k: int, mean: FloatArray, covariance: FloatArray
) -> tuple[float, float]:
    """Error and expected log loss on rows of class k alone, see `risk`.

    `mean` (d,) and `covariance` (d, d) are those of the class.
    """
    error, loss, *_ = _of_class(rule, k, mean, covariance)
    return error, loss


def _of_class(
    rule: Quadratic, k: int, mean: FloatArray, covariance: FloatArray
) -> tuple[float, float, float, float]:
    form, _ = diagonal(rule.standardised(mean, covariance))
    return _of_form(form, k)


def _of_form(form: DiagonalForm, k: int) -> tuple[float, float, float, float]:
    """Error, expected log loss and their accuracies, for rows of class k with the score `form`."""
    correct = form if k == 1 else -form
    if form.variance <= TIE**2:
        error = (float((form.mean > TIE) == (k == 0)), 0.0)
    else:
        error = below_zero(correct)
    loss = expected_loss(correct)
    return error[0], loss[0], error[1], loss[1]


def below_zero(form: DiagonalForm) -> tuple[float, float]:
    """Return P(s < 0) and an error estimate, for a form that is not constant."""
    if not form.a.any():
        z = -form.c / np.sqrt(form.variance)
        value = float(ndtr(z))
        return value, 4 * EPS * (1 + z * z) * value
    if form.mean < 0:
        value, error = below_zero(-form)
        return 1 - value, error + EPS
    if _never_negative(form):
        return 0.0, 0.0
    rule = nodes(form, STEP)
    return rule.sum, rule.error


def expected_loss(form: DiagonalForm) -> tuple[float, float]:
    """Return E log(1 + exp(-s)) and an error estimate."""
    if form.mean < 0:
        value, error = expected_loss(-form)
        return value - form.mean, error + EPS * abs(form.mean)
    rule = nodes(form, SOFTPLUS)
    return rule.sum, rule.error


def _never_negative(form: DiagonalForm) -> bool:
    curved = form.a != 0
    if (form.a < 0).any() or form.g[~curved].any():
        return False
    return bool(form.c >= (form.g[curved] ** 2 / (4 * form.a[curved])).sum())
