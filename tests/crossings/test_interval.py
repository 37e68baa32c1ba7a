"""The interval for other data: reference values, and what must hold of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import quiet
from golden import COLLECTION
from scipy import stats

from gdcurves import config, plan
from gdcurves.arrays import BoolArray, FloatArray, IntArray
from gdcurves.crossings.interval import Jackknife, Spread, of_blocks, of_units
from gdcurves.scoring.sums import QUANTITIES, HeldOut, UnitSums, together

GOLDEN = COLLECTION / "interval_golden.json"


def golden() -> list[Any]:
    if GOLDEN.exists():
        return json.loads(GOLDEN.read_text(encoding="utf-8"))
    reason = "needs the reference folder ../shared, which this checkout does not have"
    return [pytest.param({}, marks=pytest.mark.skip(reason=reason))]


def made_up(n: int, m: int, J: int, seed: int) -> tuple[IntArray, FloatArray]:
    """Training rows (J, m), and differences of two losses on all rows (J, n)."""
    rng = np.random.default_rng(seed)
    train = np.array([rng.permutation(n)[:m] for _ in range(J)])
    of_row = rng.normal(size=n)
    at_hand = of_row[train].mean(axis=1, keepdims=True)
    differ = rng.random((J, n)) < 0.4
    return train, differ * np.sign(of_row + 2 * at_hand + rng.normal(size=(J, n)))


class Splits:
    """Differences (J, n) of splits with training rows (J, m), and their sums in parts."""

    def __init__(self, train: IntArray, differences: FloatArray, part: int = 25) -> None:
        (J, n), m = differences.shape, train.shape[1]
        self.tested: BoolArray = np.ones((J, n), dtype=bool)
        np.put_along_axis(self.tested, train, False, axis=1)
        self.mean = (differences * self.tested).sum(axis=1) / (n - m)
        without = ((n - m) * self.mean[:, None] - differences) / (n - m - 1)
        self.gaps = (self.mean[:, None] - without) * self.tested
        self.spread = Spread(J, float(self.mean.std(ddof=1)), m, n - m)
        self.parts = [self.sums(slice(k, k + part)) for k in range(0, J, part)]

    def sums(self, some: slice) -> UnitSums:
        return UnitSums.of(self.mean[some], self.gaps[some], HeldOut.of(self.tested[some]))

    def jackknife(self) -> Jackknife:
        return of_units(together(self.parts), self.spread)


@pytest.mark.parametrize("case", golden())
def test_reference_values(case: dict[str, Any]) -> None:
    splits = Splits(np.array(case["train"]), np.array(case["diff"], dtype=np.float64))
    found, expected = splits.jackknife(), case["expected"]
    assert together(splits.parts).mean == pytest.approx(expected["mean"], abs=1e-12)
    assert found.influence == pytest.approx(np.array(expected["influence"]), abs=1e-12)
    assert found.noise == pytest.approx(np.array(expected["noise"]), abs=1e-12)
    assert found.variance == pytest.approx(expected["variance_jackknife"], abs=1e-12)
    assert found.test_variance == pytest.approx(expected["variance_test_part"], abs=1e-12)
    spread = splits.spread
    monte_carlo = spread.deviation**2 / spread.n_splits
    assert monte_carlo == pytest.approx(expected["variance_monte_carlo"], abs=1e-12)
    t = stats.t.ppf(0.975, spread.n_splits - 1)
    corrected = (spread.nadeau_bengio() / t) ** 2
    assert corrected == pytest.approx(expected["variance_nadeau_bengio"], abs=1e-12)
    assert found.half_width(spread) == pytest.approx(expected["half_width"], abs=1e-9)


def test_parts_make_the_whole_about_any_mean() -> None:
    splits = Splits(*made_up(15, 6, 200, 1), part=30)
    whole, parts = splits.sums(slice(None)), together(splits.parts)
    assert (whole.n_splits, whole.mean) == (parts.n_splits, pytest.approx(parts.mean, abs=1e-15))
    np.testing.assert_allclose(whole.values, parts.values, atol=1e-10)
    np.testing.assert_allclose(whole.about(0.3).about(whole.mean).values, whole.values, atol=1e-10)


def test_splits_without_a_value_are_left_out() -> None:
    splits = Splits(*made_up(15, 6, 40, 2))
    mean = np.concatenate([[np.inf, np.nan], splits.mean])
    gaps = np.concatenate([np.full((2, 15), np.nan), splits.gaps])
    tested = np.concatenate([splits.tested[:2], splits.tested])
    found, whole = UnitSums.of(mean, gaps, HeldOut.of(tested)), splits.sums(slice(None))
    assert (found.n_splits, found.mean) == (40, whole.mean)
    assert np.array_equal(found.values, whole.values)


@pytest.mark.parametrize("m", [10, 40, 70])
def test_blocks_say_what_rows_say(m: int) -> None:
    """A block of one row has the same influence, and nearly the same noise."""
    splits = Splits(*made_up(80, m, 2000, m), part=20)
    rows = splits.jackknife()
    single = of_blocks(
        [each.blocks(np.arange(80), 80) for each in splits.parts], np.ones(80, int), splits.spread
    )
    np.testing.assert_allclose(single.influence, rows.influence, atol=1e-12)
    np.testing.assert_allclose(single.test, rows.test, atol=1e-12)
    assert single.noise.sum() == pytest.approx(rows.noise.sum(), rel=0.1)
    assert single.test_noise.sum() == pytest.approx(rows.test_noise.sum(), rel=0.1)
    block = np.arange(80) % 20
    few = of_blocks(
        [each.blocks(block, 20) for each in splits.parts], np.full(20, 4), splits.spread
    )
    # As many tests a row as its block has on average is nearly the truth.
    sums = np.bincount(block, rows.influence)
    np.testing.assert_allclose(few.influence, sums, atol=0.12 * np.abs(sums).max())
    assert few.differing == 20


@pytest.mark.slow
@pytest.mark.parametrize("n", [60, 240])
def test_the_variance_of_a_mean_is_found(n: int) -> None:
    """Differences that no training row matters to: the variance is that of their mean over n."""
    found, blocks, true = [], [], 0.25
    for seed in range(60):
        rng = np.random.default_rng(seed)
        train = np.array([rng.permutation(n)[: n // 3] for _ in range(400)])
        differences = np.tile(rng.normal(0.1, np.sqrt(true), size=n), (400, 1))
        splits = Splits(train, differences, part=20)
        found.append(splits.jackknife().variance * n)
        of_unit = np.arange(n) % 30
        parts = [each.blocks(of_unit, 30) for each in splits.parts]
        blocks.append(of_blocks(parts, np.bincount(of_unit), splits.spread).variance * n)
    for each in (found, blocks):
        assert np.mean(each) == pytest.approx(true, abs=4 * stats.sem(each))


@pytest.mark.parametrize("by_chance", [0.0, 0.1])
def test_few_splits_of_many_rows(by_chance: float) -> None:
    """What a row adds as a training row and as a test row, and what a training set does by itself.

    Of each row both are normal with variance 1, so that the mean over all splits of n rows has the
    variance 2 / n. The jackknife cannot tell that from 30 splits.
    """
    n, m, J = 2000, 200, 30
    within, width, jackknifes = [], [], []
    for seed in range(60):
        rng = np.random.default_rng(seed)
        train = np.array([rng.permutation(n)[:m] for _ in range(J)])
        trains, tests = rng.normal(size=(2, n))
        of_set = trains[train].mean(axis=1) + by_chance * rng.normal(size=J)
        splits = Splits(train, of_set[:, None] + tests, part=J)
        found = splits.jackknife()
        width.append(found.half_width(splits.spread))
        jackknifes.append(found.variance)
        within.append(abs(splits.mean.mean()) <= width[-1])
    true = np.sqrt(2 / n + by_chance**2 / J)
    assert np.std(jackknifes) > 2 / n
    assert np.mean(within) >= 0.88
    assert 0.8 < np.mean(width) / (stats.norm.ppf(0.975) * true) < 1.4


def test_no_verdict_from_few_rows() -> None:
    train, differences = made_up(30, 10, 300, 3)
    differences[:, 5:] = 0.0
    few = Splits(train, differences).jackknife()
    assert (few.differing, few.telling) == (5, False)
    differences[0, np.setdiff1d(np.arange(5, 30), train[0])[0]] = 1.0
    enough = Splits(train, differences).jackknife()
    assert (enough.differing, enough.telling) == (6, True)
    six = Splits(*made_up(6, 3, 300, 4)).jackknife()
    assert (six.differing, six.telling) == (6, False)


def test_one_row_left_out_says_nothing_of_other_data() -> None:
    """Always answering the largest class is always wrong then, where classes are as large."""
    spread = Spread(50, 0.3, 19, 1)
    nothing = np.zeros((len(QUANTITIES), 20))
    assert spread.nadeau_bengio() == np.inf
    assert of_units(UnitSums(50, 0.1, nothing), spread).half_width(spread) == np.inf
    assert np.isfinite(spread.half_width())  # of these data


@pytest.mark.parametrize("n", [8, 40, 1000])
def test_splits_that_agree_leave_open_what_so_many_rows_may_not_show(n: int) -> None:
    agreeing = Spread(100, 0.0, n // 2, n - n // 2)
    assert stats.binom.pmf(0, n, agreeing.unseen()) == pytest.approx(0.025, rel=1e-9)
    assert Spread(100, 0.01, n // 2, n - n // 2).unseen() == 0


def test_a_perfect_ranking_of_eight_rows_is_not_sure(tmp_path: Path) -> None:
    """A law on which the classifiers err, and of which eight rows do not show it."""
    rows = [f"{i + 5 * (i > 3)}.5,{'np'[i > 3]}" for i in range(8)]
    (tmp_path / "my.csv").write_text("\n".join(["a,y", *rows]) + "\n")
    (tmp_path / "my.yaml").write_text(
        "splits: 60\nsizes: [6]\ninterval: rows\nmeasures: [error, auc]\n"
        "fitters: [{type: lda}, {type: majority}]\n"
        f"experiments: [{{name: e, data: {tmp_path / 'my.csv'}, target: y, inputs: continuous}}]\n"
    )
    quiet.run(plan.make(config.load(tmp_path / "my.yaml")), tmp_path / "out", "my")
    curves = pd.read_csv(tmp_path / "out" / "curves.csv").set_index("fitter")
    open_still = 1 - 0.025 ** (1 / 8)
    assert curves.loc["lda", "auc_mean"] == 1
    assert curves.loc["lda", "auc_low"] == pytest.approx(1 - open_still)
    assert curves.loc["lda", "auc_high"] == 1
    ends = curves.loc["majority", ["auc_low", "auc_high"]]
    assert ends.tolist() == [0.5, 0.5]  # whatever the rows
    compared = pd.read_csv(tmp_path / "out" / "comparisons.csv").set_index("measure")
    assert compared.loc["auc", "low"] == pytest.approx(0.5 - open_still)
    assert compared.loc["auc", "high"] == pytest.approx(0.5 + open_still)


def test_the_test_part_is_the_least_that_a_value_has_and_half_of_it_what_a_difference_has() -> None:
    """Whatever is read off the splits: of influences of zero that are sure, nothing is left."""
    rng = np.random.default_rng(0)
    n, nothing = 40, np.zeros(40)
    spread = Spread(1000, 0.2, 30, 10)
    found = Jackknife(nothing, nothing, rng.normal(size=n) / 4, nothing, np.ones(n, dtype=int), n)
    t = stats.t.ppf(0.975, n - 1)
    of_splits, of_test = 0.2**2 / 1000, np.var(found.test, ddof=0) * n / (n - 1) / n
    mean = np.mean(found.test) ** 2 * n / (n - 1) / n
    assert found.test_variance == pytest.approx(of_test + mean)
    value = found.half_width(spread, of_difference=False)
    assert value == pytest.approx(t * np.sqrt(found.test_variance + of_splits))
    difference = found.half_width(spread)
    assert difference == pytest.approx(t * np.sqrt(found.test_variance / 2 + of_splits))
