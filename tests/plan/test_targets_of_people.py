"""Targets as people have them: labels that look the same, and numbers."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from conftest import Call

from gdcurves import config, datasets, learning_curves, plan
from gdcurves.datasets import Request
from gdcurves.errors import MisfitError
from gdcurves.plan import loading
from gdcurves.problems.problem import Problem, build

SHARED = Path(__file__).resolve().parents[3] / "shared" / "cases" / "second"


def write(path: Path, labels: list[str]) -> Path:
    """Write sixty rows with these labels in turn."""
    lines = [f"{i * 37 % 101 / 4},{labels[i % len(labels)]}" for i in range(60)]
    path.write_text("\n".join(["x,y", *lines]) + "\n")
    return path


def notes_of(path: Path) -> list[str]:
    table = datasets.load(Request(str(path), "y"))
    return [note for note in build("e", table, "all").provenance.notes if "merges them" in note]


@pytest.mark.parametrize(
    ("labels", "classes"),
    [
        (["<=50K", ">50K", "<=50K.", ">50K."], 2),
        (["yes", "no", "Yes", "NO "], 2),
        (["b", "a", "b\u200b", "a\u00ad"], 2),
        (["not well", "well", "not  well", "not\u00a0well"], 2),
        (["\uff21", "B", "A"], 2),
        (["well", "sick", "ill", "sick."], 3),
    ],
)
def test_case_s10_the_note_has_the_mapping_that_merges(
    tmp_path: Path, labels: list[str], classes: int
) -> None:
    path = write(tmp_path / "my.csv", labels)
    (note,) = notes_of(path)
    mapping = note.partition("in a config, `")[2].partition("` merges them")[0]
    (tmp_path / "my.yaml").write_text(
        "splits: 2\nsizes: [4]\nfitters: [{type: naive_bayes}]\n"
        f"experiments:\n  - name: e\n    data: my.csv\n    target: y\n    {mapping}\n"
    )
    problems, _ = loading.load(plan.make(config.load(tmp_path / "my.yaml")), "packaged", None)
    made = problems["e"]
    assert isinstance(made, Problem)
    assert len(made.classes) == classes
    assert made.provenance.rows_used == 60
    assert not made.provenance.notes


def test_the_option_that_the_note_names_merges(tmp_path: Path, call: Call) -> None:
    """So does the config that is drafted with it, and the argument of a notebook."""
    path = write(tmp_path / "my.csv", ["<=50K", ">50K", "it's", "<=50K.", ">50K."])
    (note,) = notes_of(path)
    words = shlex.split(note.partition("merges them, and so does ")[2])
    assert words[0] == "--classes"
    drafted = call("config", "init", "my.csv", "--target", "y", *words)
    assert drafted.code == 0
    assert "merges them" not in drafted.err
    (tmp_path / "my.yaml").write_text(drafted.out)
    problems, _ = loading.load(plan.make(config.load(tmp_path / "my.yaml")), "packaged", None)
    assert problems["my"].classes == ("<=50K", ">50K", "it's")  # type: ignore[union-attr]
    run = learning_curves(
        str(path), "y", classes={"low": ["<=50K", "<=50K."], "high": ">50K"}, sizes=[4], splits=2,
        jobs=1, progress=False,
    )  # fmt: skip
    assert run.curves["m"].tolist() == [4, 4, 4]
    some = call("config", "init", "my.csv", "--target", "y", "--classes", "<=50K,>50K")
    assert '    classes: ["<=50K", ">50K"]' in some.out


@pytest.mark.parametrize("labels", [["a", "b"], ["1", "1.5"], ["+", "-"], ["<5", "5"]])
def test_labels_that_differ_have_no_such_note(tmp_path: Path, labels: list[str]) -> None:
    assert len(notes_of(write(tmp_path / "my.csv", labels))) == 0


@pytest.mark.parametrize(("name", "target"), [("q_adult", "income"), ("q_nbsp", "y")])
def test_case_s10_the_two_files(name: str, target: str) -> None:
    if not SHARED.is_dir():
        pytest.skip("no reference folder")
    made = build("e", datasets.load(Request(str(SHARED / f"{name}.csv"), target)), "all")
    assert any("merges them" in note for note in made.provenance.notes)


@pytest.mark.slow
@pytest.mark.parametrize("form", ["{}", "{}.5", "{},5", "${}"])
def test_a_target_of_many_numbers_is_asked_about(call: Call, tmp_path: Path, form: str) -> None:
    path = tmp_path / "my.csv"
    lines = [f"{i * 37 % 101 / 4};{form.format(i % 21)}" for i in range(63)]
    path.write_text("\n".join(["x;y", *lines]) + "\n")
    said = "column 'y': the target holds 21 different numbers; for two classes give --threshold"
    command = ["my.csv", "--target", "y"]
    refused = call("run", "--data", *command)
    assert (refused.code, refused.out) == (2, "")
    assert said in refused.err
    assert refused.err.count("\n") == 1
    head = "splits: 2\nsizes: [8]\nfitters: [{type: naive_bayes}]\nexperiments:\n"
    of = "name: e, data: my.csv, target: y"
    (tmp_path / "my.yaml").write_text(f"{head}  - {{{of}}}\n")
    assert said in call("config", "check", "my.yaml").err
    for threshold, n_classes in (("median", 2), ("none", 21)):
        drafted = call("config", "init", *command, "--threshold", threshold)
        assert drafted.code == 0
        (tmp_path / "drafted.yaml").write_text(drafted.out)
        (tmp_path / "written.yaml").write_text(f"{head}  - {{{of}, threshold: {threshold}}}\n")
        for name in ("drafted.yaml", "written.yaml"):
            problems, _ = loading.load(plan.make(config.load(tmp_path / name)), "packaged", None)
            (made,) = problems.values()
            assert len(made.classes) == n_classes
            assert "are a class each" not in " ".join(made.provenance.notes)


def test_twenty_numbers_are_classes_still(tmp_path: Path) -> None:
    table = datasets.load(Request(str(write(tmp_path / "my.csv", [*map(str, range(20))])), "y"))
    made = build("e", table, "all")
    assert len(made.classes) == 20
    assert "the target's 20 numbers are a class each" in made.provenance.notes[0]
    table = datasets.load(Request(str(write(tmp_path / "my.csv", [*map(str, range(21))])), "y"))
    with pytest.raises(MisfitError, match="21 different numbers"):
        build("e", table, "all")
    texts = [f"c{i}" for i in range(21)]
    assert (
        len(
            build(
                "e", datasets.load(Request(str(write(tmp_path / "t.csv", texts)), "y")), "all"
            ).classes
        )
        == 21
    )
