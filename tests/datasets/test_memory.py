"""Tables in memory: what their types mean."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest

from gdcurves import datasets
from gdcurves.datasets import Request
from gdcurves.datasets.sources import memory
from gdcurves.errors import UserError

FRAME = pd.DataFrame(
    {
        "float": [0.5, np.nan, 2.0, 3.0],
        "whole": pd.array([1, 2, None, 4], dtype="Int64"),
        "text": ["b", None, "a", "b"],
        "flag": [True, False, True, True],
        "size": pd.Categorical(["small", "large", "small", "large"], ["small", "large"]),
        "mixed": np.array([1, "x", None, 2.5], dtype=object),
        "day": [dt.date(2020, 1, 2)] * 4,
        7: [1.0, 2.0, 3.0, 4.0],
    },
    index=[9, 9, 8, 7],
)


def test_types_are_those_of_a_parquet_file() -> None:
    raw = memory.of_frame(FRAME)
    assert [*raw.columns] == ["float", "whole", "text", "flag", "size", "mixed", "day", "7"]
    kinds = {"float": "continuous", "7": "continuous"}
    assert raw.kinds == kinds | dict.fromkeys(["text", "flag", "size"], "discrete")
    assert raw.labels == {"size": ("small", "large")}
    np.testing.assert_array_equal(raw.columns["whole"], [1, 2, np.nan, 4])
    texts = {name: [*raw.columns[name].astype(object)] for name in ("flag", "mixed", "day")}
    assert texts["flag"] == ["true", "false", "true", "true"]
    assert texts["mixed"][:2] + texts["mixed"][3:] == ["1", "x", "2.5"]
    assert texts["day"] == ["2020-01-02"] * 4
    assert raw.location(3) == "data row 4"


def test_order_of_categories_is_that_of_the_classes() -> None:
    request = Request("memory:mine", "size", drop=("mixed", "day"), held=memory.of_frame(FRAME))
    table = datasets.load(request)
    assert (table.name, table.origin, table.labels) == ("mine", "memory", ("small", "large"))


def test_a_column_of_lists_is_refused_alone() -> None:
    frame = pl.DataFrame({"x": [1.0, 2.0, 3.0], "many": [[1], [2], [3]], "y": ["a", "b", "a"]})
    table = datasets.look(Request("memory:mine", "y", held=memory.of_frame(frame)))
    assert [*table.kinds] == ["x"]
    assert "column 'many': is of type large_list" in str(table.refused["many"])


def test_a_table_in_memory_has_no_encoding() -> None:
    with pytest.raises(UserError, match="is no file; leave out the encoding"):
        datasets.look(Request("memory:mine", "text", encoding="utf-8", held=memory.of_frame(FRAME)))


def test_arrays_have_columns_with_numbers() -> None:
    raw, target = memory.of_arrays([[1, 2.5], [3, 4]], np.array(["p", "q"]))
    assert ([*raw.columns], target) == (["x1", "x2", "target"], "target")
    assert raw.kinds == {"x1": "continuous", "x2": "continuous", "target": "discrete"}
    raw, target = memory.of_arrays(FRAME[["float"]], FRAME["size"])
    assert ([*raw.columns], target) == (["float", "size"], "size")


def test_texts_that_all_are_numbers_are_told_with_a_way_to_read_them_so() -> None:
    frame = pd.DataFrame(
        {
            "comma": [f"{i},5" for i in range(30)],
            "plain": [f"{i}.25" for i in range(30)],
            "reals": [f"R$ 1.00{i % 10},{i}0" for i in range(30)],
            "power": [f"1,{i}e+03" for i in range(30)],
            "code": ["1", "2", "3"] * 10,
            "y": ["a", "b"] * 15,
        }
    )
    table = datasets.load(Request("memory:mine", "y", held=memory.of_frame(frame)))
    notes = [each.text for each in table.remarks if "all texts are numbers" in each.text]
    of = [next(name for name in frame if f"'{name}'" in note) for note in notes]
    assert of == ["comma", "plain", "reals", "power"]
    read = datasets.load(
        Request("memory:mine", "y", continuous=("comma", "plain"), held=memory.of_frame(frame))
    )
    np.testing.assert_array_equal(read.cells("comma"), np.arange(30) + 0.5)
    np.testing.assert_array_equal(read.cells("plain"), np.arange(30) + 0.25)
    assert table.kinds["comma"] == table.kinds["plain"] == table.kinds["code"] == "discrete"


def test_texts_that_are_dates_or_have_units_are_told_as_of_files(tmp_path: Path) -> None:
    frame = pd.DataFrame(
        {
            "day": [f"2024-01-{i + 1:02d}" for i in range(28)],
            "hour": [f"{i % 24:02d}:30" for i in range(28)],
            "mass": [f"{i % 9} kg" for i in range(28)],
            "empty": pd.array([None] * 28, dtype="string"),
            "x": np.arange(28) + 0.5,
            "y": ["a", "b"] * 14,
        }
    )
    frame.to_parquet(tmp_path / "my.parquet")
    held = datasets.load(Request("memory:mine", "y", held=memory.of_frame(frame)))
    read = datasets.load(Request(str(tmp_path / "my.parquet"), "y"))
    called = f"file {tmp_path / 'my.parquet'}"
    assert [note.replace(called, "data frame") for note in read.notes] == [*held.notes]
    assert any("'day': dates or times such as '2024-01-01' in 28" in each for each in held.notes)
    assert any("likewise 'hour'" in each for each in held.notes)
    assert any("numbers, such as '0 kg'" in each and "without 'kg'" in each for each in held.notes)
    settled = {"drop": ("day", "empty"), "discrete": ("hour", "mass")}
    assert not datasets.load(
        Request("memory:mine", "y", held=memory.of_frame(frame), **settled)
    ).notes
