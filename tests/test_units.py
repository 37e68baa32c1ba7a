"""Rows and groups of them: which rows a set of groups has, and of which class a group is."""

from __future__ import annotations

import numpy as np
import pytest

from gdcurves.splits import training_sets
from gdcurves.units import MIXED, Units

LABELS = np.array([7, 7, 3, 9, 3, 7, 1, 9, 9, 3])
Y = np.array([0, 0, 1, 1, 1, 0, 1, 0, 1, 1])


def test_groups_are_numbered_in_the_order_of_their_first_rows() -> None:
    units = Units.groups(LABELS)
    assert units.of_row.tolist() == [0, 0, 1, 2, 1, 0, 3, 2, 2, 1]
    assert (units.n, units.sizes.tolist()) == (4, [3, 3, 3, 1])
    assert units.kinds(Y).tolist() == [0, 1, MIXED, 1]
    alone = Units.groups(np.array([5, 2, 8]))
    assert alone.of_row.tolist() == Units.rows(3).of_row.tolist() == [0, 1, 2]


def test_rows_of_groups() -> None:
    units = Units.groups(LABELS)
    drawn = np.array([[3, 0], [1, 2], [0, 2], [1, 3], [2, 1]])
    found = {}
    for sets, rows in units.by_number_of_rows(drawn):
        assert len(rows) == len(sets)
        found |= dict(zip(sets.tolist(), rows.tolist(), strict=True))
    expected = [
        [row for unit in each for row in np.flatnonzero(units.of_row == unit)] for each in drawn
    ]
    assert [found[i] for i in range(5)] == expected
    for rows in found.values():
        assert units.among(np.array([rows])).tolist() == [2]


@pytest.mark.parametrize("n", [2, 30])
def test_sets_of_groups_hold_two_classes_and_grow(n: int) -> None:
    """Twenty groups of class 0, and one of class 1 or of both."""
    for rare in (1, MIXED):
        kinds = np.append(np.zeros(20, dtype=np.int64), rare)
        sets = training_sets(kinds, [2, 5, 18], range(n), 3, "e")
        for m, units in sets.items():
            assert units.shape == (n, m)
            assert all(len(set(each)) == m and 20 in each for each in units.tolist())
        whole = training_sets(kinds, [5, 20], range(n), 3, "e")
        first = np.array([20 in each[:5] for each in whole[20]])
        assert (whole[5] == whole[20][:, :5])[first].all()


def test_one_group_of_both_classes_is_a_training_set_with_any_other() -> None:
    """Every set of two groups is as likely, as all hold two classes."""
    kinds = np.full(5, MIXED)
    sets = np.sort(training_sets(kinds, [2], range(2000), 0, "e")[2], axis=1)
    _, counts = np.unique(sets, axis=0, return_counts=True)
    assert len(counts) == 10
    assert ((counts - 200) ** 2 / 200).sum() < 33.7  # chi-squared with 9, once in 10,000
