"""Results folders of earlier format numbers: what reads them, and what refuses them."""

from __future__ import annotations

import json
import shutil
from collections.abc import Generator, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import quiet
from golden import HERE

from gdcurves import config, plan
from gdcurves.compute.chunk import Result, Task, compute
from gdcurves.errors import UserError
from gdcurves.run import reading
from gdcurves.run.tables import Tables
from gdcurves.store import files, format

REFERENCE = Path(__file__).resolve().parents[2] / "results" / "reference"
CONFIG = """
splits: 30
sizes: [4, 8, 16]
experiments:
  - {name: lenses, data: contact-lenses}
  - {name: law, simulate: {gaussian: {means: [[0], [2]], covariances: [[1]]}, rows: 40}}
fitters: [{type: naive_bayes}, {type: logistic_regression}]
"""


def rewrite(folder: Path, number: int) -> None:
    """Make a folder one of an earlier number, which has neither the code's hash nor origins."""
    path = folder / "manifest.json"
    content: dict[str, Any] = json.loads(path.read_text())
    content["schema_version"] = number
    del content["code_sha256"]
    for entry in content["experiments"].values():
        entry.pop("origin", None)
    path.write_text(json.dumps(content))


def run(folder: Path, **options: Any) -> None:
    path = folder.parent / "toy.yaml"
    path.write_text(CONFIG)
    quiet.run(plan.make(config.load(path)), folder, "toy", **options)


def stop_at_the_second(tasks: Sequence[Task]) -> Generator[Result]:
    yield compute(tasks[0])
    raise KeyboardInterrupt


@pytest.fixture
def stopped(tmp_path: Path) -> Path:
    """A run that was stopped when the first of its two experiments was done."""
    with pytest.raises(KeyboardInterrupt):
        run(tmp_path / "out", compute=stop_at_the_second)
    return tmp_path / "out"


@pytest.fixture
def written(tmp_path: Path) -> Path:
    """A run that gdcurves wrote when the number was 3."""
    return shutil.copytree(HERE / "format_3", tmp_path / "toy")


@pytest.mark.slow
def test_a_run_of_number_3_is_shown(written: Path, call) -> None:
    ended = call("status", "toy")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.startswith("toy: complete; 20 of 20 splits done; 0:00:00 in 1 session, ")
    assert [line.split() for line in ended.out.splitlines()[2:]] == [
        ["lenses", "10", "0", "0"],
        ["law", "10", "0", "0"],
    ]
    ended = call("crossings", "toy")
    assert (ended.code, ended.err) == (0, "")
    assert "lenses, naive_bayes and logistic_regression: " in ended.out
    drawn = call("plot", "toy")
    assert (drawn.code, drawn.err) == (0, "")
    assert drawn.out.split() == ["toy/figure.png", "toy/figure.pdf"]


def test_the_raw_rows_of_number_3_come_to_the_tables_beside_them(written: Path) -> None:
    run = reading.read(written)
    parts = [
        Tables.of_chunks(
            name, run.chunks[name], run.manifest["config"], run.manifest["experiments"][name]
        )
        for name in run.manifest["experiments"]
    ]
    together = Tables.together(parts)
    pd.testing.assert_frame_equal(together.curves, run.curves, check_dtype=False)
    assert together.answers.crossings is not None
    assert run.crossings is not None
    pd.testing.assert_frame_equal(together.answers.crossings, run.crossings, check_dtype=False)
    found = reading.answers_of(run).crossings
    pd.testing.assert_frame_equal(found, run.crossings, check_dtype=False)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    ["ng_jordan", "as_published", "quasi_separable", "xue_titterington", "xue_titterington_fresh"],
)
def test_committed_runs_are_shown(tmp_path: Path, call, name: str) -> None:
    """Without raw rows and journal, as they are kept in git."""
    if not (REFERENCE / name).is_dir():
        pytest.skip("needs results/reference of the repository")
    ignore = shutil.ignore_patterns("figure*")
    folder = shutil.copytree(REFERENCE / name, tmp_path / name, ignore=ignore)
    manifest = json.loads((folder / "manifest.json").read_text())
    ended = call("status", name)
    assert (ended.code, ended.err) == (0, "")
    (n_splits,) = {entry["splits"] for entry in manifest["experiments"].values()}
    total = n_splits * len(manifest["experiments"])
    assert ended.out.startswith(f"{name}: complete; {total:,} of {total:,} splits done; ")
    ended = call("crossings", name)
    assert (ended.code, ended.err) == (0, "")
    for experiment in manifest["experiments"]:
        assert f"\n{experiment}, " in ended.out
    if name in ("as_published", "quasi_separable", "xue_titterington_fresh"):  # drawing takes long
        drawn = call("plot", name)
        assert (drawn.code, drawn.err) == (0, "")
        committed = {path.name for path in (REFERENCE / name).glob("figure*")}
        assert {Path(line).name for line in drawn.out.split()} == committed


@pytest.mark.slow
def test_a_stopped_run_of_number_3_is_shown_as_one_of_today(stopped: Path, call) -> None:
    commands = [
        ("status", "out"),
        ("crossings", "out"),
        ("plot", "out"),
        ("status", "out", "--json"),
    ]
    today = [call(*words) for words in commands]
    rewrite(stopped, 3)
    assert [call(*words) for words in commands] == today
    assert all(each.code == 0 for each in today)
    assert call("limits", "--config", "toy.yaml", "--out", "out").code == 0


@pytest.mark.slow
def test_a_run_of_number_3_is_not_gone_on_with(stopped: Path, call) -> None:
    rewrite(stopped, 3)
    before = (stopped / "manifest.json").read_bytes()
    words = ("run", "--config", "toy.yaml", "--out", "out", "--jobs", "1")
    ended = call(*words, "--resume")
    assert ended.code == 2
    assert ended.err.splitlines()[-1] == (
        "Error: --resume: the run of 'toy' is of schema version 3, and this version of gdcurves"
        " goes on with 5 alone; use --fresh to begin anew, or choose another folder with --out"
    )
    assert (stopped / "manifest.json").read_bytes() == before
    assert call(*words, "--fresh").code == 0
    assert reading.read_run(stopped).manifest["schema_version"] == format.NUMBER


@pytest.mark.slow
@pytest.mark.parametrize("number", [1, 2])
def test_earlier_numbers_are_refused_with_what_to_do(stopped: Path, call, number: int) -> None:
    rewrite(stopped, number)
    for command in ("status", "plot", "crossings"):
        ended = call(command, "out")
        assert (ended.code, ended.out) == (2, "")
        assert ended.err == (
            f"Error: out/manifest.json: of schema version {number}, and this version of gdcurves"
            " reads schema version 5, 4 or 3; run the experiment again, with --fresh\n"
        )


def test_a_later_number_asks_for_another_gdcurves(stopped: Path) -> None:
    rewrite(stopped, format.NUMBER + 1)
    with pytest.raises(UserError, match=r"of schema version 6, .*; update gdcurves, or run "):
        files.read_manifest(stopped)


def test_every_number_has_its_history() -> None:
    assert format.__doc__ is not None
    numbers = [line.split()[0] for line in format.__doc__.splitlines() if line[:1].isdigit()]
    assert numbers == [str(number) for number in range(format.NUMBER, 0, -1)]
    assert max(format.READ) == format.NUMBER
