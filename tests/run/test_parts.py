"""Parts of a run that are computed apart, one beside the other, come to the bytes of one run."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from itertools import chain
from pathlib import Path

import kills
import parts
import pytest
from conftest import Call

from gdcurves import report
from gdcurves.errors import UserError
from gdcurves.run import reading
from gdcurves.store import journal, lock
from gdcurves.store.part import Part


@pytest.fixture(scope="module")
def one_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The run that was computed as one."""
    folder = tmp_path_factory.mktemp("one")
    parts.run(parts.write_config(folder), folder / "out")
    return folder / "out"


def content(folder: Path) -> dict[str, bytes]:
    """Tables, raw rows and sums."""
    paths = [*folder.rglob("*.csv"), *folder.rglob("*.npz")]
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths}


@pytest.mark.process
@pytest.mark.slow
def test_twenty_parts_at_once_come_to_the_bytes_of_one_run(tmp_path: Path, one_run: Path) -> None:
    config, out = parts.write_config(tmp_path), tmp_path / "out"
    every = [Part(number, 20) for number in range(1, 21)]
    assert parts.at_once(config, out, every) == [0] * 20
    assert not list(out.glob("*.csv"))
    told = report.status(reading.read(out))
    assert (told["status"], told["splits_done"], told["splits"]) == ("stopped", 24, 24)
    # Each chunk was computed by one part alone.
    assert len(journal.read(out).entries) == 24
    parts.run(config, out, mode="resume")
    assert content(out) == content(one_run)
    assert len(journal.read(out).entries) == 24
    assert kills.hidden(out) == []
    assert report.status(reading.read(out))["status"] == "complete"


@pytest.mark.slow
def test_a_part_that_is_done_again_does_nothing_and_a_finished_run_stays(
    tmp_path: Path, one_run: Path
) -> None:
    config, out = parts.write_config(tmp_path), tmp_path / "out"
    parts.run(config, out, Part(2, 2))
    before = content(out)
    parts.run(config, out, Part(2, 2))
    assert content(out) == before
    assert len(journal.read(out).entries) == 12
    # What a part has not done, the whole does.
    parts.run(config, out, mode="resume")
    assert content(out) == content(one_run)
    manifest = (out / "manifest.json").read_bytes()
    parts.run(config, out, Part(1, 3))
    assert (out / "manifest.json").read_bytes() == manifest


def test_parts_have_every_item_once() -> None:
    items = list(range(47))
    for n in (1, 3, 20, 60):
        shares = [list(Part(number, n).of(items)) for number in range(1, n + 1)]
        assert sorted(chain.from_iterable(shares)) == items
        sizes = [len(each) for each in shares]
        assert max(sizes) - min(sizes) <= 1


def test_parts_of_one_division_work_beside_each_other_alone(tmp_path: Path) -> None:
    with lock.hold(tmp_path, Part(1, 20)), lock.hold(tmp_path, Part(2, 20)):
        lock.check(tmp_path, Part(3, 20))
        for part in (Part(1, 20), Part(1, 10), None):
            with pytest.raises(UserError, match="a run works there"):
                lock.check(tmp_path, part)
            with pytest.raises(UserError, match="a run works there"), lock.hold(tmp_path, part):
                pass
        assert lock.holder(tmp_path) is not None
    with (
        lock.hold(tmp_path),
        pytest.raises(UserError, match="a run works there"),
        lock.hold(tmp_path, Part(1, 20)),
    ):
        pass
    assert kills.hidden(tmp_path) == []


HOLD = """
import sys, time
from pathlib import Path
from gdcurves.store import lock
from gdcurves.store.part import Part
with lock.hold(Path(sys.argv[1]), Part(1, 2)):
    print("held", flush=True)
    time.sleep(60)
"""


@pytest.mark.process
def test_the_lock_of_a_part_that_was_killed_is_taken_over(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path)], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        with pytest.raises(UserError, match=f"process {process.pid}"):
            lock.check(tmp_path, Part(1, 2))
        lock.check(tmp_path, Part(2, 2))
        os.kill(process.pid, signal.SIGKILL)
    with lock.hold(tmp_path, Part(1, 2)) as held:
        assert held.left_by is not None
        assert held.left_by.pid == process.pid
    with lock.hold(tmp_path):
        pass


@pytest.mark.slow
def test_the_command_line_computes_parts_and_says_how_to_go_on(
    call: Call, tmp_path: Path, one_run: Path
) -> None:
    parts.write_config(tmp_path)
    words = ("run", "--config", "toy.yaml", "--jobs", "1", "--out", "out")
    first = call(*words, "--shard", "1/2")
    assert (first.code, "Error" in first.err) == (0, False)
    said = "the tables are made by: "
    assert said in first.out
    assert first.out.partition(said)[2].split() == ["gdcurves", *words, "--resume"]
    second = call(*words, "--shard=2/2", "--json", "--quiet")
    assert (second.code, second.err) == (0, "")
    told = json.loads(second.out)
    assert (told["kind"], told["part"], told["done"]) == ("part", "2/2", ["votes", "liver"])
    other = call(*words, "--shard", "1/2", "--splits", "13")
    assert other.code == 2
    assert "splits was 12, is 13" in other.err
    assert call(*words, "--resume", "--quiet").code == 0
    assert content(tmp_path / "out") == content(one_run)


@pytest.mark.parametrize("text", ["0/3", "4/3", "3", "a/b", "1/0", "1/", "-1/3", "1/20000"])
def test_parts_that_there_are_not_are_refused(call: Call, tmp_path: Path, text: str) -> None:
    parts.write_config(tmp_path)
    ended = call("run", "--config", "toy.yaml", f"--shard={text}")
    assert ended.code == 2
    assert ended.err.startswith(f"Error: --shard {text}: write which of how many parts, as in 3/20")
    assert not (tmp_path / "results").exists()


def test_a_part_cannot_replace_a_run(call: Call, tmp_path: Path) -> None:
    parts.write_config(tmp_path)
    for option in ("--fresh", "--report"):
        ended = call("run", "--config", "toy.yaml", "--shard", "1/2", option)
        assert ended.code == 2
        assert "leave --fresh and --report to the whole run" in ended.err
