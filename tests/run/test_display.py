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


def told(monkeypatch, *reports, ago=0.0):
    """What is said `ago` seconds after the last of reports (seconds since the first, progress)."""
    clock = [100.0]
    monkeypatch.setattr(display.time, "monotonic", lambda: clock[0])
    pace = display.Pace()
    clock[0] += 50.0  # in which data are read
    pace.report(replace(HALF, splits_done=HALF.splits_resumed, fits_done=0))
    for seconds, progress in reports:
        clock[0] = 150.0 + seconds
        pace.report(progress)
    clock[0] += ago
    return pace.sentence(pace.progress)


def test_sentence_tells_rates(monkeypatch):
    # 120,000 fits in 60 s; 6,000 splits took 60 s, so 8,000 take 80 s, of which 10 are gone.
    first = replace(HALF, splits_done=3_000, fits_done=60_000)
    assert told(monkeypatch, (40.0, first), (60.0, HALF), ago=10.0) == (
        "3 of 14 experiments, 6,000 of 14,000 splits, 2,000 fits/s, 0:01:10 left"
    )


def test_sentence_after_one_chunk_promises_nothing(monkeypatch):
    """The other workers may be nearly as far, so that it would be twice as long as it takes."""
    assert told(monkeypatch, (60.0, HALF)) == (
        "3 of 14 experiments, 6,000 of 14,000 splits, 2,000 fits/s"
    )


def test_sentence_of_a_resumed_run_counts_what_this_session_did(monkeypatch):
    # 2,000 of the 6,000 splits took 60 s, so 8,000 take 240 s.
    first = replace(HALF, splits_resumed=4_000, splits_done=5_000, fits_done=20_000)
    last = replace(HALF, splits_resumed=4_000, fits_done=40_000)
    assert told(monkeypatch, (30.0, first), (60.0, last)) == (
        "3 of 14 experiments, 6,000 of 14,000 splits, 667 fits/s, 0:04:00 left"
    )


def test_sentence_without_anything_done(monkeypatch):
    assert told(monkeypatch) == "3 of 14 experiments, 0 of 14,000 splits"


def test_lines_come_at_once_and_then_now_and_then(monkeypatch):
    clock = [100.0]
    monkeypatch.setattr(display.time, "monotonic", lambda: clock[0])
    stream = io.StringIO()
    with display.display(Console(file=stream, width=40)) as show:
        for i, now in enumerate([100.1, 101.0, 105.0, 105.2, 111.0]):
            clock[0] = now
            show(replace(HALF, splits_done=1_000 * i))
    first, *lines = stream.getvalue().splitlines()
    assert first == "reading data"
    assert [line.partition(":")[0] for line in lines] == ["optdigits-0-1"] * 3
    # 4,000 splits in the 10.9 seconds since the first report.
    assert "0:00:27 left" in lines[-1]


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
