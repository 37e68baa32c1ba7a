"""What was measured: the lines of results/bench.csv, and the table that the docs make of them."""

from __future__ import annotations

import csv
import os
import platform
import subprocess
from collections.abc import Iterable
from dataclasses import astuple, dataclass, fields
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BENCH = ROOT / "results" / "bench.csv"
PAGE = ROOT / "docs" / "reference" / "speed.md"
BEGIN, END = "<!-- bench: begin -->", "<!-- bench: end -->"


@dataclass(frozen=True)
class Origin:
    """When, of which code and where something was measured."""

    date: str
    commit: str
    machine: str


@dataclass(frozen=True)
class Measurement:
    """One thing measured.

    Attributes
    ----------
    what
        The thing, its unit in brackets, and against what the ratio is.
    figure
        How much of the unit.
    ratio
        How many times as much the other takes, if there is one.
    """

    what: str
    figure: float
    ratio: float | None = None


@dataclass(frozen=True)
class Record:
    """A line of bench.csv."""

    origin: Origin
    measurement: Measurement


HEADER = [field.name for part in (Origin, Measurement) for field in fields(part)]


def here() -> Origin:
    """Today, the commit that is checked out (`-dirty` if files differ from it), this machine."""
    describe = ["git", "describe", "--always", "--dirty", "--exclude=*", "--abbrev=10"]
    commit = subprocess.run(describe, cwd=ROOT, check=True, capture_output=True, text=True)
    return Origin(
        datetime.now(UTC).date().isoformat(),
        commit.stdout.strip(),
        f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}",
    )


def keep(origin: Origin, measured: Iterable[Measurement]) -> None:
    """Add lines to bench.csv, and make the page's table anew."""
    append(BENCH, origin, measured)
    text = with_section(PAGE.read_text(encoding="utf-8"), section(read(BENCH)))
    PAGE.write_text(text, encoding="utf-8")


def append(path: Path, origin: Origin, measured: Iterable[Measurement]) -> None:
    """Add lines to a file, which is made if it is not there."""
    is_new = not path.exists()
    with path.open("a", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        if is_new:
            writer.writerow(HEADER)
        for each in measured:
            writer.writerow([*astuple(origin), each.what, plain(each.figure), plain(each.ratio)])


def read(path: Path) -> list[Record]:
    """All lines of a file, oldest first."""
    with path.open(encoding="utf-8", newline="") as file:
        return [
            Record(
                Origin(row["date"], row["commit"], row["machine"]),
                Measurement(
                    row["what"], float(row["figure"]), float(row["ratio"]) if row["ratio"] else None
                ),
            )
            for row in csv.DictReader(file)
        ]


def latest(records: Iterable[Record]) -> list[Record]:
    """The last record of each thing, in the order in which things came last."""
    last: dict[str, Record] = {}
    for each in records:
        last.pop(each.measurement.what, None)
        last[each.measurement.what] = each
    return list(last.values())


def table(measured: Iterable[Measurement]) -> str:
    """Show measurements as a table in Markdown."""
    rows = [f"| {each.what} | {plain(each.figure)} | {plain(each.ratio)} |" for each in measured]
    return "\n".join(["| what | figure | ratio |", "|---|---|---|", *rows])


def section(records: Iterable[Record]) -> str:
    """What the page shows of records: where they come from, and the last of each thing."""
    shown = latest(records)
    origins = dict.fromkeys(", ".join(astuple(each.origin)) for each in shown)
    return f"{'; '.join(origins)}.\n\n{table(each.measurement for each in shown)}"


def with_section(text: str, content: str, marks: tuple[str, str] = (BEGIN, END)) -> str:
    """Put content between the marks of a text."""
    before, begin, rest = text.partition(marks[0])
    _, end, after = rest.partition(marks[1])
    if not (begin and end):
        raise ValueError(f"no {marks[0]} with an {marks[1]} after it")
    return f"{before}{begin}\n{content}\n{end}{after}"


def plain(number: float | None) -> str:
    """Three digits of a number, never with an exponent; nothing for None."""
    return "" if number is None else f"{float(f'{number:.3g}'):.10f}".rstrip("0").rstrip(".")
