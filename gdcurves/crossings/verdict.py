"""Whether one classifier is better than another, from the same splits of one data set."""

from __future__ import annotations

import numpy as np
from scipy.special import stdtrit

from gdcurves.crossings.crossing import LEVEL


def interval(mean: float, deviation: float, n: int, test_per_train: float) -> tuple[float, float]:
    """Confidence interval of a mean difference over splits that share rows.

    Nadeau & Bengio (2003), "Inference for the generalization error", Machine Learning 52: the
    variance of the mean is (1 / J + n_test / n_train) s^2, and the mean over its root is taken to
    have a t distribution with J - 1 degrees of freedom. The second term stands for the correlation
    of splits of one data set. It is cautious where there are more test than training rows.

    Parameters
    ----------
    mean, deviation, n
        Mean over the splits, their standard deviation s, and their number J.
    test_per_train
        n_test / n_train; 0 for splits that share no row.

    Returns
    -------
    Its ends; NaN where there is one split.
    """
    if n < 2:
        return np.nan, np.nan
    reach = stdtrit(n - 1, (1 + LEVEL) / 2) * deviation * np.sqrt(1 / n + test_per_train)
    return float(mean - reach), float(mean + reach)
