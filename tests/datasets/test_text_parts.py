"""Folders of texts that are the parts of one table."""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote

import numpy as np
import pandas as pd
import pytest

from gdcurves import datasets
from gdcurves.datasets import Request, Table
from gdcurves.errors import UserError

N = 90


def frame() -> pd.DataFrame:
    rng = np.random.default_rng(1)
    made = pd.DataFrame(
        {
            "x": rng.normal(size=N).round(3),
            "count": rng.integers(0, 40, N),
            "code": [f"{i % 12:03d}" for i in range(N)],
            "colour": rng.choice(["red", "blue", "green"], N),
            "late": [str(i) if i < 60 else f"u{i % 3}" for i in range(N)],
            "gap": ["" if i < 30 else f"{i}.5" for i in range(N)],
            "y": rng.choice(["n", "p"], N),
        }
    )
    made.loc[made.index % 11 == 0, "x"] = np.nan
    return made


def load(path: Path, **options: object) -> Table:
    return datasets.look(Request(str(path), "y", **options))  # type: ignore[arg-type]


def parts(folder: Path, made: pd.DataFrame, ends: Sequence[int] = (30, 60, N)) -> Path:
    folder.mkdir()
    begin = 0
    for number, end in enumerate(ends):
        made[begin:end].to_csv(folder / f"part-{number}.csv", index=False)
        begin = end
    return folder


@pytest.mark.parametrize("ends", [(30, 60, N), (1, 2, N), (N - 1, N)])
def test_parts_are_the_whole(tmp_path: Path, ends: Sequence[int]) -> None:
    """A column's kind is that of all its rows; rows are told by part and line."""
    made = frame()
    made.to_csv(tmp_path / "whole.csv", index=False)
    whole, read = load(tmp_path / "whole.csv"), load(parts(tmp_path / "my", made, ends))
    assert (read.sha256, read.kinds) == (whole.sha256, whole.kinds)
    assert {*read.refused} == {*whole.refused} == {"late"}
    assert read.location(ends[0]).endswith("my, part-1.csv, line 2")
    sizes = np.diff([0, *ends])
    counted = f"part-0.csv with {sizes[0]} row"
    assert f"{len(ends)} files are read as the parts of one table: {counted}" in read.notes[0]
    assert len(read.frame) == N


def test_packed_parts_in_folders_that_name_a_column(tmp_path: Path) -> None:
    made = frame().drop(columns="late")
    for number, place in enumerate("uv"):
        folder = tmp_path / "my" / f"place={place}"
        folder.mkdir(parents=True)
        text = made[number * 45 : number * 45 + 45].to_csv(index=False)
        (folder / "0.csv.gz").write_bytes(gzip.compress(text.encode("cp1252")))
    (tmp_path / "my" / "_SUCCESS").touch()
    (tmp_path / "my" / "1.csv").touch()  # empty
    (tmp_path / "my" / "README.txt").write_text("the data of May")
    read = load(tmp_path / "my", encoding="cp1252")
    assert read.frame["place"].value_counts().to_dict() == {"u": 45, "v": 45}


def keyed(folder: Path, made: pd.DataFrame, key: str, ending: str, with_key: bool) -> Path:
    """Parts by the values of a column, in folders named as Hive names them."""
    for value, part in made.groupby(key, dropna=False):
        name = "__HIVE_DEFAULT_PARTITION__" if pd.isna(value) else quote(str(value), safe="")
        place = folder / f"{key}={name}"
        place.mkdir(parents=True)
        kept = part if with_key else part.drop(columns=key)
        if ending == "csv":
            kept.to_csv(place / "0.csv", index=False)
        else:
            kept.to_parquet(place / "0.parquet", index=False)
    return folder


@pytest.mark.parametrize("ending", ["csv", "parquet"])
@pytest.mark.parametrize("with_key", [False, True])
def test_folders_name_a_column_that_the_parts_may_have_too(
    tmp_path: Path, ending: str, with_key: bool
) -> None:
    """As Arrow and Spark leave the key out of the parts, and Polars does not."""
    made = frame().drop(columns="late")
    made["place"] = [["New York", "a/b", "50%", None][i % 4] for i in range(N)]
    read = load(keyed(tmp_path / "my", made, "place", ending, with_key))
    expected = made["place"].value_counts(dropna=False)
    assert read.frame["place"].value_counts().to_dict() == expected.dropna().drop(np.nan).to_dict()
    assert int(read.frame["place"].isna().sum()) == expected[np.nan] == N // 4
    by_count = load(keyed(tmp_path / "numbers", made, "count", ending, with_key=True))
    assert by_count.kinds["count"] == "continuous"
    assert sorted(by_count.frame["count"]) == sorted(made["count"])


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_a_folder_that_says_otherwise_than_its_part_is_refused(tmp_path: Path, ending: str) -> None:
    made = frame().drop(columns="late")
    folder = keyed(tmp_path / "my", made, "colour", ending, with_key=True)
    (folder / "colour=red").rename(folder / "colour=pink")
    said = "folder says that 'colour' is 'pink', and its column of this name holds 'red'; rename"
    with pytest.raises(UserError, match=said):
        load(folder)
    (folder / "colour=pink").rename(folder / "pink")
    assert (
        load(folder).frame["colour"].value_counts().to_dict()
        == made["colour"].value_counts().to_dict()
    )


@pytest.mark.parametrize("key", ["true", "2024-01-31 10:00:00", "7.50"])
def test_values_of_folders_in_another_way_of_writing(tmp_path: Path, key: str) -> None:
    values = {"true": True, "2024-01-31 10:00:00": pd.Timestamp("2024-01-31 10:00"), "7.50": 7.5}
    for name in (key, "__HIVE_DEFAULT_PARTITION__"):
        folder = tmp_path / "my" / f"k={quote(name, safe='')}"
        folder.mkdir(parents=True)
        value = values.get(name)
        pd.DataFrame({"k": [value] * 20, "x": np.arange(20.0), "y": ["n", "p"] * 10}).to_parquet(
            folder / "0.parquet"
        )
    assert len(load(tmp_path / "my", drop=("k",)).frame) == 40


def test_columns_in_another_order(tmp_path: Path) -> None:
    made = frame()
    folder = parts(tmp_path / "my", made)
    made[30:60][made.columns[::-1]].to_csv(folder / "part-1.csv", index=False)
    assert load(folder).sha256 == load(parts(tmp_path / "other", made)).sha256


def test_numbers_as_people_write_them(tmp_path: Path) -> None:
    """One part settles how the others are written."""
    folder = tmp_path / "my"
    folder.mkdir()
    (folder / "a.csv").write_text("x;y\n" + "".join(f"{i},234;n\n" for i in range(1, 9)))
    (folder / "b.csv").write_text("x;y\n" + "".join(f"{i},5;p\n" for i in range(1, 9)))
    values = load(folder).frame["x"].tolist()
    assert values == [float(f"{i}.234") for i in range(1, 9)] + [i + 0.5 for i in range(1, 9)]


def test_files_that_are_no_parts(tmp_path: Path) -> None:
    made = frame()
    folder = parts(tmp_path / "my", made)
    made[30:60].rename(columns={"x": "z"}).to_csv(folder / "part-1.csv", index=False)
    with pytest.raises(
        UserError, match=r"part-0\.csv and part-1\.csv differ in column 'x'"
    ) as said:
        load(folder)
    assert "name one of the files, or join them if the first line of one" in str(said.value)
    assert len(load(folder / "part-0.csv").frame) == 30
    (folder / "part-1.csv").write_text("x,y\n1,n,3\n")
    with pytest.raises(UserError, match=r"my, part-1\.csv, line 2: 3 cells"):
        load(folder)


@pytest.mark.parametrize("odd", ["1.25", "unknown", "NA", "1,25", ""])
def test_parts_of_parquet_are_read_as_those_of_text(tmp_path: Path, odd: str) -> None:
    """Numbers that are texts in one part: what is told and refused is the same."""
    made = frame()[["x", "count", "y"]]
    texts = made[60:].assign(x=made["x"][60:].map(lambda x: "" if x != x else str(x)))
    texts.loc[[70, 71], "x"] = odd
    stored, written = tmp_path / "stored", tmp_path / "written"
    stored.mkdir()
    written.mkdir()
    for number, part in enumerate([made[:30], made[30:60], texts]):
        part.to_parquet(stored / f"{number}.parquet", index=False)
        part.to_csv(written / f"{number}.csv", index=False)
    by_type, by_text = load(stored), load(written)
    assert (by_type.sha256, by_type.kinds) == (by_text.sha256, by_text.kinds)
    assert ("x" in by_type.refused) == (odd in ("unknown", "1,25"))
    said, as_text = [
        [str(each).partition(", column")[2] for each in table.refused.values()]
        for table in (by_type, by_text)
    ]
    assert said == as_text
    (mixed,) = (note for note in by_type.notes if "column 'x': is of type double in 0.pa" in note)
    assert "string in 2.parquet, and is read as in files of text" in mixed
    told = [note.replace("stored", "written").replace(".parquet", ".csv") for note in by_type.notes]
    assert [note for note in told if "is of type" not in note] == [*by_text.notes]
