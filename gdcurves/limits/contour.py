"""Expectations of functions of a quadratic form in normal variables, by contour integrals.

The step function and the log loss are integrals of exponentials along a vertical line,

    1[s < 0] = (1 / 2 pi i) int exp(-u s) / u du,                       Re u > 0,
    log(1 + exp(-s)) = (1 / 2 pi i) int exp(-u s) pi / (u sin pi u) du,  0 < Re u < 1,

and the expectation of exp(-u s) is known in closed form where s is a quadratic form: so the
expectations are integrals of analytic functions. The line is moved through the saddle point on the
real axis and bent to the side on which the integrand decays, a hyperbola on which the trapezoidal
rule converges geometrically. Nothing cancels: small probabilities have small relative errors.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

from gdcurves.arrays import FloatArray
from gdcurves.limits.quadratic import DiagonalForm

ComplexArray = NDArray[np.complex128]

EPS = float(np.finfo(float).eps)
NEGLIGIBLE = -44.0  # log of what is left out beside the integrand at the saddle point
TILTS = (-0.5, 0.0, 0.5)  # slopes of the asymptotes; within 1, where exp(u^2) decays
FARTHEST = 90.0  # of the parameter x; an integrand that decays as u^(-3/2) is negligible there
COARSEST, FINEST = 3, 9  # steps of x are 2^-3 ... 2^-9


@dataclass(frozen=True)
class Kernel:
    """k(u) of an integral (1 / 2 pi i) int exp(-u s) k(u) du, for u in the upper half plane.

    Attributes
    ----------
    log
        log k(u) at u (n,), shape (n,).
    slope, curvature
        First and second derivative of log k on the real axis.
    end
        The line crosses the real axis between 0 and this.
    """

    log: Callable[[ComplexArray], ComplexArray]
    slope: Callable[[float], float]
    curvature: Callable[[float], float]
    end: float


def _log_sine(u: ComplexArray) -> ComplexArray:
    """Log of sin(pi u), without overflow far up."""
    result: ComplexArray = -1j * np.pi * u + np.log(-np.expm1(2j * np.pi * u)) + np.log(0.5j)
    return result


STEP = Kernel(
    log=lambda u: -np.log(u),
    slope=lambda u: -1 / u,
    curvature=lambda u: 1 / u**2,
    end=np.inf,
)
SOFTPLUS = Kernel(
    log=lambda u: np.log(np.pi) - np.log(u) - _log_sine(u),
    slope=lambda u: -1 / u - np.pi / np.tan(np.pi * u),
    curvature=lambda u: 1 / u**2 + (np.pi / np.sin(np.pi * u)) ** 2,
    end=1.0,
)


@dataclass(frozen=True, eq=False)
class Nodes:
    """A quadrature rule, Im sum_j weights_j G(u_j), for functions of s and of what s is made of.

    G = 1 gives E w(s) with w the kernel's function; G = -u and u^2 give its first and second
    derivative in the place of w; G(u) = E[v exp(-u s)] / E exp(-u s) gives E[v w(s)].

    Attributes
    ----------
    u, weights
        Shape (n,).
    error
        Estimate of the error of the sum with G = 1.
    """

    u: ComplexArray
    weights: ComplexArray
    error: float

    @property
    def sum(self) -> float:
        """The expectation of the kernel's function."""
        return float(self.weights.imag.sum())


def nodes(form: DiagonalForm, kernel: Kernel) -> Nodes:
    """Return the quadrature rule for a form and a kernel.

    Best where the form's mean is not negative. For the step function, the form must take negative
    values and not be constant.
    """
    start = _saddle(form, kernel)
    width = 1 / np.sqrt(_curvature(form, start) + kernel.curvature(start))

    def integrand(x: FloatArray, tilt: float) -> tuple[ComplexArray, ComplexArray, ComplexArray]:
        """Return u, log(transform * kernel) and du/dx on the hyperbola."""
        u = start + width * (tilt * (np.cosh(x) - 1) + 1j * np.sinh(x))
        du = width * (tilt * np.sinh(x) + 1j * np.cosh(x))
        return u, log_transform(form, u) + kernel.log(u), du

    peak = float(integrand(np.zeros(1), 0.0)[1].real[0])
    scan = np.arange(0, FARTHEST, 2.0**-COARSEST)
    sizes = [
        exponent.real - peak + np.log(np.abs(du) / width)
        for _, exponent, du in (integrand(scan, tilt) for tilt in TILTS)
    ]
    tilt, reach = _shortest(scan, np.array(sizes))

    before = np.inf
    for level in range(COARSEST, FINEST + 1):
        step = 2.0**-level
        u, exponent, du = integrand(np.arange(0, reach + 2 * scan[1], step), tilt)
        weights = np.exp(exponent - peak) * du * (step / np.pi)
        weights[0] /= 2
        change, before = abs(weights.imag.sum() - before), weights.imag.sum()
        if change <= 4 * EPS * before:
            break
    # The exponent at the saddle point is a sum of terms of both signs, each of them rounded.
    rounding = EPS * (8 + abs(start * form.c) + abs(peak + start * form.c)) * abs(before)
    scale = np.exp(peak)
    return Nodes(u, weights * scale, float((change + rounding) * scale))


def _shortest(x: FloatArray, sizes: FloatArray) -> tuple[float, float]:
    """Choose the tilt on which the integrand is negligible first, and say from which x.

    Parameters
    ----------
    x
        Shape (n,).
    sizes
        Log of the integrand's size on the hyperbola of each tilt, shape (3, n).
    """
    large = sizes > NEGLIGIBLE
    still_large = np.logical_or.accumulate(large[:, ::-1], axis=1)[:, ::-1]
    # Where it is negligible on all of them, the path can change to one where it stays so.
    bridge = ~large.any(axis=0) & ~still_large.all(axis=0)
    n = int(bridge.argmax()) if bridge.any() else len(x)
    reaches = [float(x[np.flatnonzero(each[:n])[-1]]) for each in large]
    candidates = zip(reaches, map(abs, TILTS), range(len(TILTS)), strict=True)
    _, _, best = min(candidates)
    return TILTS[best], reaches[best]


def log_transform(form: DiagonalForm, u: NDArray[Any]) -> NDArray[Any]:
    """Log of E exp(-u s) at u (...), shape (...), on the branch that is real on the real axis."""
    t = u[..., None]
    spread = 1 + 2 * form.a * t
    terms = (form.g * t) ** 2 / (2 * spread) - 0.5 * np.log(spread)
    result: NDArray[Any] = terms.sum(axis=-1) - u * form.c
    return result


def _slope(form: DiagonalForm, u: float) -> float:
    spread = 1 + 2 * form.a * u
    terms = form.g**2 * u * (1 + form.a * u) / spread**2 - form.a / spread
    return float(terms.sum()) - form.c


def _curvature(form: DiagonalForm, u: float) -> float:
    spread = 1 + 2 * form.a * u
    return float((form.g**2 / spread**3 + 2 * (form.a / spread) ** 2).sum())


def _saddle(form: DiagonalForm, kernel: Kernel) -> float:
    """Return where the integrand is least on the real axis; it is log-convex there."""
    least = float(form.a.min())
    end = min(kernel.end, -0.5 / least if least < 0 else np.inf)

    def slope(u: float) -> float:
        return _slope(form, u) + kernel.slope(u)

    low = 0.5 * min(end, 1 / np.sqrt(form.variance) if form.variance > 0 else end)
    high = low
    while slope(low) > 0:
        low /= 2
    while slope(high) < 0 and high < end * (1 - 2 * EPS):
        high = 2 * high if np.isinf(end) else 0.5 * (high + end)
    if low == high:
        return low
    return float(scipy.optimize.brentq(slope, low, high, xtol=1e-300, rtol=1e-10, maxiter=500))
