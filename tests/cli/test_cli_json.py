"""What commands print as JSON is by the schema that `gdcurves schema` prints; and --quiet."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import jsonschema
import pandas as pd
import pytest
from conftest import Call, Ended

from gdcurves.report import told

VALIDATOR = jsonschema.Draft202012Validator(told.schema())
LAW = """\
splits: 30
sizes: [4, 8, 16]
experiments:
  - name: wide
    simulate: {blocks: [{features: 1/2, normal: {shift: 1}}, {features: 1/2, normal: {shift: 0}}],
      n: [2, 4], test: law}
    stratified: true
fitters: [{type: naive_bayes, prior: equal}]
"""
ROWS = "x,y,class\n" + "".join(f"{i % 7},{i % 5 + i % 2 * 3},{'ab'[i % 2]}\n" for i in range(60))


def read(ended: Ended) -> list[dict[str, Any]]:
    """Every line of the output, which must be by the schema."""
    objects = [json.loads(line, parse_constant=pytest.fail) for line in ended.out.splitlines()]
    for each in objects:
        VALIDATOR.validate(each)
    return objects


@pytest.fixture
def own(call: Call, tmp_path: Path) -> dict[str, Any]:
    """A run of own data, and what it told."""
    (tmp_path / "my.csv").write_text(ROWS)
    words = ("run", "--data", "my.csv", "--target", "class", "--sizes", "4,12,40")
    ended = call(*words, "--splits", "25", "--jobs", "1", "--json", "--report")
    assert ended.code == 0
    (known,) = read(ended)
    return known


def test_the_schema_is_one_and_refuses_other_things(call: Call) -> None:
    printed = json.loads(call("schema").out)
    assert printed == told.schema()
    jsonschema.Draft202012Validator.check_schema(printed)
    kinds = {each["$ref"].rpartition("/")[2] for each in printed["oneOf"]}
    assert len(kinds) == 9
    (fitters,) = read(call("fitters", "--json"))
    for broken in ({}, {**fitters, "kind": "run"}, {**fitters, "more": 1}, {"kind": "fitters"}):
        assert not VALIDATOR.is_valid(broken)


@pytest.mark.slow
def test_a_run_tells_the_same_by_all_commands(call: Call, own: dict[str, Any]) -> None:
    folder = Path("results/my")
    assert own["kind"] == "run"
    assert own["files"] == [str(folder / f"{name}") for name in FILES]
    assert all(Path(each).exists() for each in own["files"])
    (status,) = read(call("status", str(folder), "--json"))
    (crossings,) = read(call("crossings", str(folder), "--json"))
    (plot,) = read(call("plot", str(folder), "--json"))
    assert {**status, "files": own["files"]} == own
    assert {**plot, "files": []} == status
    assert crossings["answers"][0]["sentences"] == status["answers"][0]["sentences"]
    (answer,) = own["answers"]
    assert (answer["labelled"], answer["m"], answer["unit"]) == (60, 40, "row")
    # The numbers are those of the tables.
    tables = {name: pd.read_csv(folder / f"{name}.csv") for name in ("curves", "comparisons")}
    last = tables["curves"][tables["curves"]["m"] == 40].set_index("fitter")["error_mean"]
    assert answer["values"] == pytest.approx(last.to_dict())
    errors = tables["comparisons"][tables["comparisons"]["measure"] == "error"]
    assert [each["difference"] for each in answer["comparisons"]] == pytest.approx(
        errors["difference"].tolist()
    )
    # And the words those that are printed.
    quiet = call("crossings", str(folder), "--quiet").out.splitlines()
    assert quiet == answer["sentences"]
    assert call("status", str(folder), "--quiet").out.splitlines() == quiet


FILES = ("figure.png", "figure.pdf", "report.html")


@pytest.mark.slow
def test_quiet_runs_count_notes(call: Call) -> None:
    """On the standard error; the answer stands alone on the other."""
    rows = [f"{i * 37 % 101}.25,{'uvw'[i % 3]},{'np'[i % 2]}" for i in range(40)]
    Path("noted.csv").write_text("\n".join(["a,b,y", *rows, "Source: us,,", "a,b,y"]) + "\n")
    words = "run --data noted.csv --target y --sizes 4,12 --splits 5 --jobs 1 --fresh"
    ended = call(*words.split(), "--quiet")
    assert ended.err == "Note: 1 note on the data; gdcurves report results/noted shows them\n"
    assert "note" not in ended.out
    assert call("report", "results/noted").code == 0
    assert "2 rows left out" in Path("results/noted/report.html").read_text()
    (told,) = read(call(*words.split(), "--quiet", "--json"))
    assert len(told["notes"]) == 1


@pytest.mark.slow
def test_quiet_runs_say_what_failed(call: Call) -> None:
    Path("bad.csv").write_text('a;y\n"1;n\n2;p\n')
    Path("c.yaml").write_text(
        "splits: 2\nsizes: [4]\nexperiments: [{name: one, data: vote, inputs: discrete},"
        " {name: bad, data: bad.csv, target: y}]\nfitters: [{type: naive_bayes}]\n"
    )
    ended = call("run", "--config", "c.yaml", "--jobs", "1", "--quiet")
    first, last = ended.err.splitlines()[-2:]
    assert (ended.code, first.startswith("Error: bad: file bad.csv, line ")) == (1, True)
    assert last.startswith("To try what failed once more: ")
    assert last.endswith("--resume")


@pytest.mark.slow
def test_quiet_commands_say_the_answer_alone(call: Call, own: dict[str, Any]) -> None:
    for words in ("plot results/my", "report results/my", "config check c.yaml"):
        Path("c.yaml").write_text(LAW)
        assert call(*words.split(), "--quiet") == Ended(0, "", ""), words
    words = "run --data my.csv --target class --sizes 4,12,40 --splits 25 --jobs 1 --fresh --quiet"
    ended = call(*words.split())
    assert ended.code == 0
    n = len(own["notes"])
    counted = f"{n} note{'s' * (n > 1)}"
    assert ended.err == f"Note: {counted} on the data; gdcurves report results/my shows them\n"
    assert ended.out.splitlines() == own["answers"][0]["sentences"]
    refused = call("run", "--data", "my.csv", "--target", "klass", "--quiet", "--json")
    assert (refused.code, refused.out) == (2, "")
    assert "klass" in refused.err
    # Several runs are several lines.
    shutil.copytree("results/my", "results/more")
    told_of = read(call("crossings", "results", "--json"))
    assert [each["folder"] for each in told_of] == ["results/more", "results/my"]


@pytest.mark.slow
def test_laws_are_told_of(call: Call, tmp_path: Path) -> None:
    (tmp_path / "law.yaml").write_text(LAW)
    (ran,) = read(call("run", "--config", "law.yaml", "--jobs", "1", "--json", "--report"))
    assert ran["answers"] == []
    assert ran["files"] == ["results/law/report.html"]
    (limits,) = read(call("limits", "--config", "law.yaml", "--json"))
    table = pd.read_csv("results/law/limits.csv")
    assert [each["error"] for each in limits["limits"]] == pytest.approx(table["error"].tolist())
    (complexity,) = read(call("complexity", "results/law", "--json"))
    assert len(complexity["lines"]) == len(pd.read_csv("results/law/complexity.csv"))
    (theory,) = read(call("theory", "--config", "law.yaml", "--json"))
    assert len(theory["lines"]) == len(pd.read_csv("results/law/theory.csv"))
    (checked,) = read(call("config", "check", "law.yaml", "--json"))
    assert (checked["experiments"], checked["errors"]) == (2, {})


@pytest.mark.slow
def test_data_are_told_of(call: Call, tmp_path: Path) -> None:
    (listed,) = read(call("datasets", "list", "--json"))
    (votes,) = (each for each in listed["datasets"] if each["name"] == "vote")
    assert (votes["rows"], votes["discrete"], votes["continuous"]) == (435, 16, 0)
    (tmp_path / "my.csv").write_text(ROWS.replace("\n3,", "\n,", 1))
    (shown,) = read(
        call("datasets", "show", "my.csv", "--target", "class", "--drop", "y", "--json")
    )
    assert shown["classes"] == {"a": 30, "b": 30}
    assert [each["missing"] for each in shown["columns"]] == [1]
    assert [*shown["left_out"]] == ["y"]


COMMANDS = (
    *("run", "plot", "crossings", "report", "limits", "complexity", "theory", "status"),
    *("fitters", "schema", "datasets list", "datasets show", "datasets fetch"),
    *("config init", "config check", "config schema"),
)


@pytest.mark.parametrize("command", COMMANDS)
def test_help_has_an_example_and_no_boxes_where_a_program_reads_it(
    call: Call, command: str
) -> None:
    ended = call(*command.split(), "--help")
    assert ended.code == 0
    lines = [line.strip() for line in ended.out.splitlines()]
    assert lines[lines.index("For instance:") + 2].startswith(f"gdcurves {command}")
    assert ended.out.isascii()
