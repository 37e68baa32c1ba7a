"""Runs that were stopped: exactly what is missing is done, and the outcome is the same."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import gdcurves
from gdcurves import cli, config, datasets, plan, plots, report
from gdcurves.compute import chunk, local
from gdcurves.compute.chunk import Result, Task
from gdcurves.errors import UserError
from gdcurves.run import reading, runner
from gdcurves.store import files, journal, lock
from gdcurves.store.contents import JOURNAL

EXPERIMENTS = """
  - {name: votes, data: vote, inputs: discrete, sizes: [3, 40]}
  - {name: liver, data: liver-disorders, inputs: continuous, classes: [1, 2], sizes: [2, 30]}
"""
FITTERS = "[{type: naive_bayes}, {type: logistic_regression}]"

Run = Callable[..., list[str]]


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the folder of the run that every test begins with is kept."""
    return tmp_path_factory.mktemp("finished") / "run"


@pytest.fixture
def run(tmp_path: Path, finished: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run 20 splits in chunks of eight; returns what was computed, as experiment and split.

    The new run without any changes is computed once, and copied from then on.
    """
    monkeypatch.setattr("gdcurves.plan.plan.CHUNK_SPLITS", 8)

    def run(folder: str, mode: str = "new", changes: str = "", **options: Any) -> list[str]:
        plain = mode == "new" and not changes and not options and not (tmp_path / folder).exists()
        if plain and finished.exists():
            shutil.copytree(finished, tmp_path / folder)
            return ALL
        path = tmp_path / "toy.yaml"
        text = f"splits: 20\nexperiments:{EXPERIMENTS}\nfitters: {FITTERS}\n{changes}"
        for old, new in options.pop("replace", {}).items():
            assert old in text
            text = text.replace(old, new)
        path.write_text(text)
        computed: list[str] = []

        def compute(task: Task) -> Result:
            computed.append(f"{task.chunk.experiment} {task.chunk.start}")
            return work(task)

        work = options.pop("work", chunk.compute)
        defaults = {
            "source": "packaged",
            "data_dir": None,
            "compute": partial(local.run, jobs=1, work=compute),
            "progress": lambda _: None,
            "say": print,
        }
        planned = plan.make(config.load(path))
        everything: dict[str, Any] = {"name": "toy", "mode": mode, **defaults, **options}
        runner.run(planned, tmp_path / folder, **everything)
        if plain:
            assert computed == ALL
            shutil.copytree(tmp_path / folder, finished)
        return computed

    return run


def stop_after(n: int) -> Callable[[object], None]:
    """Return a progress callback that is interrupted at the n-th chunk."""
    left = iter(range(n, -1, -1))  # one more, as it is called before the first chunk too

    def progress(_: object) -> None:
        if next(left) == 0:
            raise KeyboardInterrupt

    return progress


def tables(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*.csv"))
    }


ALL = [f"{name} {start}" for name in ("votes", "liver") for start in (0, 8, 16)]


@pytest.mark.slow
def test_case_12_resume_does_exactly_what_is_missing(run: Run, tmp_path: Path) -> None:
    assert run("whole") == ALL
    for n in (1, 3, 4):
        folder = f"stopped{n}"
        with pytest.raises(KeyboardInterrupt):
            run(folder, progress=stop_after(n))
        assert run(folder, "resume") == ALL[n:]
        assert tables(tmp_path / folder) == tables(tmp_path / "whole")
    read = json.loads((tmp_path / "stopped3" / "manifest.json").read_text())
    assert (read["status"], read["sessions"]) == ("complete", 2)


@pytest.mark.slow
def test_resuming_a_finished_or_a_missing_folder_just_works(run: Run, tmp_path: Path) -> None:
    assert run("out", "resume") == ALL
    before = tables(tmp_path / "out")
    assert run("out", "resume") == []
    assert tables(tmp_path / "out") == before
    (tmp_path / "empty").mkdir()
    assert run("empty", "resume") == ALL


@pytest.mark.slow
def test_a_used_folder_is_refused_and_fresh_begins_anew(run: Run, tmp_path: Path) -> None:
    run("out")
    (tmp_path / "out" / "limits.csv").write_text("kept")
    with pytest.raises(UserError, match=r"--resume .* --fresh"):
        run("out")
    assert run("out", "fresh") == ALL
    assert (tmp_path / "out" / "limits.csv").read_text() == "kept"
    assert len({line.session for line in journal.read(tmp_path / "out").lines}) == 1


@pytest.mark.slow
@pytest.mark.parametrize("damage", ["cut", "empty", "garbage", "removed", "another chunk's"])
def test_case_12_a_damaged_chunk_is_done_again(run: Run, tmp_path: Path, damage: str) -> None:
    run("out")
    before = tables(tmp_path / "out")
    path = tmp_path / "out" / "splits" / "votes" / "000008-000015.csv"
    whole = path.read_bytes()
    if damage == "removed":
        path.unlink()
    else:
        other = path.with_name("000000-000007.csv").read_bytes()
        last = whole[: whole.rstrip().rfind(b"\n") + 1]
        damaged = {"cut": last, "empty": b"", "garbage": b"\0" * 99, "another chunk's": other}
        path.write_bytes(damaged[damage])
    assert run("out", "resume") == ["votes 8"]
    assert tables(tmp_path / "out") == before


@pytest.mark.slow
@pytest.mark.parametrize("cut", [1, 30])
def test_case_12_a_cut_record_of_the_journal_is_dropped_and_its_chunk_redone(
    run: Run, tmp_path: Path, cut: int
) -> None:
    with pytest.raises(KeyboardInterrupt):
        run("out", progress=stop_after(4))
    path = tmp_path / "out" / JOURNAL
    *lines, _end = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines)[:-cut])  # killed while it wrote of the fourth chunk
    assert run("out", "resume") == ALL[3:]
    run("whole")
    assert tables(tmp_path / "out") == tables(tmp_path / "whole")
    assert all(json.loads(line) for line in path.read_text().splitlines())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("replace", "says"),
    [
        ({"splits: 20": "splits: 21"}, "splits was 20, is 21"),
        (
            {"[3, 40]": "[3, 41]"},
            r"experiments\[votes\].sizes was \[3, 40\], is \[3, 41\]",
        ),
        (
            {"votes, data: vote,": "other, data: vote,", "liver, ": "more, "},
            "one: new in experiments: other, more; gone in experiments: votes, liver; take back",
        ),
        (
            {"splits: 20": "splits: 20\nchunk: 5"},
            "another one: chunk was not there, is 5; take back",
        ),
        ({"splits: 20": "splits: 25\nchunk: 5"}, "another one: splits was 20, is 25; take back"),
        ({"splits: 20": "splits: 20\nseed: 1"}, "another one: seed was 0, is 1; take back"),
        ({"type: naive_bayes": "type: naive_bayes, laplace: 2"}, "laplace was 1.*, is 2"),
        (
            {", {type: logistic_regression}": ""},
            "another one: gone in fitters: logistic_regression;",
        ),
    ],
)
def test_case_12_another_config_is_refused_by_name(
    run: Run, tmp_path: Path, replace: dict[str, str], says: str
) -> None:
    run("out")
    before = tables(tmp_path / "out")
    with pytest.raises(UserError, match=says) as caught:
        run("out", "resume", replace=replace)
    assert caught.value.exit_code == 2
    assert "\n" not in str(caught.value)
    assert tables(tmp_path / "out") == before


@pytest.mark.slow
def test_case_12_every_entry_of_a_list_without_names_is_compared(run: Run, tmp_path: Path) -> None:
    more = "more_splits: [{sizes: [2, 3], splits: 30}, {sizes: [30, 40], splits: 9}]"
    run("out", changes=more)
    says = r"another one: more_splits\[0\].splits was 30, is 29; take back"
    with pytest.raises(UserError, match=says):
        run("out", "resume", changes=more.replace("30}", "29}"))


def test_only_some_of_the_experiments_are_named_together(run: Run, tmp_path: Path) -> None:
    swapped = "".join(f"\n{line}" for line in reversed(EXPERIMENTS.strip("\n").splitlines()))
    run("out")
    with pytest.raises(UserError, match=r'order of experiments was \["votes", "liver"\], is'):
        run("out", "resume", replace={EXPERIMENTS: swapped + "\n"})
    (first, _second) = EXPERIMENTS.strip("\n").splitlines()
    with pytest.raises(UserError, match="another one: gone in experiments: liver; take back"):
        run("out", "resume", replace={EXPERIMENTS: f"\n{first}\n"})


def test_case_12_other_data_are_refused_by_name(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("out")
    data = tmp_path / "data"
    data.mkdir()
    frame = datasets.load("vote").frame
    frame.iloc[:-1].to_csv(data / "vote.csv", index=False)
    with pytest.raises(UserError, match=r"sha256 of the data of votes was .*, is ") as caught:
        run("out", "resume", data_dir=data)
    assert "liver" not in str(caught.value)


def test_case_12_another_version_is_refused_by_name(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("out")
    here = gdcurves.__version__
    monkeypatch.setattr(gdcurves, "__version__", "99.0")
    with pytest.raises(UserError, match=f"gdcurves was {here}, is 99.0"):
        run("out", "resume")


@pytest.mark.slow
def test_time_and_warnings_are_those_of_all_sessions(run: Run, tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        run("out", progress=stop_after(2))
    first = journal.read(tmp_path / "out")
    run("out", "resume")
    both = journal.read(tmp_path / "out")
    assert (first.sessions, both.sessions) == (1, 2)
    assert 0 < first.seconds < both.seconds
    assert 0 < first.processor()["fits_and_scoring"] < both.processor()["fits_and_scoring"]
    read = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert read["seconds"] == both.seconds
    assert read["started"] == first.lines[0].session


# What is told of runs that are not finished.


def break_off(task: Task) -> Result:
    """Compute, but one chunk kills its workers and another raises an error."""
    if task.chunk.experiment == "votes" and task.chunk.start == 8:
        return Result(task.chunk, failure=f"{task}: the worker process died 2 times")
    return chunk.compute(task)


@pytest.mark.slow
def test_case_10_status_tells_what_is_done_missing_and_failed_and_why(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "out"
    with pytest.raises(KeyboardInterrupt):
        run("out", work=break_off, progress=stop_after(4))
    for status in ("interrupted", "stopped"):
        if status == "stopped":  # as a process that was killed leaves it
            manifest = json.loads((folder / "manifest.json").read_text())
            nothing = {"splits_done": 0, "splits_failed": 0, "status": "missing", "reason": None}
            for entry in manifest["experiments"].values():
                entry |= nothing
            (folder / "manifest.json").write_text(json.dumps(manifest | {"status": "running"}))
        told = report.status(reading.read(folder))
        assert (told["status"], told["splits"], told["splits_done"]) == (status, 40, 12 + 8)
        votes, liver = told["experiments"]["votes"], told["experiments"]["liver"]
        counts = ("splits_done", "splits_missing", "splits_failed")
        assert [votes[each] for each in counts] == [12, 0, 8]
        assert [liver[each] for each in counts] == [8, 12, 0]
        why = "splits 8 to 15 at m = 3 to 40: the worker process died 2 times"
        assert (votes["status"], votes["reason"]) == ("failed", why)
        assert (liver["status"], liver["reason"]) == ("missing", None)
        assert told["seconds"] > 0
    cli.app(["status", str(folder)], standalone_mode=False)
    shown = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["votes", "12", "0", "8", "failed:", *why.split()] in shown
    assert ["liver", "8", "12", "0"] in shown
    cli.app(["status", str(folder), "--json"], standalone_mode=False)
    assert json.loads(capsys.readouterr().out) == told
    assert run("out", "resume") == ["votes 8", "liver 8", "liver 16"]
    assert report.status(reading.read(folder))["status"] == "complete"


@pytest.mark.slow
def test_case_12_a_partial_folder_is_drawn_and_says_so(run: Run, tmp_path: Path) -> None:
    run("whole")
    for n, splits in ((2, 16), (5, 36)):
        with pytest.raises(KeyboardInterrupt):
            run(f"stopped{n}", progress=stop_after(n))
        partial = reading.read_partial(tmp_path / f"stopped{n}")
        (sheet,) = plots.FIGURES["learning_curves"](partial)
        assert sheet.warning.startswith(f"partial: {splits} of 40 splits (interrupted)")
        assert plots.draw(partial)
        counts = partial.curves.groupby("experiment")["n_splits"].unique()
        assert {name: list(each) for name, each in counts.items()} == (
            {"votes": [16]} if n == 2 else {"votes": [20], "liver": [16]}
        )
    # The mean is that over the first splits of the whole run.
    rows = files.read_rows(tmp_path / "whole", "liver")
    first = rows[rows["split"] < 16].groupby(["fitter", "m"])["errors"].mean()
    liver = partial.curves[partial.curves["experiment"] == "liver"].set_index(["fitter", "m"])
    assert liver["error_mean"].to_dict() == pytest.approx((first / liver["n_test"]).to_dict())


@pytest.mark.slow
@pytest.mark.parametrize("damage", ["changed", "removed", "a folder"])
@pytest.mark.parametrize("ended", ["complete", "stopped"])
def test_chunks_lost_after_they_were_stored_are_told(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str], ended: str, damage: str
) -> None:
    folder = tmp_path / "out"
    if ended == "complete":
        run("out")
    else:
        with pytest.raises(KeyboardInterrupt):
            run("out", progress=stop_after(5))
    before = report.status(reading.read(folder))
    path = folder / "splits" / "liver" / "000000-000007.csv"
    content = path.read_bytes()
    path.unlink()
    if damage == "changed":
        path.write_bytes(content.replace(b"0", b"1"))
    elif damage == "a folder":
        path.mkdir()
    told = report.status(reading.read(folder))
    assert (before["chunks_lost"], told["chunks_lost"]) == (0, 1)
    assert told["splits_done"] == before["splits_done"] - 8
    votes, liver = told["experiments"]["votes"], told["experiments"]["liver"]
    assert (votes["splits_missing"], votes["splits_done"]) == (0, 20)
    assert liver["splits_done"] + liver["splits_missing"] == 20
    says = "1 chunk that the journal has as done is missing or changed; --resume computes it again"
    for command in ("status", "plot", "crossings"):
        capsys.readouterr()
        cli.app([command, str(folder)], standalone_mode=False)
        shown = capsys.readouterr()
        text = shown.out if command == "status" else shown.err
        assert f"{folder}: {says}" in text
        assert says not in (shown.err if command == "status" else shown.out)
    with lock.hold(folder):  # whoever works there may just be at it
        assert report.status(reading.read(folder))["chunks_lost"] == 0
    assert "liver 0" in run("out", "resume")
    assert report.status(reading.read(folder))["chunks_lost"] == 0
