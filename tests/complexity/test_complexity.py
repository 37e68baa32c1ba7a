"""Rows needed to come near a limit: curves that are known, their intervals, and growth."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from gdcurves import complexity
from gdcurves.complexity.growth import growth
from gdcurves.complexity.needed import Needed, first_at, needed
from gdcurves.complexity.table import families
from gdcurves.crossings.bootstrap import resampled
from gdcurves.store.files import Run

SIZES = np.array([10.0, 20.0, 40.0, 80.0])


def test_where_a_curve_is_first_down_to_a_value() -> None:
    curves = np.array(
        [
            [0.4, 0.3, 0.2, 0.1],
            [0.4, 0.2, 0.3, 0.1],  # the first time counts
            [0.2, 0.4, 0.4, 0.4],
            [0.4, 0.4, 0.4, 0.3],
            [0.4, 0.25, 0.2, 0.1],  # at a size
        ]
    )
    found = first_at(SIZES, curves, 0.25)
    halfway = 20 * np.sqrt(2)  # linear in log m
    expected = [halfway, 10 * 2**0.75, 10, np.inf, 20]
    assert found == pytest.approx(expected)
    assert first_at(SIZES[:1], curves[:, :1], 0.25).tolist() == [np.inf] * 2 + [10] + [np.inf] * 2


@pytest.mark.parametrize(
    ("value", "kind", "m"),
    [
        (0.25, "reached", 20 * np.sqrt(2)),
        (0.5, "below_first", np.nan),
        (0.0, "not_reached", np.nan),
    ],
)
def test_kinds(value: float, kind: str, m: float) -> None:
    mean = np.array([0.4, 0.3, 0.2, 0.1])
    found = needed(SIZES, mean, np.tile(mean, (50, 1)), value)
    assert found.kind == kind
    assert found.m == pytest.approx(m, nan_ok=True)
    ends = {"reached": (m, m), "below_first": (10, 10), "not_reached": (np.inf, np.inf)}[kind]
    assert (found.low, found.high) == pytest.approx(ends)


@pytest.mark.slow
def test_intervals_hold_what_they_are_of() -> None:
    """95 % intervals of 100 curves 1/m + noise that splits share over the sizes."""
    truth = 25.0
    held = 0
    for seed in range(100):
        rng = np.random.default_rng(seed)
        levels = np.interp(np.log(SIZES), np.log([10, truth, 80]), [0.3, 0.2, 0.1])
        off = rng.normal(size=(60, 1)) * 0.05 + rng.normal(size=(60, 4)) * 0.05
        values = levels + off
        means = resampled(values.T[None], rng)[:, 0]
        found = needed(SIZES, values.mean(axis=0), means, 0.2)
        held += found.low <= _exact(levels) <= found.high
    assert 89 <= held <= 99


def _exact(levels: np.ndarray) -> float:
    return float(first_at(SIZES, levels[None], 0.2)[0])


def _reached(m: float, spread: float = 0.0) -> Needed:
    others = m * np.exp(spread * np.random.default_rng(int(m)).normal(size=2000))
    return Needed(m, others.min(), others.max(), "reached", others)


def test_growth_of_known_families() -> None:
    n = [16, 64, 256]
    linear = growth(n, [_reached(3.0 * each) for each in n])
    assert linear is not None
    assert linear.slope == pytest.approx((1, 1, 1))
    logarithmic = growth(n, [_reached(5 + 19 * np.log(each)) for each in n])
    assert logarithmic is not None
    assert logarithmic.per_ln_n == pytest.approx((19, 19, 19))
    uncertain = growth(n, [_reached(3.0 * each, 0.1) for each in n])
    assert uncertain is not None
    x = np.log(n) - np.mean(np.log(n))
    half = 1.96 * 0.1 / np.sqrt(x @ x)
    assert uncertain.slope == pytest.approx((1, 1 - half, 1 + half), abs=0.01)
    unreached = Needed(np.nan, np.inf, np.inf, "not_reached", np.full(9, np.inf))
    assert growth(n, [_reached(48), unreached, unreached]) is None
    two = growth(n, [_reached(48), _reached(192), unreached])
    assert two is not None
    assert two.slope[0] == pytest.approx(1)


def test_names_of_families() -> None:
    experiments = [
        {"name": "a-n16", "simulate": {"n": 16}},
        {"name": "a-b-n4", "simulate": {"n": 4}},
        {"name": "c-n16", "simulate": {"n": 4}},
        {"name": "d", "simulate": {"n": 4}},
        {"name": "e", "simulate": None},
    ]
    assert families({"experiments": experiments}) == {"a-n16": "a", "a-b-n4": "a-b"}


def test_rows_of_the_table(tmp_path: Path) -> None:
    """A run of two experiments whose raw rows are written here."""
    limits = pd.DataFrame(
        {"experiment": ["f-n2", "f-n4"], "fitter": ["lda"] * 2, "error": [0.1, 0.1], "law": "x"}
    )
    chunks = {}
    for name, sizes in (("f-n2", [10, 20]), ("f-n4", [20, 40])):
        lines = ["fitter,m,split,n_train,n_test,errors"]
        for fitter in ("lda", "nearest_centroid"):
            for m, error in zip(sizes, (0.16, 0.1), strict=True):
                lines += [f"{fitter},{m},{split},{m},inf,{error}" for split in range(3)]
        chunks[name] = [tmp_path / f"{name}.csv"]
        chunks[name][0].write_text("\n".join(lines) + "\n")
    fitters = [{"name": "lda"}, {"name": "nearest_centroid"}]
    experiments = [{"name": f"f-n{n}", "simulate": {"n": n}} for n in (2, 4)]
    entries = {f"f-n{n}": {"n_features": n, "sha256": "x"} for n in (2, 4)}
    manifest = {
        "config": {"seed": 0, "fitters": fitters, "experiments": experiments},
        "experiments": entries,
    }
    run = Run(tmp_path, manifest, pd.DataFrame(), limits, chunks=chunks)
    table = complexity.of_run(run).set_index(["experiment", "fitter"])
    assert table["kind"].tolist() == ["reached", "no_limit", "reached", "no_limit", "growth"]
    first = table.loc[("f-n2", "lda")]
    assert (first["n"], first["limit"], first["within"]) == (2, 0.1, 0.03)
    assert first[["m_needed", "m_low", "m_high"]].tolist() == pytest.approx([10 * np.sqrt(2)] * 3)
    assert table.loc[("f", "lda"), "slope"] == pytest.approx(1)
    other = complexity.of_run(run, within=0.1)
    assert other["kind"].tolist()[:2] == ["below_first", "no_limit"]
    # Limits of another law are none of these curves'.
    changed = {name: {**entry, "sha256": "y"} for name, entry in entries.items()}
    elsewhere = replace(run, manifest={**manifest, "experiments": changed})
    assert set(complexity.of_run(elsewhere)["kind"]) == {"no_limit"}
