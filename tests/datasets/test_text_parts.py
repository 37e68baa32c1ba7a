"""Folders of texts that are the parts of one table."""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from pathlib import Path

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
