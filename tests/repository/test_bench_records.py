"""The history of benchmarks, and the table that docs/ has of it."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pandas as pd
import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def records() -> Iterator[ModuleType]:
    if not (ROOT / "scripts" / "bench_records.py").is_file():
        pytest.skip("needs scripts/bench_records.py of the repository")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(ROOT / "scripts")
        yield importlib.import_module("bench_records")


def test_page_shows_the_last_line_of_each_thing(records: ModuleType) -> None:
    """Read with pandas, and held against the page cell by cell."""
    bench = pd.read_csv(ROOT / "results" / "bench.csv", dtype=str, keep_default_na=False)
    assert list(bench) == ["date", "commit", "machine", "what", "figure", "ratio"]
    last = bench.groupby("what")[["figure", "ratio"]].last()
    _, _, rest = records.PAGE.read_text(encoding="utf-8").partition(records.BEGIN)
    lines = rest.partition(records.END)[0].strip().splitlines()
    cells = [[each.strip() for each in line.strip("|").split("|")] for line in lines[4:]]
    assert {what: tuple(shown) for what, *shown in cells} == {
        str(row.Index): (row.figure, row.ratio) for row in last.itertuples()
    }
    for origin in bench.groupby("what").last()[["date", "commit", "machine"]].itertuples():
        assert ", ".join(origin[1:]) in lines[0]


def test_keeping_adds_lines_and_makes_the_table_anew(
    records: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench, page = tmp_path / "bench.csv", tmp_path / "speed.md"
    page.write_text(f"# Speed\n\n{records.BEGIN}\nold\n{records.END}\n\nMore.\n")
    monkeypatch.setattr(records, "BENCH", bench)
    monkeypatch.setattr(records, "PAGE", page)
    first = records.Origin("2026-11-28", "abc", "2 cores, x86_64")
    second = records.Origin("2026-12-01", "def-dirty", "4 cores, arm64")
    fit, product = "fit, d = 8 (us), against theirs", "product (GFlop/s)"
    records.keep(
        first, [records.Measurement(fit, 36.26, 49.04), records.Measurement(product, 51.44)]
    )
    records.keep(second, [records.Measurement(fit, 12345.6, 0.05123)])
    assert bench.read_text() == (
        "date,commit,machine,what,figure,ratio\n"
        '2026-11-28,abc,"2 cores, x86_64","fit, d = 8 (us), against theirs",36.3,49\n'
        '2026-11-28,abc,"2 cores, x86_64",product (GFlop/s),51.4,\n'
        '2026-12-01,def-dirty,"4 cores, arm64","fit, d = 8 (us), against theirs",'
        "12300,0.0512\n"
    )
    assert page.read_text() == (
        f"# Speed\n\n{records.BEGIN}\n"
        "2026-11-28, abc, 2 cores, x86_64;"
        " 2026-12-01, def-dirty, 4 cores, arm64.\n\n"
        "| what | figure | ratio |\n|---|---|---|\n"
        "| product (GFlop/s) | 51.4 |  |\n"
        "| fit, d = 8 (us), against theirs | 12300 | 0.0512 |\n"
        f"{records.END}\n\nMore.\n"
    )


def test_a_text_without_marks_is_refused(records: ModuleType) -> None:
    with pytest.raises(ValueError, match="bench: begin"):
        records.with_section(f"# Speed {records.END}", "")


def test_here_names_a_commit_and_no_host(records: ModuleType) -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("needs the repository's history")
    assert len(records.here().commit.removesuffix("-dirty")) == 10
    assert records.here().machine.count(", ") == 2
