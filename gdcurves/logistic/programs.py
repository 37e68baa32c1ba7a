"""The linear program that finds the largest strictly separable part of a training set."""

from __future__ import annotations

import numpy as np

from gdcurves.arrays import BoolArray, FloatArray


def largest_separable_part(rows: FloatArray) -> tuple[BoolArray, FloatArray, FloatArray]:
    """Solve max sum_i s_i subject to <w, a_i> >= s_i and 0 <= s_i <= 1.

    Vectors that have no row on the wrong side form a cone, closed under sums and scaling, so the
    optimum has s_i = 1 for each row that any of them separates strictly, and s_i = 0 elsewhere.

    Parameters
    ----------
    rows
        Signed rows of one training set, shape (m, q).

    Returns
    -------
    The separable rows, shape (m,); the vector w, shape (q,); and the multipliers, shape (m,): at
    least 1 on every row when no row is separable. The caller verifies them as certificates; where
    the program fails, all are zero and verification fails too.
    """
    from scipy.optimize import linprog  # whose import takes a while, and which few sets need

    n_rows, n_weights = rows.shape
    # The simplex method gives up on a few tiny problems; the interior point method solves these.
    for method in ("highs", "highs-ipm"):
        result = linprog(
            np.concatenate([np.zeros(n_weights), -np.ones(n_rows)]),
            A_ub=np.hstack([-rows, np.eye(n_rows)]),
            b_ub=np.zeros(n_rows),
            bounds=[(None, None)] * n_weights + [(0.0, 1.0)] * n_rows,
            method=method,
        )
        if result.status == 0 and result.x is not None:
            return result.x[n_weights:] > 0.5, result.x[:n_weights], -result.ineqlin.marginals
    return np.zeros(n_rows, dtype=bool), np.zeros(n_weights), np.zeros(n_rows)
