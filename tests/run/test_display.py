"""What a run shows while it works, on a terminal and elsewhere."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest
from rich.console import Console

from gdcurves.run import display
from gdcurves.run.runner import Progress

HALF = Progress(
    experiments_done=3,
    experiments_total=14,
    splits_done=6_000,
    splits_total=14_000,
    fits_done=120_000,
    current="optdigits-0-1",
)


def test_sentence_tells_rates():
    # 120,000 fits in 60 s; 6,000 splits took 60 s, so 8,000 take 80 s, of which 10 are gone.
    assert display.sentence(HALF, 60.0, ago=10.0) == (
        "3 of 14 experiments, 6,000 of 14,000 splits, 2,000 fits/s, 0:01:10 left"
    )


def test_sentence_of_a_resumed_run_counts_what_this_session_did():
    # 2,000 of the 6,000 splits took 60 s, so 8,000 take 240 s.
    resumed = replace(HALF, splits_resumed=4_000, fits_done=40_000)
    assert display.sentence(resumed, 60.0) == (
        "3 of 14 experiments, 6,000 of 14,000 splits, 667 fits/s, 0:04:00 left"
    )


def test_sentence_without_anything_done():
    start = Progress(0, 14, 0, 14_000, 0, "pima")
    assert display.sentence(start, 0.0) == "0 of 14 experiments, 0 of 14,000 splits"


def test_lines_come_at_once_and_then_now_and_then(monkeypatch):
    clock = iter([100.0, 100.1, 101.0, 105.0, 105.2, 111.0])
    monkeypatch.setattr(display.time, "monotonic", lambda: next(clock))
    stream = io.StringIO()
    with display.display(Console(file=stream, width=40)) as show:
        for _ in range(5):
            show(HALF)
    first, *lines = stream.getvalue().splitlines()
    assert first == "reading data"
    assert [line.partition(":")[0] for line in lines] == ["optdigits-0-1"] * 3
    assert "0:00:00 left" in lines[0]


@pytest.mark.parametrize("width", [80, 160])
def test_terminal_shows_bar_and_numbers(width):
    stream = io.StringIO()
    console = Console(file=stream, width=width, force_terminal=True, color_system=None)
    with display.display(console) as show:
        show(HALF)
    lines = stream.getvalue().splitlines()
    assert any("optdigits-0-1" in line and "43% 0:00:00" in line for line in lines)
    assert any("3 of 14 experiments, 6,000 of 14,000 splits" in line for line in lines)


@pytest.mark.parametrize("reported", [False, True])
def test_terminal_shows_that_time_goes_on_between_reports(monkeypatch, reported):
    clock = [100.0]
    monkeypatch.setattr(display.time, "monotonic", lambda: clock[0])
    stream = io.StringIO()
    console = Console(file=stream, width=40, force_terminal=True, color_system=None)
    with display.display(console) as show:
        if reported:
            show(replace(HALF, splits_done=0, fits_done=0, current="a-name-as-long" * 4))
        clock[0] += 3723.0
    last = [line for line in stream.getvalue().splitlines() if ":" in line][-1]
    assert ("0% 1:02:03" if reported else "reading data 1:02:03") in last
