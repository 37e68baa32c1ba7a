"""Lines in narrow terminals: no word breaks, and no table loses a column without a word."""

from __future__ import annotations

import re
from io import StringIO
from pathlib import Path

import pytest
from conftest import Call
from rich.console import Console

from gdcurves.report import crossings as words
from gdcurves.report import summary
from gdcurves.run import reading

FOLDER = "a_rather-long/folder-of_mine/that.goes-on/for_a-while"
WORDS = re.compile(r"\S+")


@pytest.fixture
def path(tmp_path: Path) -> str:
    """Many columns with long names, in a folder with a long name."""
    names = [f"a-column-with_name.{i}" for i in range(30)]
    rows = [[f"{(i * 7 + j * 3) % 5}" for j in range(30)] for i in range(60)]
    folder = tmp_path / FOLDER
    folder.mkdir(parents=True)
    lines = [[*names, "y"], *([*row, "np"[i % 2]] for i, row in enumerate(rows))]
    (folder / "my-data.csv").write_text("\n".join(",".join(line) for line in lines) + "\n")
    return f"{FOLDER}/my-data.csv"


@pytest.mark.slow
@pytest.mark.parametrize("columns", [60, 80, 160])
def test_no_word_breaks(
    call: Call, path: str, monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    """With line ends taken for blanks, all is as on an endless line; short words fit."""
    command = ["datasets", "show", path, "--target", "y"]
    endless = call(*command).out
    monkeypatch.setenv("COLUMNS", str(columns))
    shown = call(*command).out
    assert WORDS.findall(shown) == WORDS.findall(endless)
    for line in shown.splitlines():
        assert len(line) <= columns or max(map(len, WORDS.findall(line))) > columns - 20
    ran = call("run", "--data", path, "--target", "y", "--splits", "3", "--jobs", "1")
    assert ran.code == 0
    assert f"{path}: 60 rows" in " ".join(ran.out.split())
    assert f"file {path}\n" in ran.out or f"file {path} " in ran.out  # in the table, or below it


@pytest.mark.slow
def test_a_table_says_what_it_has_no_room_for(call: Call, path: str, tmp_path: Path) -> None:
    ran = call("run", "--data", path, "--target", "y", "--splits", "3", "--jobs", "1")
    assert ran.code == 0
    run = reading.read_run(tmp_path / "results" / "my-data")
    assert run.crossings is not None
    for width, has_room in ((60, False), (80, False), (160, True)):
        stream = StringIO()
        console = Console(file=stream, width=width, highlight=False)
        console.print(words.tables(run.crossings, width))
        text = " ".join(stream.getvalue().split())
        assert bool(re.search(r"[-+]0\.\d{3} \([-+]0\.\d{3} to [-+]0\.\d{3}\)", text)) == has_room
        assert ("need 100 characters in a line; they are in crossings.csv" in text) != has_room
        console.print(summary(run, width), crop=False)
        assert path in stream.getvalue()
        assert "…" not in stream.getvalue()


def test_nothing_that_a_terminal_would_obey(call: Call, tmp_path: Path) -> None:
    """Names and labels of a file may clear the screen, or ring."""
    path = tmp_path / "my.csv"
    labels = ["n\x1b[2J", "p\x07"]
    lines = [f"{i * 37 % 101}.25,{labels[i // 2 % 2]}" for i in range(40)]
    path.write_text("\n".join(["a\x1b]0;title\x07,y", *lines]) + "\n")
    shown = call("datasets", "show", str(path), "--target", "y")
    assert shown.code == 0
    assert not re.search(r"[\0-\x08\x0b-\x1f\x7f-\x9f]", shown.out + shown.err)
    assert r"n\u001b[2J 20, p\u0007 20" in " ".join(shown.out.split())
    refused = call("datasets", "show", str(path), "--target", "z\x1b[2J")
    assert refused.code == 2
    assert "\x1b" not in refused.err
