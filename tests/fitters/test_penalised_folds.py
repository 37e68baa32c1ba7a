"""The strength of a penalty by cross-validation, against scikit-learn's fits of the same folds."""

from __future__ import annotations

import numpy as np
import pytest
from rules import fitted
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss

from gdcurves.fitters import Batch
from gdcurves.fitters.penalised_logistic import PenalisedLogistic
from gdcurves.logistic import path
from gdcurves.logistic.folds import Folds, assigned
from gdcurves.logistic.path import STRENGTHS, held_out, strengths
from gdcurves.logistic.penalised import Problems, minimise
from gdcurves.logistic.quasi_newton import TOLERANCE

pytestmark = pytest.mark.usefixtures("one_thread")


def made(k: int, noise: float, seed: int, m: int = 45) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(m) % k)
    x = noise * rng.normal(size=(m, 6))
    x[:, :k] += np.eye(k)[y]
    return x - x.mean(axis=0), y


def test_folds_share_out_every_class() -> None:
    y = np.array([[0] * 20 + [1] * 7, [0] * 24 + [1] * 3, [0] * 26 + [1]])
    fold, n_folds = assigned(y, 2, np.random.default_rng(0))
    assert n_folds.tolist() == [5, 3, 1]
    for b in range(3):
        for k in range(2):
            count = np.bincount(fold[b][y[b] == k], minlength=n_folds[b])
            assert len(count) == n_folds[b]
            assert count.max() - count.min() <= 1
            assert count.min() >= 1
    other, _ = assigned(y, 2, np.random.default_rng(1))
    assert (fold != other).any()


def test_folds_hold_whole_groups_and_share_out_those_of_every_class() -> None:
    rng = np.random.default_rng(0)
    kind = np.repeat([0, 1, 2], [9, 3, 14])
    group = np.array([rng.permutation(np.repeat(np.arange(26), rng.multinomial(40, [1 / 26] * 26)
                      + 1)) for _ in range(6)])  # fmt: skip
    fold, n_folds = assigned(kind[group], 3, rng, group)
    assert n_folds.tolist() == [3] * 6
    for b in range(6):
        of_group = np.array([np.unique(fold[b][group[b] == g]).item() for g in range(26)])
        for k in range(3):
            count = np.bincount(of_group[kind == k], minlength=3)
            assert count.max() - count.min() <= 1


def test_groups_of_one_row_are_rows() -> None:
    y = np.random.default_rng(1).integers(0, 2, size=(5, 30))
    rows = np.tile(np.random.default_rng(2).permutation(30), (5, 1))
    alone, together = (assigned(y, 2, np.random.default_rng(3), each) for each in (None, rows))
    np.testing.assert_array_equal(alone[0], together[0])
    np.testing.assert_array_equal(alone[1], together[1])


def test_groups_with_rows_of_several_classes_leave_every_class_to_learn_from() -> None:
    """Or there is one fold: nothing is held out, and the strength is 1."""
    rng = np.random.default_rng(4)
    y, group = rng.integers(0, 3, size=(400, 14)), rng.integers(0, 5, size=(400, 14))
    y[:, :3] = np.arange(3)
    fold, n_folds = assigned(y, 3, rng, group)
    assert set(n_folds) >= {1, 2, 3}
    for b in np.flatnonzero(n_folds > 1):
        assert set(fold[b]) == set(range(n_folds[b]))
        for f in range(n_folds[b]):
            assert set(y[b][fold[b] != f]) == set(y[b])
            assert not set(group[b][fold[b] == f]) & set(group[b][fold[b] != f])


def test_rows_that_are_alike_in_a_group_choose_no_weaker_penalty_than_each_once() -> None:
    """Copies on both sides of a fold would: of noise, the least penalty fits them best."""
    rng = np.random.default_rng(6)
    x, y = rng.normal(size=(40, 12)), np.arange(40) % 2
    copies = np.repeat(np.arange(40), 4)
    leaking, kept = (
        strengths(x[None, copies], y[None, copies], 2, np.random.default_rng(0), group=group)[0]
        for group in (None, copies[None])
    )
    once, _ = strengths(x[None], y[None], 2, np.random.default_rng(0))
    assert once.item() >= 100  # noise tells nothing
    assert kept.item() >= 100
    assert leaking.item() <= 1


@pytest.mark.slow
@pytest.mark.parametrize("grouped", [False, True])
@pytest.mark.parametrize("k", [2, 3])
def test_strengths_are_those_of_the_least_loss(k: int, grouped: bool) -> None:
    x, y = (np.array(each) for each in zip(*(made(k, s, s) for s in (1, 2, 3)), strict=True))
    x *= np.array([0.2, 1.0, 3.0])[:, None, None]
    group = np.tile(np.arange(45) % 9, (3, 1)) if grouped else None
    got, _ = strengths(x, y, k, np.random.default_rng(5), group=group)
    fold, n_folds = assigned(y, k, np.random.default_rng(5), group)
    assert n_folds.tolist() == [5] * 3
    for b in range(3):
        losses = []
        for strength in STRENGTHS:
            model = LogisticRegression(C=1 / strength, tol=1e-8, solver="newton-cholesky")
            p = np.zeros((len(y[b]), k))
            for f in range(n_folds[b]):
                out = fold[b] == f
                p[out] = model.fit(x[b][~out], y[b][~out]).predict_proba(x[b][out])
            losses.append(log_loss(y[b], p))
        assert got[b] == STRENGTHS[int(np.argmin(losses))]
    assert len(set(got)) > 1


def test_a_fit_has_the_strength_that_was_chosen() -> None:
    """By the seed alone, and 1 where a class has a single row."""
    x, y = made(2, 0.2, 0)
    chosen = fitted(PenalisedLogistic(strength="cv"), x, y).rules.weights
    standard = (x - x.mean(axis=0)) / x.std(axis=0)
    (strength,), _ = strengths(standard[None], y[None], 2, np.random.default_rng(0))
    same = fitted(PenalisedLogistic(strength=strength), x, y).rules.weights
    assert strength != 1.0
    assert chosen == pytest.approx(same, rel=1e-9)
    rows = np.r_[np.flatnonzero(y == 0), np.flatnonzero(y == 1)[:1]]
    one, given = (
        fitted(PenalisedLogistic(strength=each), x[rows], y[rows]).rules.weights
        for each in ("cv", 1.0)
    )
    assert np.array_equal(one, given)


def test_sets_of_a_batch_may_have_different_numbers_of_folds() -> None:
    x, y = made(3, 0.7, 2, 90)
    order = np.argsort(y, kind="stable")
    rows = order[np.array([np.r_[0:10, 30 : 30 + n, 60:70, 15 : 25 - n] for n in (1, 2, 4, 9)])]
    batch = Batch(x[rows], y[rows], (0,) * 6, 3)
    weights = PenalisedLogistic(strength="cv").fit(batch, np.random.default_rng(3)).rules.weights
    for b, training in enumerate(rows):
        ours = weights[0, b]
        fits = [
            fitted(PenalisedLogistic(strength=each), x[training], y[training], k=3)
            for each in STRENGTHS
        ]
        near = [np.abs(each.rules.weights[0, 0] - ours).max() < 1e-9 for each in fits]
        assert sum(near) == 1
        assert b > 0 or near[STRENGTHS.index(1.0)]


@pytest.mark.slow
@pytest.mark.parametrize(("k", "m", "d"), [(2, 24, 9), (2, 120, 33), (3, 40, 6), (4, 90, 12)])
def test_held_out_losses_are_those_of_fits_to_the_end(k: int, m: int, d: int) -> None:
    """To the tolerance that is claimed, from overlapping sets to separable ones."""
    rng = np.random.default_rng(m)
    y = np.stack([rng.permutation(np.arange(m) % k) for _ in range(3)])
    x = rng.normal(size=(3, m, d))
    x[..., :k] += np.eye(k)[y] * np.array([0.3, 1.0, 5.0])[:, None, None]
    fold, _ = assigned(y, k, rng)
    losses, fits = held_out(Folds.of(x, y, fold, k), STRENGTHS)
    # A set that has left the path had a loss that is clearly less.
    assert np.all(np.isfinite(losses[:3]))
    assert np.all(losses[4:].max(axis=0) > losses.min(axis=0))
    for number in (0, 2, 4, 6):
        strength = STRENGTHS[number]
        for b in np.flatnonzero(np.isfinite(losses[number])):
            expected = 0.0
            for f in range(5):
                out = fold[b] == f
                rest = Problems.of(x[b][None, ~out], y[b][None, ~out], np.array([strength]), k)
                held = Problems.of(x[b][None, out], y[b][None, out], np.array([strength]), k)
                expected += held.at(minimise(rest)[:, None]).losses.sum()
            assert losses[number, b] == pytest.approx(expected, rel=2 * TOLERANCE)
        there = np.isfinite(losses[number])
        every = Problems.of(x[there], y[there], np.full(there.sum(), strength), k)
        values = every.at(fits[number][there][:, None]).value
        least = every.at(minimise(every)[:, None]).value
        assert values == pytest.approx(least, rel=1e-3)


@pytest.mark.slow
def test_who_leaves_the_path_would_have_chosen_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Against whole paths, on sets from nearly no difference to separable ones."""
    rng = np.random.default_rng(2)
    left = 0
    for k, m, d in ((2, 20, 3), (2, 60, 20), (3, 40, 10), (3, 150, 5)):
        y = np.stack([rng.permutation(np.arange(m) % k) for _ in range(15)])
        x = rng.normal(size=(15, m, d))
        x[..., :k] += np.eye(k)[y] * np.repeat([0.3, 1.0, 3.0], 5)[:, None, None]
        folds = Folds.of(x, y, assigned(y, k, rng)[0], k)
        monkeypatch.setattr(path, "CLEAR", 2.0)
        losses, _ = held_out(folds, STRENGTHS)
        monkeypatch.setattr(path, "CLEAR", 1e9)
        whole, _ = held_out(folds, STRENGTHS)
        left += np.isinf(losses).any(axis=0).sum()
        assert np.all(np.isfinite(whole))
        assert np.array_equal(losses.argmin(axis=0), whole.argmin(axis=0))
    assert left > 10


def test_a_path_does_not_depend_on_the_batch() -> None:
    x, y = (np.array(each) for each in zip(*(made(2, s, 3, 60) for s in (1, 2, 3)), strict=True))
    fold, _ = assigned(y, 2, np.random.default_rng(5))
    losses, fits = held_out(Folds.of(x, y, fold, 2), STRENGTHS)
    for b in range(3):
        one = slice(b, b + 1)
        alone, fit = held_out(Folds.of(x[one], y[one], fold[one], 2), STRENGTHS)
        assert losses[:, one] == pytest.approx(alone, rel=1e-9)
        assert fits[:, one] == pytest.approx(fit, rel=1e-6, abs=1e-9)
