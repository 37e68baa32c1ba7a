"""The combination of given scores that logistic regression tends to as m grows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.linalg import pinvh

from gdcurves.arrays import FloatArray
from gdcurves.limits.contour import EPS, SOFTPLUS, ComplexArray, nodes
from gdcurves.limits.quadratic import DiagonalForm, Quadratic, diagonal, weighted_sum

LAST_STEP = 1e-8  # convergence is quadratic: what remains after such a step is rounding
REDUNDANT = 1e-14  # eigenvalues of the Hessian beside the largest
MOST_STEPS = 100
MOST_HALVINGS = 60
MOST_PAIRS = 2**21  # products of variances in memory


@dataclass(frozen=True, eq=False)
class Loss:
    """Expected log loss of a combination, in nats per row.

    Attributes
    ----------
    value
        The loss.
    gradient, hessian
        Its derivatives by the weights, shapes (q,) and (q, q).
    """

    value: float
    gradient: FloatArray
    hessian: FloatArray


@dataclass(frozen=True, eq=False)
class LogisticLimit:
    """The best combination.

    Attributes
    ----------
    theta
        Intercept and weights of the scores, shape (P + 1,).
    rule
        The combination: score of the second class against the first.
    loss
        Its expected log loss with derivatives.
    """

    theta: FloatArray
    rule: Quadratic
    loss: Loss


def fit(
    scores: Sequence[Quadratic], means: FloatArray, covariances: FloatArray, priors: FloatArray
) -> LogisticLimit:
    """Minimise the expected log loss of theta_0 + sum_p theta_p scores_p by Newton's method.

    With the features themselves as scores, this is logistic regression; with the log-likelihood
    ratios of blocks of features, Raina et al.'s hybrid. Where scores are redundant, the steps are
    those of least norm.

    Parameters
    ----------
    scores
        P functions of x.
    means, covariances, priors
        Of the two classes, shapes (2, d), (2, d, d) and (2,).

    Raises
    ------
    ArithmeticError
        Newton's method does not converge.
    """
    d = means.shape[1]
    terms = [Quadratic(1.0, np.zeros(d), np.zeros((d, d))), *scores]
    sizes = _sizes(terms, means, covariances, priors)
    scaled = [weighted_sum([1 / s], [term]) for s, term in zip(sizes, terms, strict=True)]

    def loss(theta: FloatArray) -> Loss:
        return population_loss(theta, scaled, means, covariances, priors)

    theta = np.zeros(len(terms))
    at = loss(theta)
    for _ in range(MOST_STEPS):
        inverse = np.asarray(pinvh(at.hessian, rtol=REDUNDANT), dtype=np.float64)
        step = -inverse @ at.gradient
        theta, at = downhill(loss, theta, at, step)
        if np.abs(step).max() <= LAST_STEP * (1 + np.abs(theta).max()):
            break
    else:
        raise ArithmeticError(f"Newton's method did not converge in {MOST_STEPS} steps")
    theta = theta / sizes
    at = population_loss(theta, terms, means, covariances, priors)
    return LogisticLimit(theta, weighted_sum(theta, terms), at)


def population_loss(
    theta: FloatArray,
    terms: Sequence[Quadratic],
    means: FloatArray,
    covariances: FloatArray,
    priors: FloatArray,
) -> Loss:
    """Return the expected log loss of <theta, terms>, a score of the second of two classes.

    Parameters
    ----------
    theta, terms
        Weights, shape (q,), and q functions of x.
    means, covariances, priors
        Of the two classes, shapes (2, d), (2, d, d) and (2,).
    """
    value, gradient, hessian = 0.0, np.zeros(len(terms)), np.zeros((len(terms),) * 2)
    for prior, mean, covariance, sign in zip(priors, means, covariances, (-1.0, 1.0), strict=True):
        standardised = [term.standardised(mean, covariance) for term in terms]
        loss = expected_loss(theta, standardised, sign)
        value += prior * loss.value
        gradient += prior * loss.gradient
        hessian += prior * loss.hessian
    return Loss(float(value), gradient, hessian)


def expected_loss(theta: FloatArray, terms: Sequence[Quadratic], sign: float) -> Loss:
    """Return E log(1 + exp(-sign <theta, terms>)), x ~ N(0, I), with derivatives by theta (q,)."""
    form, Q = diagonal(weighted_sum(theta, terms))
    side = sign if sign * form.mean >= 0 else -sign  # where the contour integral is best
    oriented = form if side > 0 else -form
    rule = nodes(oriented, SOFTPLUS)
    first, second = _moments(oriented, rule.u, [term.rotated(Q) for term in terms])
    value = rule.sum
    gradient = -side * ((rule.weights * rule.u) @ first).imag
    hessian = np.tensordot(rule.weights * rule.u**2, second, axes=1).imag
    if side != sign:  # log(1 + exp(-s)) = log(1 + exp(s)) - s
        value -= sign * form.mean
        gradient -= sign * np.array([term.standard_mean for term in terms])
    return Loss(value, gradient, hessian)


def _moments(
    form: DiagonalForm, u: ComplexArray, terms: Sequence[Quadratic]
) -> tuple[ComplexArray, ComplexArray]:
    """First and second moments of the terms where exp(-u s) weighs the law of z.

    The weighted law is normal, with complex mean and variances. Shapes (n, q) and (n, q, q).
    """
    c = np.array([term.c for term in terms])
    b = np.array([term.b for term in terms])
    A = np.array([term.A for term in terms])
    q, d = b.shape
    variances = 1 / (1 + 2 * form.a * u[:, None])
    mean = -form.g * u[:, None] * variances
    A_mean = np.einsum("qij,nj->nqi", A, mean)
    first = (
        c
        + np.einsum("nqi,ni->nq", b + A_mean, mean)
        + np.einsum("qii,ni->nq", A.astype(complex), variances)
    )
    slopes = b + 2 * A_mean
    second = np.einsum("np,nq->npq", first, first)
    second += np.einsum("npi,nqi->npq", slopes * variances[:, None, :], slopes)
    # Twice the trace of A_p V A_q V, for some nodes and one p at a time.
    at_once = max(1, MOST_PAIRS // d**2)
    for start in range(0, len(u), at_once):
        nodes_ = slice(start, start + at_once)
        pairs = variances[nodes_, :, None] * variances[nodes_, None, :]
        pairs = pairs.reshape(len(pairs), -1)
        for p in range(q):
            if A[p].any():
                second[nodes_, p] += 2 * (pairs @ (A[p] * A).reshape(q, -1).T)
    return first, second


def _sizes(
    terms: Sequence[Quadratic], means: FloatArray, covariances: FloatArray, priors: FloatArray
) -> FloatArray:
    """Root mean squares of the terms, shape (q,); 1 for a term that is zero."""
    squares = np.zeros(len(terms))
    for prior, mean, covariance in zip(priors, means, covariances, strict=True):
        for i, term in enumerate(terms):
            each = term.standardised(mean, covariance)
            variance = each.b @ each.b + 2 * (each.A**2).sum()
            squares[i] += prior * (each.standard_mean**2 + variance)
    return np.sqrt(np.where(squares > 0, squares, 1.0))


def downhill(
    loss: Callable[[FloatArray], Loss], theta: FloatArray, at: Loss, step: FloatArray
) -> tuple[FloatArray, Loss]:
    """Halve a step until the loss decreases enough; return the new point and what it loses.

    Parameters
    ----------
    loss
        From weights, shape (q,).
    theta, step
        Where it is, and where to, shape (q,).
    at
        The loss there.

    Returns
    -------
    The weights, shape (q,), and their loss.

    Raises
    ------
    ArithmeticError
        No step decreases it.
    """
    for halvings in range(MOST_HALVINGS):
        share = 0.5**halvings
        new = loss(theta + share * step)
        enough = 1e-4 * share * float(at.gradient @ step)
        if new.value <= at.value + enough + 8 * EPS * at.value:
            return theta + share * step, new
    raise ArithmeticError("no step decreases the expected log loss")
