"""Texts of one number: they are one level, and that is said, or two labels, and that is too."""

from __future__ import annotations

import json
import re
from pathlib import Path
from unittest import mock

import pytest
from conftest import Call

from gdcurves import datasets
from gdcurves.datasets import Request
from gdcurves.datasets.columns import alike
from gdcurves.datasets.formats import delimited
from gdcurves.problems.problem import build

SAID = "whole numbers that are written in several ways are one level each, or one class: "


def written(path: Path, a: list[str], y: list[str], **options: object) -> tuple[list[str], str]:
    """Levels of the column `a` beside numbers and a target, and what is said of texts."""
    rows = [f"{i * 37 % 101}.25,{a[i % 7 % len(a)]},{y[i % 5 % len(y)]}" for i in range(70)]
    path.write_text("\n".join(["x,a,y", *rows]) + "\n")
    table = datasets.load(Request(str(path), "y", **options))  # type: ignore[arg-type]
    said = [note.partition(SAID)[2] for note in table.notes if SAID in note]
    return [*table.cells("a").categories], said[0].partition(";")[0] if said else ""


@pytest.mark.parametrize(
    ("a", "levels", "said"),
    [
        (["1", "1.0", "0"], ["0", "1"], "'a' (1 and 1.0)"),
        (["u", "2", "2.", "2.00"], ["2", "u"], "'a' (2 and 2. and 2.00)"),
        (["1.0", "0.0"], ["0", "1"], ""),  # as pandas writes whole numbers beside gaps
        (["01", "1", "0"], ["0", "01", "1"], ""),
        (["u", "v", "w", "1.5", "1.50"], ["1.5", "1.50", "u", "v", "w"], ""),
        (["v1", "v1.0"], ["v1", "v1.0"], ""),
    ],
)
@pytest.mark.parametrize("declared", [(), ("a",)])
def test_one_level_of_two_texts(
    tmp_path: Path, a: list[str], levels: list[str], said: str, declared: tuple[str, ...]
) -> None:
    path = tmp_path / "my.csv"
    assert written(path, a, ["n", "p"], discrete=declared) == (levels, said)


def test_one_class_of_two_texts(tmp_path: Path) -> None:
    path = tmp_path / "my.csv"
    y = ["1", "1.0", "0", "?"]
    assert written(path, ["u", "v"], y) == (["u", "v"], "'y' (1 and 1.0)")
    assert written(path, ["3", "3.0", "4"], y)[1] == "'a' (3 and 3.0), 'y' (1 and 1.0)"
    table = datasets.load(Request(str(path), "y"))
    assert table.labels == ("0", "1")
    gaps = written(path, ["u", "v"], ["1", "0", "1.0"], missing_texts=("", "?", "1"))
    assert gaps == (["u", "v"], "")


@pytest.mark.parametrize(
    ("labels", "said"),
    [
        (["low-risk", "low\u2013risk"], r"'low-risk' and 'low\u2013risk'"),
        (["-1", "\u22121", "1"], r"'-1' and '\u22121'"),
        (["6\u201110", "6\u201010", "6\u201410"], r"'6\u201010' and '6\u201110' and '6\u201410'"),
        (["it's", "it\u2019s"], "\"it's\" and 'it\\u2019s'"),
        (["high", '"high"', "low"], "'\"high\"' and 'high'"),
        (["low", "'low'"], "\"'low'\" and 'low'"),
        (["\u201ehoch\u201c", "hoch"], "'hoch' and '\u201ehoch\u201c'"),
        (["Jos\u00e9", "Jose\u0301"], r"'Jose\u0301' and 'Jos\xe9'"),
        (["Größe", "größe"], "'Größe' and 'größe'"),
        (["1", "1,0", "2,5"], "'1' and '1,0'"),
        (["1,50", "1,5", "2"], "'1,5' and '1,50'"),
        (["1,5", "15", "5,1"], None),
        (["5'", '5"', "5"], None),
        (["-", "+"], None),
        (["a-b", "ab", "a'b"], None),
        (["Not-Sick", "sick", "not sick", "not_sick"], "'Not-Sick' and 'not sick' and 'not_sick'"),
        (["yes,", "no", "yes"], "'yes' and 'yes,'"),
        (["no?", "no", "yes!"], "'no' and 'no?'"),
        (["1-2", "1 2", "1_2"], None),
        (["AB-", "AB+", "AB"], None),
        (['"', "''"], None),
    ],
)
def test_case_s17_labels_that_look_alike_are_told_apart(
    tmp_path: Path, labels: list[str], said: str | None
) -> None:
    """And the mapping that the note gives makes one class of them."""
    path = tmp_path / "my.csv"
    written(path, ["u", "v"], [f'"{each.replace(chr(34), 2 * chr(34))}"' for each in labels])
    table = datasets.load(Request(str(path), "y"))
    notes = [each for each in build("e", table, "all").provenance.notes if "differ by" in each]
    assert len(notes) == (said is not None)
    if said is not None:
        assert f"column 'y': {said} differ by" in notes[0]
        merged = json.loads(re.findall(r"`classes: (.*)` merges them", notes[0])[0])
        assert {*merged} <= {*labels}
        assert sorted(each for alike in merged.values() for each in alike) == sorted(labels)
        assert len(merged) < len(labels)


@pytest.mark.parametrize(
    ("levels", "said"),
    [
        (["M", "m", "F"], "'M' and 'm'"),
        (["red", "Red ", "blue.", "blue"], "'red' and 'Red', 'blue.' and 'blue'"),
        (["M", "F", "Male"], None),
        (["a", "b"], None),
    ],
)
def test_levels_of_inputs_that_look_alike_are_named(
    tmp_path: Path, levels: list[str], said: str | None
) -> None:
    path = tmp_path / "my.csv"
    written(path, levels, ["n", "p"])
    notes = [each for each in datasets.load(Request(str(path), "y")).notes if "differ by" in each]
    assert len(notes) == (said is not None)
    if said is not None:
        assert f"cannot be seen, in 'a' ({said}); each is a level of its own" in notes[0]


@pytest.mark.parametrize(
    ("labels", "together"),
    [
        (["+1", "1", "-1"], [["+1", "1"], ["-1"]]),
        (["+1", "-1"], [["+1"], ["-1"]]),
        (["1e3", "1000", "1e4"], [["1e3", "1000"], ["1e4"]]),
        (["01", "1", "10", "1,0", "1."], [["01", "1", "1,0", "1."], ["10"]]),
        ([".5", "0.50", "-0,5", "\u22120.5"], [[".5", "0.50"], ["-0,5", "\u22120.5"]]),
        (["9007199254740993", "9007199254740992"], [["9007199254740993"], ["9007199254740992"]]),
        (["1e", "1", "0x1", "inf", "Infinity"], [["1e"], ["1"], ["0x1"], ["inf"], ["Infinity"]]),
    ],
)
def test_labels_that_are_one_number_are_alike(labels: list[str], together: list[list[str]]) -> None:
    assert alike.by_look(labels) == together


def test_zeros_that_end_a_label_are_named(call: Call, tmp_path: Path) -> None:
    """The mapping that the note gives makes one class of both."""
    path = tmp_path / "my.csv"
    written(path, ["u", "v"], ["1.5", "2.5", "1.50"])
    table = datasets.load(Request(str(path), "y"))
    (note,) = [note for note in build("e", table, "all").provenance.notes if "differ by" in note]
    assert (
        "column 'y': '1.5' and '1.50' differ by case, blanks or hyphens, a stop or comma at the"
        " end, zeros that" in note
    )
    classes = re.search("`(classes: [^`]*)`", note)
    assert classes is not None
    drafted = call("config", "init", "my.csv", "--target", "y").out
    (tmp_path / "my.yaml").write_text(re.sub("classes: .*", classes[1], drafted))
    shown = call("config", "check", "my.yaml")
    assert (shown.code, "differ by" in shown.out) == (0, False)


@pytest.mark.parametrize(
    ("a", "said"),
    [
        (["u", "u ", "v"], "'a' ('u' and 'u ')"),
        (["u ", "u\t", "v"], "'a' ('u\\t' and 'u ')"),
        (["u", "u\xa0"], "'a' ('u' and 'u\\xa0')"),
        (["u ", "v "], ""),  # all alike
        ([" u", "u", "v"], "'a' (' u' and 'u')"),
        ([" u", " v"], ""),  # behind each separator
    ],
)
def test_one_level_of_two_texts_with_blanks(tmp_path: Path, a: list[str], said: str) -> None:
    """They are one by the rule; who means two is told."""
    path = tmp_path / "my.csv"
    levels, _ = written(path, a, ["n", "p", "p "])
    assert levels == sorted({each.strip() for each in a})
    (note,) = [
        each for each in datasets.load(Request(str(path), "y")).notes if "by blanks ar" in each
    ]
    told = [said, "'y' ('p' and 'p ')"] if said else ["'y' ('p' and 'p ')"]
    assert f"are one level each, or one class: {', '.join(told)}; blanks there" in note
    assert not any("by blanks ar" in each for each in kept_apart(path))


@pytest.mark.parametrize("quotes", [False, True])
def test_both_readers_tell_of_blanks_before_a_level(tmp_path: Path, quotes: bool) -> None:
    path = tmp_path / "my.csv"
    lines = [f"{i}.5, yes,n\n{i}.25,yes,p\n" for i in range(9)]
    path.write_text("x,a,y\n" + '1,"yes",n\n' * quotes + "".join(lines))
    fast = datasets.look(Request(str(path), "y"))
    with mock.patch.object(delimited, "plain_quotes", return_value=None):
        careful = datasets.look(Request(str(path), "y"))
    assert fast.notes == careful.notes
    assert fast.sha256 == careful.sha256
    assert any("'a' (' yes' and 'yes')" in note for note in fast.notes)


def kept_apart(path: Path) -> tuple[str, ...]:
    """Notes on the file with an underscore where the note asks for it."""
    blanks = r"(?<=[a-z])[ \t\xa0]+(?=,|\n)|(?<=,) +(?=[a-z])|(?<=\n) +(?=[a-z])"
    path.write_text(re.sub(blanks, "_", path.read_text()))
    return datasets.load(Request(str(path), "y")).notes
