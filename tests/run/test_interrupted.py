"""Runs that are stopped or killed from outside, as processes of their own."""

from __future__ import annotations

import json
import os
import random
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import kills
import pytest

pytestmark = pytest.mark.process


@pytest.fixture(scope="module")
def config(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return kills.write_config(tmp_path_factory.mktemp("config"), 500)


@pytest.fixture
def endless(tmp_path: Path) -> Path:
    return kills.write_config(tmp_path, 30_000)


@pytest.fixture(scope="module")
def whole(config: Path) -> dict[str, bytes]:
    """Tables of a run that nothing happened to."""
    folder = config.parent / "whole"
    ended = kills.call(kills.command(config, folder))
    assert ended.returncode == 0, ended.stderr
    return kills.tables(folder)


def test_three_kills_at_random_moments(
    config: Path, whole: dict[str, bytes], tmp_path: Path
) -> None:
    seed = int(time.time())
    rng = random.Random(seed)
    out = tmp_path / "out"
    killed = [seed]
    for _ in range(3):
        killed.append(kills.kill_at_random(kills.command(config, out, "--resume"), rng, 3.0))
    ended = kills.call(kills.command(config, out, "--resume"))
    assert ended.returncode == 0, (killed, ended.stderr)
    assert kills.tables(out) == whole, killed
    assert kills.hidden(out) == [], killed


@pytest.mark.parametrize("chunks", [0, 3])
def test_case_11_ctrl_c_keeps_what_is_done_and_tells_how_to_go_on(
    config: Path, whole: dict[str, bytes], tmp_path: Path, chunks: int
) -> None:
    """At the beginning and half-way; the terminal sends it to all processes."""
    out = tmp_path / "a folder"
    with kills.start(kills.command(config, out)) as process:
        kills.wait_until(lambda: (out / "manifest.json").exists())
        kills.wait_until(lambda: kills.chunks_done(out) >= chunks)
        os.killpg(process.pid, signal.SIGINT)
        shown, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert shown == ""
    assert "Traceback" not in said
    last = said.splitlines()[-1]
    assert last.startswith("Interrupted; what was done is kept; resume with: ")
    assert kills.hidden(out) == []
    assert kills.state(out) == "interrupted"
    words = shlex.split(last.split("resume with: ")[1])
    assert words == kills.command(config, out, "--resume")
    assert kills.chunks_done(out) >= chunks
    if chunks:
        assert kills.call(words).returncode == 0
        assert kills.tables(out) == whole


SLOW = """
import time
from gdcurves import cli

@cli.app.command()
def slow() -> None:
    try:
        print("at work", flush=True)
        time.sleep(60)
    finally:
        print("cleaning up", flush=True)
        time.sleep(60)

cli.main()
"""


def test_case_11_a_second_ctrl_c_ends_at_once() -> None:
    """Also where the first one is still being dealt with, which no real run does for long."""
    with kills.start([sys.executable, "-c", SLOW, "slow"]) as process:
        assert process.stdout is not None
        try:
            for word in ("at work", "cleaning up"):
                assert process.stdout.readline() == f"{word}\n"
                os.killpg(process.pid, signal.SIGINT)
            process.communicate(timeout=10)
        finally:
            process.kill()
    assert process.returncode == -signal.SIGINT


CLEANING = """
import time
from gdcurves import cli

class Connection:
    def __del__(self) -> None:
        print("cleaning up", flush=True)
        time.sleep(1)

@cli.app.command()
def slow() -> None:
    Connection()
    time.sleep(60)

cli.main()
"""


def test_case_11_ctrl_c_is_not_lost_where_an_object_is_being_removed() -> None:
    """Python goes on after an error there; Dask's objects have such a clean-up for each chunk."""
    with kills.start([sys.executable, "-c", CLEANING, "slow"]) as process:
        assert process.stdout is not None
        try:
            assert process.stdout.readline() == "cleaning up\n"
            os.killpg(process.pid, signal.SIGINT)
            _, said = process.communicate(timeout=10)
        finally:
            process.kill()
    assert (process.returncode, said) == (130, "Interrupted\n")


def test_case_11_two_at_once_end_a_run(endless: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    with kills.start(kills.command(endless, out)) as process:
        kills.wait_until(lambda: kills.chunks_done(out) > 1)
        os.killpg(process.pid, signal.SIGINT)
        os.killpg(process.pid, signal.SIGINT)
        began = time.monotonic()
        process.communicate(timeout=60)
    assert process.returncode in (130, -signal.SIGINT)  # the first one may have been enough
    assert time.monotonic() - began < 5


def test_a_signal_that_make_and_its_caller_both_send_on_ends_a_run_in_order(
    endless: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    with kills.start(kills.command(endless, out)) as process:
        kills.wait_until(lambda: kills.chunks_done(out) > 1)
        for _ in range(3):
            process.send_signal(signal.SIGTERM)
            time.sleep(0.01)
        _, said = process.communicate(timeout=60)
    assert process.returncode == 143
    assert said.splitlines()[-1].startswith("Terminated; what was done is kept; resume with: ")
    assert kills.state(out) == "interrupted"
    assert kills.hidden(out) == []


def test_case_13_two_runs_on_one_folder(endless: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    with kills.start(kills.command(endless, out)) as first:
        try:
            kills.wait_until(lambda: kills.chunks_done(out) > 0)
            second = kills.call(kills.command(endless, out, "--resume"))
        finally:
            first.kill()
    assert second.returncode == 2
    assert f"process {first.pid} on " in second.stderr.splitlines()[-1]
    done = kills.chunks_done(out)
    with kills.start(kills.command(endless, out, "--resume")) as third:
        kills.wait_until(lambda: kills.chunks_done(out) > done)
        third.send_signal(signal.SIGTERM)
        _, said = third.communicate(timeout=60)
    assert third.returncode == 143
    # Where the line is broken depends on how long the path of the folder is.
    assert f"taken over from process {first.pid} on " in " ".join(said.split())
    assert said.splitlines()[-1].startswith("Terminated; ")


def test_a_folder_removed_in_mid_run_is_one_line(endless: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    with kills.start(kills.command(endless, out)) as process:
        kills.wait_until(lambda: kills.chunks_done(out) > 0)
        out.rename(tmp_path / "elsewhere")
        _, said = process.communicate(timeout=60)
    assert process.returncode == 1
    assert "Traceback" not in said
    assert said.splitlines()[-1].startswith(f"Error: {out}: was removed or replaced")
    assert not out.exists()


def test_a_full_disk_is_one_line_and_earlier_chunks_are_intact(
    config: Path, whole: dict[str, bytes], small_disk: Path
) -> None:
    out = small_disk / "out"
    ended = kills.call(kills.command(config, out))
    assert ended.returncode == 1
    assert "Traceback" not in ended.stderr
    line = ended.stderr.splitlines()[-1]
    assert "cannot write there (No space left on device); make room or use --out" in line
    assert line.endswith(shlex.join(kills.command(config, out, "--resume")))
    assert kills.hidden(out) == []
    kept = {name: each for name, each in kills.tables(out).items() if "/" in name}
    assert kept
    told = kills.call([*kills.PROGRAM, "status", str(out), "--json"])
    assert json.loads(told.stdout)["status"] == "stopped"
    assert all(whole[name] == content for name, content in kept.items())
    subprocess.run(["mount", "-o", "remount,size=50m", str(small_disk)], check=True)
    assert kills.call(kills.command(config, out, "--resume")).returncode == 0
    assert kills.tables(out) == whole
