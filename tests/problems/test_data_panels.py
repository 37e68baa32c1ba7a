"""The problems of the paper's fifteen panels, against the protocol's table."""

from __future__ import annotations

import csv
import gzip
from collections import Counter
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from gdcurves import datasets
from gdcurves.datasets.spec import Kind
from gdcurves.datasets.table import Table
from gdcurves.problems.problem import Problem, build


@dataclass(frozen=True)
class Panel:
    """One experiment of Ng & Jordan (2001), Figure 1, with its class counts, F before T."""

    data: str
    inputs: Kind
    classes: tuple[tuple[str, tuple[str, ...]], ...] | None
    counts: tuple[int, int]
    n_features: int
    packaged: bool = True

    def build(self, data_dir: Path | None = None) -> Problem:
        """Build the panel's problem from packaged data or from a data folder."""
        threshold = None if self.classes else "median"
        return build("panel", load(self.data, data_dir), self.inputs, self.classes, threshold)


@cache
def load(name: str, data_dir: Path | None) -> Table:
    return datasets.load(name, data_dir=data_dir)


def two(first: str, second: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return ((first, (first,)), (second, (second,)))


LENSES = (("lens", ("hard", "soft")), ("none", ("none",)))
INCOME = two("<=50K", ">50K")
# Counts of complete rows: UCI's descriptions of Adult (24.78 % of 45222 are above 50K), of the
# voting records and of breast-cancer; the others have no incomplete rows. Sick is counted below.
PANELS = {
    "pima": Panel(
        "diabetes", "continuous", two("tested_negative", "tested_positive"), (500, 268), 8
    ),
    "adult-continuous": Panel("adult", "continuous", INCOME, (37155, 11687), 6, packaged=False),
    "boston": Panel("boston", "continuous", None, (256, 250), 13),
    "optdigits-0-1": Panel("optdigits", "continuous", two("0", "1"), (554, 571), 64),
    "optdigits-2-3": Panel("optdigits", "continuous", two("2", "3"), (557, 572), 64),
    "ionosphere": Panel("ionosphere", "continuous", two("b", "g"), (126, 225), 34),
    "liver-disorders": Panel("liver-disorders", "continuous", two("1", "2"), (145, 200), 6),
    "sonar": Panel("sonar", "continuous", two("Rock", "Mine"), (97, 111), 60),
    "adult-discrete": Panel("adult", "discrete", INCOME, (34014, 11208), 8, packaged=False),
    "promoters": Panel("promoters", "discrete", two("-", "+"), (53, 53), 57),
    "lymphography": Panel("lymph", "discrete", two("metastases", "malign_lymph"), (81, 61), 18),
    "breast-cancer": Panel(
        "breast-cancer", "discrete", two("recurrence-events", "no-recurrence-events"), (81, 196), 9
    ),
    "lenses": Panel("contact-lenses", "discrete", LENSES, (9, 15), 4),
    "sick": Panel("sick", "discrete", two("sick", "negative"), (225, 3397), 22, packaged=False),
    "voting-records": Panel("vote", "discrete", two("democrat", "republican"), (124, 108), 16),
}
# The column "rows used" of the protocol's table.
ROWS_USED = {
    "pima": 768,
    "adult-continuous": 48842,
    "boston": 506,
    "optdigits-0-1": 1125,
    "optdigits-2-3": 1129,
    "ionosphere": 351,
    "liver-disorders": 345,
    "sonar": 208,
    "adult-discrete": 45222,
    "promoters": 106,
    "lymphography": 142,
    "breast-cancer": 277,
    "lenses": 24,
    "sick": 3622,
    "voting-records": 232,
}


def check_panel(name: str, problem: Problem) -> None:
    panel = PANELS[name]
    assert tuple(np.bincount(problem.y)) == panel.counts
    assert problem.x.shape == (ROWS_USED[name], panel.n_features)
    assert len(problem.features) == panel.n_features
    origin = problem.provenance
    assert origin.rows_used == len(problem.y)
    assert origin.rows_read == origin.rows_used + origin.rows_missing + origin.rows_other_class
    if panel.inputs == "continuous":
        assert problem.x.dtype == np.float64
        assert problem.levels == (0,) * problem.x.shape[1]
        assert set(problem.x.min(axis=0)) == {0.0}
        assert set(problem.x.max(axis=0)) <= {0.0, 1.0}
    else:
        assert problem.x.dtype == np.int32
        assert problem.levels == tuple(len(set(column)) for column in problem.x.T.tolist())


@pytest.mark.parametrize("name", [name for name, panel in PANELS.items() if panel.packaged])
def test_packaged_panels(name: str) -> None:
    check_panel(name, PANELS[name].build())


@pytest.mark.slow
@pytest.mark.parametrize("name", PANELS)
def test_panels_of_the_data_folder(name: str, shared: Path) -> None:
    problem = PANELS[name].build(shared / "data")
    check_panel(name, problem)
    if PANELS[name].packaged:
        packaged = PANELS[name].build()
        assert np.array_equal(problem.x, packaged.x)
        assert np.array_equal(problem.y, packaged.y)
        assert problem.provenance == replace(
            packaged.provenance,
            origin="file",
            source=problem.provenance.source,
            columns_dropped=problem.provenance.columns_dropped,
        )


def test_packaged_adult_is_the_training_file() -> None:
    continuous = build("a", load("adult", None), "continuous", INCOME)
    discrete = build("a", load("adult", None), "discrete", INCOME)
    assert tuple(np.bincount(continuous.y)) == (24720, 7841)
    assert len(discrete.y) == 30162  # adult.names: 30162 of the training rows are complete
    assert discrete.provenance.rows_missing == 32561 - 30162


def test_incomplete_rows_by_another_count(shared: Path) -> None:
    """Complete rows of sick and Adult, counted in the files' text."""
    text = (shared / "data" / "sick.arff").read_text()
    rows = [line.split(",") for line in text.split("@data\n")[1].split() if "," in line]
    sick = Counter(row[29] for row in rows if row[1] != "?")
    assert (sick["sick"], sick["negative"]) == PANELS["sick"].counts
    text = gzip.decompress((shared / "data" / "adult.arff.gz").read_bytes()).decode()
    complete = [
        line for line in text.split("@data\n")[1].splitlines() if "," in line and "?" not in line
    ]
    adult = Counter(line.split(",")[-1].strip() for line in complete)
    assert (adult["<=50K"], adult[">50K"]) == PANELS["adult-discrete"].counts


def test_boston_is_cut_at_the_median_with_its_ties_below() -> None:
    problem = PANELS["boston"].build()
    assert problem.provenance.threshold == 21.2
    assert problem.classes == ("<= 21.2", "> 21.2")


def test_rows_match_their_classes(shared: Path) -> None:
    """Codes and classes of promoters go back to the lines of the file."""
    with (shared / "data" / "promoters.csv").open(newline="") as stream:
        lines = Counter((row[0], *row[2:]) for row in list(csv.reader(stream))[1:])
    problem = PANELS["promoters"].build()
    letters = np.array(["a", "c", "g", "t"])
    assert problem.levels == (4,) * 57
    decoded = Counter(
        (problem.classes[label], *letters[row])
        for row, label in zip(problem.x, problem.y, strict=True)
    )
    assert decoded == lines
