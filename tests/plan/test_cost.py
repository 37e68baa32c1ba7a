"""How many splits a run of own data has, and how many of them are computed at a time."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from gdcurves import plan
from gdcurves.config import load_text
from gdcurves.datasets import Request
from gdcurves.plan import choice, cost, draft
from gdcurves.plan.cost import Effort, Shape
from gdcurves.plan.drafted import MEASURES

USUAL = [each.fitter for each in choice.choose()]
PAPER = [each.fitter for each in choice.choose(["paper"])]


def effort(n: int, d: int, n_classes: int = 2, fitters=USUAL, measures=MEASURES) -> Effort:
    shape = Shape(n, d, d + 1, n_classes)
    return cost.effort(shape, draft.sizes(n), fitters, measures)


@pytest.mark.parametrize("fitters", [USUAL, PAPER])
def test_more_of_anything_is_never_more_splits(fitters) -> None:
    for grown in (
        [effort(n, 10, fitters=fitters) for n in (20, 200, 2000, 20_000, 200_000, 2_000_000)],
        [effort(1000, d, fitters=fitters) for d in (1, 10, 100, 1000)],
        [effort(1000, 10, k, fitters=fitters) for k in (2, 3, 5, 10, 30)],
    ):
        splits = [each.splits for each in grown]
        assert all(before >= after for before, after in pairwise(splits))
        assert splits[0] == 1000
        assert splits[-1] < 1000
    assert effort(2_000_000, 100, 10, fitters=fitters).splits == 50


def test_chunks_of_seconds_for_two_cores() -> None:
    for n, d, n_classes in ((20, 2, 2), (1000, 10, 3), (10_000, 100, 2), (100_000, 50, 10)):
        made = effort(n, d, n_classes)
        n_chunks = -(-made.splits // made.chunk)
        assert 8 <= n_chunks <= 50
        shape = Shape(n, d, d + 1, n_classes)
        each = cost.seconds(shape, draft.sizes(n), USUAL, MEASURES)
        assert made.chunk == 1 or made.chunk * each <= cost.CHUNK_SECONDS or n_chunks > 25


def test_what_is_promised_of_the_time() -> None:
    """Two cores: a minute for 10,000 rows and 100 inputs; these take seconds beside the chunks."""
    for n, d in ((100, 5), (1000, 100), (5000, 30), (10_000, 100)):
        made = effort(n, d)
        each = cost.seconds(Shape(n, d, d + 1, 2), draft.sizes(n), USUAL, MEASURES)
        assert made.splits * each <= 2 * 45


def test_every_classifier_and_measure_has_a_cost() -> None:
    shape = Shape(500, 5, 6, 3)
    one = [cost.seconds(shape, [10, 100], [fitter], ["error"]) for fitter in (*USUAL, *PAPER)]
    assert min(one) > 0
    together = cost.seconds(shape, [10, 100], [*USUAL, *PAPER], ["error"])
    assert max(one) < together < sum(one)  # training sets are prepared once
    assert cost.seconds(shape, [10, 100], USUAL, ["auc"]) > cost.seconds(
        shape, [10, 100], USUAL, ["error"]
    )


@pytest.mark.parametrize(("n_classes", "long"), [(2, False), (12, True)])
def test_a_draft_says_so_where_even_the_fewest_splits_take_long(
    tmp_path: Path, n_classes: int, long: bool
) -> None:
    path = tmp_path / "my.csv"
    inputs = 50
    rows = [
        ",".join([*(f"{i * j % 97}.5" for j in range(1, inputs + 1)), f"c{i % n_classes}"])
        for i in range(1500)
    ]
    header = ",".join([*(f"x{j}" for j in range(inputs)), "y"])
    path.write_text("\n".join([header, *rows]) + "\n")
    made = draft.make(Request(str(path), "y"), None)
    assert made.sizes[-1] == 1350
    words = "the fewest splits, 50, take about "
    assert any(words in note for note in made.notes) is long
    assert (words in made.text) is long


CONFIG = """
splits: 25
sizes: [4]
experiments: [{name: a, data: sonar}, {name: b, data: ionosphere}]
fitters: [{type: majority}]
"""


@pytest.mark.parametrize(
    ("key", "splits", "stops"),
    [
        ("", None, [25]),
        ("chunk: 10", None, [10, 20, 25]),
        ("chunk: 10", 12, [10, 12]),
        ("chunk: 1e3", 250, [250]),
        ("", 250, [100, 200, 250]),
    ],
)
def test_the_key_for_splits_at_a_time(key: str, splits: int | None, stops: list[int]) -> None:
    planned = plan.make(load_text(f"{key}\n{CONFIG}", Path("c.yaml")), splits=splits)
    for name in ("a", "b"):
        assert [each.stop for each in planned.chunks[name]] == stops
