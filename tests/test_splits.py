"""Training sets: what each holds, their law, and what they depend on."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from scipy import stats

from gdcurves.splits import generator, training_sets

# Rows sorted by class, the smaller class last.
SORTED = np.repeat([0, 1], [27, 3]).astype(np.int8)
# A test of a law fails by chance once in so many runs with other seeds.
FALSE_ALARM = 1e-4


def drawn(y: np.ndarray, sizes: list[int], n: int, seed: int = 0) -> dict[int, np.ndarray]:
    return training_sets(y, sizes, range(n), seed, "toy")


def test_case_1_rows_are_distinct_and_hold_two_classes() -> None:
    sizes = [2, 3, 5, 29]
    sets = drawn(SORTED, sizes, 500)
    assert list(sets) == sizes
    for m, rows in sets.items():
        assert rows.shape == (500, m)
        assert rows.min() >= 0
        assert rows.max() < len(SORTED)
        assert (np.diff(np.sort(rows, axis=1), axis=1) > 0).all()
        classes = SORTED[rows]
        assert (classes.min(axis=1) < classes.max(axis=1)).all()


@pytest.mark.slow
def test_sets_of_a_split_are_prefixes_of_one_permutation() -> None:
    """Where a prefix holds a single class, that one set alone is drawn anew."""
    sets = drawn(SORTED, [2, 3, 5, 9, 29], 500)
    permutation = sets.pop(29)  # three rows of the second class: two of them are in it
    redrawn = {}
    for m, rows in sets.items():
        prefix = permutation[:, :m]
        kept = (rows == prefix).all(axis=1)
        two_classes = np.ptp(SORTED[prefix], axis=1) > 0
        assert np.array_equal(kept, two_classes)
        redrawn[m] = int((~kept).sum())
    # Hypergeometric: no row of the second class among the first two, 351 / 435 of all.
    assert 350 < redrawn[2] < 450
    assert redrawn[2] > redrawn[3] > redrawn[5] > redrawn[9] > 0


def admissible(y: np.ndarray, m: int) -> list[tuple[int, ...]]:
    return [each for each in combinations(range(len(y)), m) if len({*y[list(each)]}) > 1]


@pytest.mark.slow
@pytest.mark.parametrize("labels", [[0, 0, 0, 1, 1], [0, 0, 0, 0, 1], [0, 1, 2, 2, 2]])
@pytest.mark.parametrize("m", [2, 3])
def test_law_is_uniform_over_sets_with_two_classes(labels: list[int], m: int) -> None:
    y = np.array(labels, dtype=np.int8)
    possible = admissible(y, m)
    # With a larger set in the same call, so that prefixes and redrawn sets are mixed.
    rows = np.sort(training_sets(y, [m, 4], range(4000), 7, "law")[m], axis=1)
    indices = [possible.index(tuple(each)) for each in rows.tolist()]
    counts = np.bincount(indices, minlength=len(possible))
    assert stats.chisquare(counts).pvalue > FALSE_ALARM


@pytest.mark.slow
def test_law_of_the_order_within_a_set() -> None:
    """Every row is as often first: fitters may depend on the order, the law must not."""
    first = drawn(np.array([0, 0, 1, 1, 1], dtype=np.int8), [3], 4000)[3][:, 0]
    # 10 subsets, of which {2, 3, 4} is not admissible: rows 0 and 1 are in 6, the others in 5.
    expected = np.array([6, 6, 5, 5, 5]) / 27
    assert stats.chisquare(np.bincount(first), 4000 * expected).pvalue > FALSE_ALARM


def test_splits_do_not_depend_on_chunks_or_the_other_sizes() -> None:
    whole = training_sets(SORTED, [2, 7, 12], range(20), 3, "toy")
    for chunk in (range(0, 6), range(6, 20), range(13, 14)):
        part = training_sets(SORTED, [2, 12], chunk, 3, "toy")
        for m in (2, 12):
            assert np.array_equal(part[m], whole[m][chunk.start : chunk.stop])


def test_splits_depend_on_seed_and_experiment_and_number() -> None:
    base = training_sets(SORTED, [12], range(4), 3, "toy")[12]
    assert not np.array_equal(base, training_sets(SORTED, [12], range(4), 4, "toy")[12])
    assert not np.array_equal(base, training_sets(SORTED, [12], range(4), 3, "Toy")[12])
    assert len({tuple(each) for each in base.tolist()}) == 4


def test_generator_tells_keys_apart() -> None:
    keys: list[tuple[str | int, ...]] = [
        (),
        ("a",),
        ("a", 1),
        ("a", "1"),
        ("a1",),
        ("a", 1, 0),
        ("a", 0, 1),
        (1, "a"),
        ("a", 11),
    ]
    first = {int(generator(5, *key).integers(2**62)) for key in keys}
    assert len(first) == len(keys)
    again = generator(5, "a", 1).random(3)
    assert np.array_equal(again, generator(5, "a", 1).random(3))
    assert not np.array_equal(again, generator(6, "a", 1).random(3))


def test_smallest_case() -> None:
    """Two classes of one row and m = 2 leave one possible set."""
    y = np.array([0, 0, 0, 0, 0, 0, 0, 0, 1], dtype=np.int8)
    sets = training_sets(y, [2], range(50), 0, "rare")[2]
    assert (y[sets].sum(axis=1) == 1).all()
