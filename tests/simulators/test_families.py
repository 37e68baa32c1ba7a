"""Laws in blocks, in cells and of counts: what is drawn, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from gdcurves import config, plan
from gdcurves.errors import UserError
from gdcurves.problems import fresh
from gdcurves.simulators import SimulationConfig

TWO_BLOCKS = [
    {"features": "1/2", "normal": {"shift": 0.84, "correlation": 0.25}},
    {"features": 0.5, "normal": {"total": 2.5}},
]


def drawn(law: dict[str, Any], n: int = 40_000) -> tuple[SimulationConfig, np.ndarray, np.ndarray]:
    one = SimulationConfig.model_validate(law)
    x = one.law.draw([n, n], np.random.default_rng(0), 1)[0]
    return one, x[:n], x[n:]


def test_normal_features_in_blocks() -> None:
    one, *classes = drawn({"blocks": TWO_BLOCKS, "n": 8})
    expected = np.eye(8)
    expected[:4, :4] += 0.25 * (1 - np.eye(4))
    shift = np.array([0.84] * 4 + [1.25] * 4) / 2
    for x, mean in zip(classes, (-shift, shift), strict=True):
        np.testing.assert_allclose(x.mean(axis=0), mean, atol=0.025)
        np.testing.assert_allclose(np.cov(x.T), expected, atol=0.04)
    assert np.linalg.norm(2 * shift[4:]) == pytest.approx(2.5)
    assert one.law.features == tuple(f"x{i}" for i in range(1, 9))
    assert one.kinds == "continuous"


def test_bits_in_blocks_and_their_cells() -> None:
    blocks = [{"features": 2, "p": [0.4, 0.6]}, {"features": 1, "p": [0.1, 0.1]}]
    one, *classes = drawn({"blocks": blocks})
    cells, mass = one.law.cells()
    p = np.array([[0.4, 0.4, 0.1], [0.6, 0.6, 0.1]])
    for k, x in enumerate(classes):
        np.testing.assert_allclose(x.mean(axis=0), p[k], atol=0.012)
        by_hand = np.prod(np.where(cells == 1, p[k], 1 - p[k]), axis=1)
        np.testing.assert_allclose(mass[:, k], by_hand, atol=1e-15)
    assert x.dtype == np.int32
    assert one.law.levels == (2, 2, 2)


def test_cells_are_drawn_with_their_probabilities() -> None:
    tables = [{"0,11": 0.1, "2,0": 0.3}, {"0,11": 0.15, "1,3": 0.45}]
    one, first, second = drawn({"cells": tables})
    assert one.law.levels == (3, 12)
    assert one.shares == pytest.approx([0.4, 0.6])
    assert one.rows_per_class == (400, 600)
    for x, cell, p in ((first, (2, 0), 0.75), (second, (1, 3), 0.75), (second, (0, 11), 0.25)):
        assert (x == cell).all(axis=1).mean() == pytest.approx(p, abs=0.01)
    within = SimulationConfig.model_validate({"cells": [{"0": 1.0}, {"0": 0.5, "1": 0.5}]})
    assert within.law.shares is None
    assert within.rows_per_class == (500, 500)


def test_counts_have_the_law_of_poisson() -> None:
    one, first, second = drawn({"poisson": [{"a": 2, "b": 0.5}, {"a": 10, "b": 3}]})
    for x, rates in ((first, (2, 0.5)), (second, (10, 3))):
        for column, rate in zip(x.T, rates, strict=True):
            values = np.arange(int(rate) + 1)
            found = np.array([(column <= each).mean() for each in values])
            np.testing.assert_allclose(found, stats.poisson(rate).cdf(values), atol=0.012)
    cells, mass = one.law.cells()
    assert mass.sum(axis=0) == pytest.approx([1, 1], abs=1e-13)
    np.testing.assert_allclose(cells.T @ mass, one.law.rates.T, atol=1e-11)


@pytest.mark.parametrize(
    ("simulate", "words"),
    [
        ("{blocks: [{features: 1/3, p: [0.4, 0.6]}], n: 10}", "n: 1/3 of 10 features is no whole"),
        ("{blocks: [{features: 1/2, p: [0.4, 0.6]}], n: 10}", "n: the blocks have 5 features of"),
        ("{blocks: [{features: 1/2, p: [0.4, 0.6]}]}", "n: this key is missing"),
        ("{blocks: [{features: 2, p: [0.4, 0.6], normal: {shift: 1}}]}", "found both of normal, p"),
        ("{blocks: [{features: 2, normal: {}}]}", "found none of shift, total"),
        ("{blocks: [{features: many, p: [0.4, 0.6]}]}", "a part of n such as 1/2"),
        ("{blocks: []}", "the list is empty"),
        ("{name: ce_diag, n: 4}", "n: only a law in 'blocks' has it"),
        ("{name: ce_diag, test: law, draw: once}", "draw: 'test: law' needs new rows"),
        ("{cells: [{'00': 0.5, '0': 0.5}, {'00': 1}]}", "found 1 feature; write 2"),
        ("{cells: [{'0x': 1}, {'00': 1}]}", "'0x' is no cell"),
        ("{cells: [{'0': 0.5}, {'1': 0.6}]}", "the probabilities sum to 0.5 and 0.6"),
        ("{cells: [{'0': 0.5}, {'1': 0.5}], rows: [10, 20]}", "rows: the law has the classes'"),
        ("{poisson: [{a: 1}, {b: 1}]}", "found the features b; write those of the first class"),
        ("{poisson: [{a: 1}]}", "found 1 mapping"),
    ],
)
def test_mistakes_are_told(tmp_path: Path, simulate: str, words: str) -> None:
    path = tmp_path / "my.yaml"
    path.write_text(
        "sizes: [4]\nfitters: [{type: naive_bayes}]\nexperiments:\n"
        f"- {{name: one, simulate: {simulate}}}\n"
    )
    with pytest.raises(UserError) as caught:
        plan.make(config.load(path))
    assert words in str(caught.value)
    assert "my.yaml:4: experiments[0].simulate" in str(caught.value)


FAMILY = """\
splits: 3
sizes: {times_n: [0.5, 2]}
more_splits: [{sizes: [8], splits: 2}]
fitters:
- {type: naive_bayes, experiments: [wide]}
- {type: logistic_regression}
experiments:
- name: wide
  simulate: {blocks: [{features: 1/2, normal: {shift: 1}}, {features: 1/2, p: [0.1, 0.2]}],
    n: [4, 16], draw: each}
- {name: other, simulate: ce_diag}
"""


def test_a_family_is_an_experiment_for_each_n(tmp_path: Path) -> None:
    path = tmp_path / "my.yaml"
    path.write_text(FAMILY)
    planned = plan.make(config.load(path))
    known = {each.name: each for each in planned.experiments}
    assert [*known] == ["wide-n4", "wide-n16", "other"]
    assert [each.sizes for each in planned.experiments] == [(2, 8), (8, 32), (2, 8)]
    assert known["wide-n16"].n_splits == (2, 3)
    assert [each.name for each in known["wide-n4"].fitters] == [
        "naive_bayes",
        "logistic_regression",
    ]
    assert [each.name for each in known["other"].fitters] == ["logistic_regression"]
    written = planned.config.model_dump(mode="json")
    assert written["fitters"][0]["experiments"] == ["wide-n4", "wide-n16"]
    assert [each["simulate"].get("n") for each in written["experiments"]] == [4, 16, None]
    for only, names in (("wide", ["wide-n4", "wide-n16"]), ("wide-n16", ["wide-n16"])):
        some = plan.make(config.load(path), [only])
        assert [each.name for each in some.experiments] == names
    with pytest.raises(UserError, match="--only wide-n5: no such experiment"):
        plan.make(config.load(path), ["wide-n5"])
    for old, new, words in (
        ("[0.5, 2]", "[0.2, 2]", r"my.yaml:2: sizes.times_n\[0\]: 0.2 times 4 features is 1"),
        ("[0.5, 2]", "[2, 0.5]", r"sizes.times_n\[1\]: 0.5 times 4 features is 2; write what"),
        ("other, sim", "wide-n4, sim", "my.yaml:8: .*wide-n4 is that of another experiment"),
        ("simulate: ce_diag", "data: lymph", "multiples of n are for laws"),
    ):
        path.write_text(FAMILY.replace(old, new))
        with pytest.raises(UserError, match=words):
            plan.make(config.load(path))


@pytest.mark.parametrize("stratified", [False, True])
def test_training_rows_grow_and_have_two_classes(stratified: bool) -> None:
    one = SimulationConfig.model_validate(
        {"blocks": TWO_BLOCKS, "n": 4, "rows": [100, 900], "test": "law"}
    )
    sets = dict(fresh.draw(one, [2, 5, 200], range(300), 1, "e", stratified))
    assert [each.y.shape[1] for each in sets.values()] == [2, 4 if stratified else 5, 200]
    for each in sets.values():
        assert ((each.y == 0).any(axis=1) & (each.y == 1).any(axis=1)).all()
    share = sets[200].y.mean()
    assert share == pytest.approx(0.5 if stratified else 0.9, abs=0.01)
    # Rows of one split stay; only a set that would be of one class is another one.
    n = sets[5].y.shape[1]
    same = (sets[200].y[:, :n] != sets[200].y[:, :1]).any(axis=1)
    assert same.mean() > (0.99 if stratified else 0.3)
    assert (sets[200].x[same, :n] == sets[5].x[same]).all()
    assert (sets[200].x[~same, :n] != sets[5].x[~same]).any(axis=(1, 2)).all()
    # A split does not depend on which others are drawn with it.
    ((_, alone),) = fresh.draw(one, [200], range(7, 8), 1, "e", stratified)
    assert (alone.x[0] == sets[200].x[7]).all()
    means = [sets[200].x[sets[200].y == k].mean(axis=0)[0] for k in (0, 1)]
    assert means == pytest.approx([-0.42, 0.42], abs=0.06)
