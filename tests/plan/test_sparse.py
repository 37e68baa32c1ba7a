"""Inputs that are missing in many rows: named, with what there is with them and without."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest
from conftest import Call

from gdcurves import datasets
from gdcurves.config.reading import DROP_ROWS, Missing
from gdcurves.datasets import Request
from gdcurves.plan import draft
from gdcurves.plan.drafted import Options
from gdcurves.problems.problem import build
from gdcurves.problems.sparse import Sparse


def write(path: Path, gaps: dict[str, int], n: int = 60) -> pd.DataFrame:
    """Write columns each with gaps in the first so many rows, beside a whole column and a class."""
    frame = pd.DataFrame({"x": [i * 37 % 101 / 4 for i in range(n)]})
    for number, (name, n_gaps) in enumerate(gaps.items()):
        values = [f"{'uvw'[i * (number + 2) % 3]}" for i in range(n)]
        frame[name] = ["" if i < n_gaps else values[i] for i in range(n)]
    frame["y"] = ["np"[i % 2] for i in range(n)]
    frame.to_csv(path, index=False)
    return frame.replace("", None)


@pytest.mark.parametrize(
    ("gaps", "named"),
    [
        ({"a": 48}, ["a"]),
        ({"a": 12}, []),
        ({"a": 13}, ["a"]),
        ({"a": 30, "b": 5, "c": 60}, ["a"]),  # nothing is known of c
        ({"a": 40, "b": 20, "c": 3}, ["a", "b"]),
    ],
)
def test_case_s16_columns_that_cost_rows(
    tmp_path: Path, gaps: dict[str, int], named: list[str]
) -> None:
    """Against pandas' complete rows."""
    path = tmp_path / "my.csv"
    frame = write(path, gaps).drop(columns=[name for name, n in gaps.items() if n == 60])
    request = Request(str(path), "y")
    table = datasets.load(request)
    found = Sparse.of(table, [*table.kinds], DROP_ROWS)
    complete, without = len(frame.dropna()), len(frame.drop(columns=named).dropna())
    assert [*found.missing] == named
    assert (found.rows, found.complete, found.without) == (60, complete, without)
    made = draft.make(request, None)
    assert [*made.problem.features] == [c for c in frame if c not in (*named, "y")]
    assert made.problem.provenance.rows_used == without
    notes = build("e", table, "all").provenance.notes
    for said in (" ".join(notes), " ".join(made.notes)):
        assert (
            f"more than a fifth of the 60 rows: {', '.join(f'{n!r} ({gaps[n]})' for n in named)}; "
            f"{complete} rows are complete with {'it' if len(named) == 1 else 'them'}, {without} w"
            in said
        ) == bool(named)


def test_case_s16_no_row_is_lost_to_columns_that_keep_theirs(tmp_path: Path) -> None:
    path = tmp_path / "my.csv"
    write(path, {"a": 48})
    options = Options(missing=Missing(discrete="level"))
    made = draft.make(Request(str(path), "y"), None, options=options)
    assert made.problem.features == ("x", "a")
    assert not made.notes
    named = draft.make(Request(str(path), "y", discrete=("a",)), None)
    assert named.problem.features == ("x", "a")
    assert "12 rows are complete with it, 60 without" in named.notes[0]


@pytest.mark.slow
def test_case_s16_every_command_says_so(call: Call, tmp_path: Path) -> None:
    write(tmp_path / "my.csv", {"comment": 48})
    said = "fifth of the 60 rows: 'comment' (48); 12 rows are complete with it, 60 without; "
    assert said in call("datasets", "show", "my.csv", "--target", "y").out
    drafted = call("config", "init", "my.csv", "--target", "y")
    assert said in drafted.err
    assert "    # left out: comment, missing in 48 of 60 rows\n    drop: [comment]\n" in drafted.out
    config = tmp_path / "my.yaml"
    config.write_text(drafted.out)
    assert call("config", "check", "my.yaml").out.startswith("my.yaml: no mistakes; ")
    config.write_text(drafted.out.replace("    drop: [comment]\n", "").replace(", 12, 16", "]#"))
    assert said in call("config", "check", "my.yaml").out  # a config has its way
    quick = ("--sizes", "6", "--fitters", "naive_bayes,majority", "--splits", "2", "--jobs", "1")
    ran = call("run", "--data", "my.csv", "--target", "y", *quick)
    assert said in ran.out
    assert "  rows        60 used\n" in ran.out


def scattered(path: Path, n_columns: int, each: int, n: int = 100) -> pd.DataFrame:
    """Write numbers and levels in turn, each with its own few gaps, beside a class."""
    frame = pd.DataFrame({"x": [i * 37 % 101 / 4 for i in range(n)]})
    for number in range(n_columns):
        values = pd.Series([i * (number + 3) % 31 / 8 for i in range(n)], dtype=object)
        if number % 2:
            values = values.map(lambda value: "uvw"[int(8 * value) % 3])
        values[number * each : (number + 1) * each] = None
        frame[f"c{number}"] = values
    frame["y"] = ["npp"[i % 3] for i in range(n)]
    frame.to_csv(path, index=False)
    return frame


@pytest.mark.parametrize(
    ("n_columns", "each", "kinds"), [(8, 5, "mean,level"), (1, 20, ""), (2, 10, ""), (5, 19, "all")]
)
def test_gaps_here_and_there_are_named_where_they_cost_many_rows(
    tmp_path: Path, n_columns: int, each: int, kinds: str
) -> None:
    """Against pandas' complete rows; with what is named, none is lost."""
    path = tmp_path / "my.csv"
    lost = 100 - len(scattered(path, n_columns, each).dropna())
    assert lost == n_columns * each
    request = Request(str(path), "y")
    made = draft.make(request, None)
    said = [note for note in made.notes if "here and there" in note]
    assert len(said) == bool(kinds)
    if said:
        assert (
            f": {lost} of 100 rows are left out for gaps here and there: 'c0' ({each}), " in said[0]
        )
        assert said[0].endswith("; --missing mean,level (`missing`) keeps all 100")
        options = Options(missing=Missing(continuous="mean", discrete="level"))
        kept = draft.make(request, None, options=options)
        assert kept.problem.provenance.rows_used == 100
        assert not kept.notes
        ruled = draft.make(request, None, options=Options(missing=DROP_ROWS))
        assert not [note for note in ruled.notes if "here and there" in note]


@pytest.mark.parametrize(("kind", "filling"), [("continuous", "mean"), ("discrete", "level")])
def test_what_keeps_the_rows_is_no_more_than_is_needed(
    tmp_path: Path, kind: str, filling: str
) -> None:
    path = tmp_path / "my.csv"
    frame = scattered(path, 8, 9)
    others = {"continuous": slice(1, None, 2), "discrete": slice(0, None, 2)}[kind]
    frame.drop(columns=[f"c{i}" for i in range(8)][others]).to_csv(path, index=False)
    table = datasets.load(Request(str(path), "y"))
    (note,) = Sparse.of(table, [*table.kinds], DROP_ROWS).scatter()
    assert str(note.rest).endswith(f"; --missing {filling} (`missing`) keeps all 100")


@pytest.mark.slow
def test_the_option_that_keeps_the_rows(call: Call, tmp_path: Path) -> None:
    scattered(tmp_path / "my.csv", 8, 5)
    said = "40 of 100 rows are left out for gaps here and there: 'c0' (5), 'c1' (5), "
    assert said in call("datasets", "show", "my.csv", "--target", "y").out
    quick = ("--sizes", "6", "--fitters", "naive_bayes,majority", "--splits", "2", "--jobs", "1")
    ran = call("run", "--data", "my.csv", "--target", "y", *quick)
    assert ran.out.count(said) == 2  # before the answer and after it
    assert "  rows        60 used" in ran.out
    options = ("--missing", "mean,level", "--fresh")
    ran = call("run", "--data", "my.csv", "--target", "y", *quick, *options)
    assert "  rows        100 used" in ran.out
    assert "here and there" not in ran.out
