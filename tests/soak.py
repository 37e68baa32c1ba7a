"""What takes too long for `make test`: kills, many splits, large data, crossings, intervals, speed.

    make soak
    python tests/soak.py readers SECONDS   # only the fuzz of the readers, each so long, or of some:
    python tests/soak.py readers SECONDS arff "a folder of parquet"
    python tests/soak.py documentation     # only the pages

Writes what it found into tests/README.md.
"""

from __future__ import annotations

import os
import platform
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import kills
from broken_csv import broken_csv
from interval_coverage import interval_coverage
from known_answers import known_answers
from known_crossings import known_crossings
from pages import PageError, Reader
from readers import READERS, readers
from reading_speed import reading_speed

README = Path(__file__).parent / "README.md"
KILLS = 20
MANY, FEW = 100_000, 1_000
ONE = """
splits: {splits}
experiments:
  - {{name: radar, data: ionosphere, inputs: continuous, classes: [b, g], sizes: [4, 8, 16, 32]}}
fitters: [{{type: naive_bayes}}, {{type: nearest_centroid}}]
"""
LARGE = (1_000_000, 50)
MIB = 2**20


Part = Callable[[Path], Iterator[tuple[str, str, bool]]]


def main() -> bool:
    """Do everything."""
    parts: list[Part]
    parts = [kill, many_splits, large_data, known_crossings, reading_speed, interval_coverage]
    return write("soak", [*parts, known_answers, broken_csv, readers, documentation])


def fuzz(seconds: float, names: Sequence[str]) -> bool:
    """Let some readers read, all unless named; the rows of the others stay in the table."""
    if unknown := {*names} - {*READERS}:
        sys.exit(f"No such reader: {', '.join(unknown)}; there are: {'; '.join(READERS)}")
    good = [
        write("readers", [partial(readers, seconds=seconds, names=[name])], tuple(READERS))
        for name in names or READERS
    ]
    return all(good)


def write(mark: str, parts: Iterable[Part], parted: Sequence[str] = ()) -> bool:
    """Do some parts, and write the table between two marks; tell whether all is as promised.

    Where it is `parted`, rows begin with one of these names, and only those of the same name are
    replaced.
    """
    rows = []
    for part in parts:
        with tempfile.TemporaryDirectory() as folder:
            for what, outcome, good in part(Path(folder)):
                cell = " ".join(outcome.split()).replace("|", "\\|")
                rows.append(f"| {what} | {cell} | {'yes' if good else 'NO'} |")
                print(rows[-1], flush=True)
    now = datetime.now(UTC).isoformat(timespec="minutes")
    begin, end = f"<!-- {mark}: begin -->", f"<!-- {mark}: end -->"
    before, _, rest = README.read_text(encoding="utf-8").partition(begin)
    within, _, after = rest.partition(end)
    if parted:
        by_name = {
            name: row
            for row in [*within.splitlines(), *rows]
            for name in parted
            if row.startswith(f"| {name}: ")
        }
        rows = [by_name[name] for name in parted if name in by_name]
    head = f"{now}, Python {platform.python_version()}, {os.cpu_count()} cores."
    table = "\n".join([head, "", "| what | found | as promised |", "|---|---|---|", *rows])
    README.write_text(f"{before}{begin}\n{table}\n{end}{after}", encoding="utf-8")
    return not any("| NO |" in row for row in rows)


def kill(folder: Path) -> Iterator[tuple[str, str, bool]]:
    """Kill a run again and again, the run, a worker or both, and resume it each time."""
    seed = time.time_ns() % 2**32
    rng = random.Random(seed)
    config = kills.write_config(folder, 40_000)
    whole, out = folder / "whole", folder / "out"
    assert kills.call(kills.command(config, whole)).returncode == 0
    words = kills.command(config, out, "--resume")
    what = [kills.kill_at_random(words, rng, 6.0) for _ in range(KILLS)]
    ended = kills.call(words)
    same = kills.tables(out) == kills.tables(whole)
    clean = kills.hidden(out) == []
    hit = sum(each != "ended" for each in what)
    yield (
        f"{KILLS} kills at random moments of the run, a worker or both (seed {seed})",
        f"{hit} hit a process; exit code {ended.returncode} of the last resumption, tables "
        f"{'equal' if same else 'NOT equal'} to the byte to those of an undisturbed run",
        ended.returncode == 0 and same and clean,
    )


def many_splits(folder: Path) -> Iterator[tuple[str, str, bool]]:
    """Compare the memory of many splits with that of few."""
    peaks = {}
    for n in (FEW, MANY):
        config = folder / f"{n}.yaml"
        config.write_text(ONE.format(splits=n))
        began = time.monotonic()
        with watched("Rss") as peak:
            assert subprocess.run(kills.command(config, folder / str(n))).returncode == 0
        peaks[n] = peak
        yield (
            f"{n:,} splits of one experiment: time, largest process, all processes",
            f"{time.monotonic() - began:.0f} s, {peak.largest / MIB:.0f} MiB,"
            f" {peak.together / MIB:.0f} MiB",
            True,
        )
    ratios = [
        peaks[MANY].largest / peaks[FEW].largest,
        peaks[MANY].together / peaks[FEW].together,
    ]
    yield (
        f"memory of {MANY:,} splits over that of {FEW:,} (largest process, all together)",
        f"{ratios[0]:.2f}, {ratios[1]:.2f}; promised: at most 1.20",
        max(ratios) <= 1.2,
    )
    began = time.monotonic()
    plot = [sys.executable, "-m", "gdcurves", "plot", str(folder / str(MANY))]
    good = subprocess.run(plot, stdout=subprocess.DEVNULL).returncode == 0
    seconds = time.monotonic() - began
    yield f"`plot` of {MANY:,} splits", f"{seconds:.1f} s", good and seconds < 10


def large_data(folder: Path) -> Iterator[tuple[str, str, bool]]:
    """Run on a generated data set of which the processes can have one copy only."""
    n_splits, (n, d) = 200, LARGE
    words = [sys.executable, __file__, "large", str(folder / "out"), str(n_splits)]
    began = time.monotonic()
    with watched("Pss") as peak:
        good = subprocess.run(words).returncode == 0
    data = n * d * 8
    allowed = 2 * data + 500 * MIB
    yield (
        f"{n:,} rows x {d} features ({data / MIB:.0f} MiB), 2 workers: memory of all processes",
        f"{peak.together / MIB:.0f} MiB; promised: at most {allowed / MIB:.0f} MiB",
        good and peak.together <= allowed,
    )
    seconds = time.monotonic() - began
    yield (
        "time of that run, per split (2 fitters, m = 100 and 1000)",
        f"{seconds / n_splits:.2f} s",
        good,
    )


def documentation(folder: Path) -> Iterator[tuple[str, str, bool]]:
    """Follow every page of the documentation as it stands."""
    root = README.parents[1]
    for page in (root / "README.md", *sorted((root / "docs").rglob("*.md"))):
        place = folder / page.stem / page.parent.name
        place.mkdir(parents=True)
        began, error = time.monotonic(), ""
        try:
            Reader().follow(page, place)
        except PageError as wrong:
            error = str(wrong)
        seconds = time.monotonic() - began
        name = page.relative_to(root).as_posix()
        yield f"what {name} says to do", error or f"done in {seconds:.0f} s", not error


def run_large(out: Path, n_splits: int) -> None:
    """Run two fitters on a data set made here."""
    import numpy as np

    from gdcurves import config, plan
    from gdcurves.compute import local
    from gdcurves.plan import loading
    from gdcurves.problems import problem
    from gdcurves.run import runner

    def generated(*_: object) -> tuple[dict[str, problem.Problem], dict[str, Exception]]:
        n, d = LARGE
        rng = np.random.default_rng(0)
        y = np.repeat(np.arange(2, dtype=np.int8), n // 2)
        x = rng.random((n, d))
        x[n // 2 :, :5] += 0.1
        x /= 1.1
        origin = problem.Provenance("vote", "file", "generated", "0", n, n, 0, 0, (), None)
        names = tuple(f"x{i}" for i in range(d))
        return {
            "large": problem.Problem(
                "large", "continuous", x, y, (0,) * x.shape[1], names, ("a", "b"), origin
            )
        }, {}

    loading.load = generated
    text = (
        f"splits: {n_splits}\n"
        "experiments: [{name: large, data: adult, inputs: continuous, sizes: [100, 1000]}]\n"
        "fitters: [{type: naive_bayes}, {type: logistic_regression}]\n"
    )
    out.mkdir()
    path = out.with_suffix(".yaml")
    path.write_text(text)
    summary = runner.run(
        plan.make(config.load(path)),
        out,
        name="large",
        mode="new",
        source="packaged",
        data_dir=None,
        compute=partial(local.run, jobs=2),
        progress=lambda _: None,
        say=print,
    )
    assert summary.done == ("large",), summary


class Peak:
    """Largest memory seen, in bytes: of one process, and of all together."""

    largest = 0
    together = 0


@contextmanager
def watched(measure: str) -> Iterator[Peak]:
    """Watch the processes below this one.

    "Rss" counts a page in every process that has it, "Pss" once, in parts, which other programs
    on the machine that share a library make smaller.
    """
    peak, stop = Peak(), threading.Event()

    def watch() -> None:
        while not stop.wait(0.05):
            sizes = [memory(each, measure) for each in descendants(os.getpid())]
            peak.together = max(peak.together, sum(sizes))
            peak.largest = max([peak.largest, *sizes])

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield peak
    finally:
        stop.set()
        thread.join()


def descendants(pid: int) -> list[int]:
    """Processes below a process."""
    pids = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            below = [int(each) for each in task.read_text().split()]
        except OSError:
            continue
        for each in below:
            pids += [each, *descendants(each)]
    return pids


def memory(pid: int, measure: str) -> int:
    """Memory of a process in bytes."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return next(
        (int(line.split()[1]) * 1024 for line in lines if line.startswith(f"{measure}:")), 0
    )


if __name__ == "__main__":
    if sys.argv[1:2] == ["large"]:
        run_large(Path(sys.argv[2]), int(sys.argv[3]))
    elif sys.argv[1:2] == ["readers"]:
        sys.exit(not fuzz(float(sys.argv[2]), sys.argv[3:]))
    elif sys.argv[1:2] == ["documentation"]:
        sys.exit(not write("documentation", [documentation]))
    else:
        sys.exit(not main())
