"""Which intervals show that a classifier is better than always answering the largest class."""

from __future__ import annotations

import math

from gdcurves.crossings.useful import Against, beats_base_rate


def test_classes_of_one_size_are_told_by_the_interval_of_the_error() -> None:
    """A single row changes what the trained one answers: it errs more, and its interval is wide."""
    flips = Against(error=0.52, half_width=0.33, shown=False)
    assert beats_base_rate(0.235, 0.15, 0.45, 40, flips)
    assert not beats_base_rate(0.235, 0.22, 0.45, 40, flips)
    # However narrow the interval is, the trained one is no base rate then.
    narrow = Against(error=0.52, half_width=0.02, shown=True)
    assert not beats_base_rate(0.43, 0.1, 0.45, 40, narrow)


def test_a_rare_class_is_told_by_the_difference() -> None:
    """Of 300 rows 18 are of the class: how many there are moves error and base rate alike."""
    constant = Against(error=0.061, half_width=0.012, shown=True)
    assert beats_base_rate(0.04, 0.025, 0.06, 300, constant)
    assert not beats_base_rate(0.04, 0.025, 0.06, 300, Against(0.061, 0.012, shown=False))
    assert not beats_base_rate(0.05, 0.025, 0.06, 300, constant)


def test_few_rows_that_differ_show_nothing() -> None:
    """As for two fitters: five rows of one sign may be chance, 2 (1/2)^5 = 0.06, six not."""
    assert not beats_base_rate(0.05, 0.01, 0.1, 100)
    assert beats_base_rate(0.04, 0.01, 0.1, 100)
    assert not beats_base_rate(0.04, math.nan, 0.1, 100)
