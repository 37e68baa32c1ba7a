"""The results folder: what is written comes back, whole, and nothing else is touched."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from gdcurves.curves import TABLE
from gdcurves.errors import UserError, WriteError
from gdcurves.fitters import Diagnostics
from gdcurves.logistic.certificates import Outcome
from gdcurves.run import reading
from gdcurves.scoring.measures import chosen
from gdcurves.scoring.scores import Scores
from gdcurves.store import files, format, rows, whole
from gdcurves.store.chunk import Chunk
from gdcurves.store.contents import CURVES, LIMITS
from gdcurves.store.rows import columns, encode
from gdcurves.store.table import parse

SPLITS = range(100, 104)
SCORES = Scores(
    n_train=2,
    n_test=7,
    values={
        "errors": np.array([0.0, 3.0, 2.5, 1 / 3]),
        "errors_halfway": np.array([np.nan, 4.0, 0.25, np.nan]),
        "logloss": np.array([0.1, np.inf, 1e-300, 0.1 + 0.2]),
    },
    diagnostics=Diagnostics(),
)
OUTCOMES = np.array([Outcome.OVERLAP, Outcome.SEPARABLE, Outcome.QUASI, Outcome.UNDECIDED])


def manifest(name: str = "mine") -> dict[str, object]:
    return {
        "schema_version": format.NUMBER,
        "name": name,
        "status": "complete",
        "config": {},
        "experiments": {},
    }


def write_chunk(folder: Path, experiment: str, splits: range, rows: bytes) -> str:
    (folder / "splits" / experiment).mkdir(parents=True, exist_ok=True)
    return files.write_chunk(folder, Chunk(experiment, splits.start, splits.stop), rows)


def content(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def test_raw_rows_come_back_to_the_last_bit(tmp_path: Path) -> None:
    diagnosed = replace(SCORES, diagnostics=Diagnostics(outcome=OUTCOMES))
    encoded = encode([("nb", 2, SCORES), ("lr", 9, diagnosed)], SPLITS, chosen())
    write_chunk(tmp_path, "toy", SPLITS, encoded)
    rows = files.read_rows(tmp_path, "toy")
    assert rows.columns.tolist() == list(columns(chosen()))
    assert rows["fitter"].tolist() == ["nb"] * 4 + ["lr"] * 4
    assert rows["m"].tolist() == [2] * 4 + [9] * 4
    assert rows["split"].tolist() == list(SPLITS) * 2
    assert (rows["n_test"] == 7).all()
    assert rows["errors"].tolist() == SCORES.values["errors"].tolist() * 2
    assert rows["logloss"].tolist() == SCORES.values["logloss"].tolist() * 2
    names = ["overlap", "separable", "quasi_separable", "undecided"]
    assert rows["outcome"].tolist() == [""] * 4 + names
    # Whole numbers are written as such.
    table = list(csv.DictReader(encoded.decode().splitlines()))
    assert [each["errors"] for each in table][:3] == ["0", "3", "2.5"]


def test_chunks_are_read_in_order(tmp_path: Path) -> None:
    measured = {"errors": [0.0], "errors_halfway": [np.nan], "logloss": [0.5]}
    values = {name: np.array(each) for name, each in measured.items()}
    one = Scores(2, 1, values, Diagnostics())
    for start in (900, 1000, 5, 10_000):
        splits = range(start, start + 1)
        write_chunk(tmp_path, "toy", splits, encode([("f", 2, one)], splits, chosen()))
    assert files.read_rows(tmp_path, "toy")["split"].tolist() == [5, 900, 1000, 10_000]


def test_a_fitter_may_be_called_none(tmp_path: Path) -> None:
    """Names and outcomes are text, whatever they look like."""
    encoded = encode([("NA", 2, SCORES), ("1", 2, SCORES)], SPLITS, chosen())
    write_chunk(tmp_path, "null", SPLITS, encoded)
    rows = files.read_rows(tmp_path, "null")
    assert rows["fitter"].tolist() == ["NA"] * 4 + ["1"] * 4
    assert (rows["outcome"] == "").all()


def test_nothing_half_written_is_left(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    folder.mkdir()
    files.write_manifest(folder, manifest())
    write_chunk(folder, "toy", SPLITS, encode([("f", 2, SCORES)], SPLITS, chosen()))
    TABLE.write(folder, pd.DataFrame({"m": [2], "logloss_median": [np.inf]}))
    assert content(folder) == ["curves.csv", "manifest.json", "splits/toy/000100-000103.csv"]


def test_a_failed_write_leaves_what_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files.write_manifest(tmp_path, manifest())
    before = (tmp_path / "manifest.json").read_bytes()

    def fail(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(whole.os, "fsync", fail)
    with pytest.raises(WriteError, match="No space left") as caught:
        files.write_manifest(tmp_path, manifest("other"))
    assert caught.value.exit_code == 1
    assert content(tmp_path) == ["manifest.json"]
    assert (tmp_path / "manifest.json").read_bytes() == before


def test_curves_open_in_pandas_without_options(tmp_path: Path) -> None:
    curves = pd.DataFrame(
        {"fitter": ["a", "b"], "logloss_median": [np.inf, 0.1 + 0.2], "no_mle": [np.nan, 0.25]}
    )
    files.write_manifest(tmp_path, manifest())
    TABLE.write(tmp_path, curves)
    pd.testing.assert_frame_equal(pd.read_csv(tmp_path / "curves.csv"), curves, rtol=1e-15)
    run = reading.read_run(tmp_path)
    assert run.folder == tmp_path
    assert run.manifest == manifest()
    pd.testing.assert_frame_equal(run.curves, curves, check_exact=True)


def test_a_run_without_curves_yet(tmp_path: Path) -> None:
    files.write_manifest(tmp_path, manifest())
    assert reading.read_run(tmp_path).curves.empty


def test_limits_are_read_where_they_are(tmp_path: Path) -> None:
    files.write_manifest(tmp_path, manifest())
    assert reading.read_run(tmp_path).limits is None
    # A fingerprint is text, also where it could be a number.
    text = "experiment,fitter,error,logloss,method,law\nnan,bayes,0.1,0.25,,0123e4\n"
    (tmp_path / LIMITS).write_text(text)
    limits = reading.read_run(tmp_path).limits
    assert limits is not None
    assert limits.iloc[0].tolist() == ["nan", "bayes", 0.1, 0.25, "", "0123e4"]
    (tmp_path / LIMITS).write_text("experiment,fitter,error,law\n")
    with pytest.raises(UserError, match=r"limits\.csv: no column 'logloss' in it"):
        reading.read_run(tmp_path)
    (tmp_path / LIMITS).write_text("")
    with pytest.raises(UserError, match=r"limits\.csv: cannot be read"):
        reading.read_run(tmp_path)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (None, "no manifest.json"),
        ("{", "cannot be read"),
        ("[]", f"schema version {format.NUMBER}"),
        ('{"schema_version": 999}', f"schema version {format.NUMBER}"),
    ],
)
def test_a_folder_that_is_no_run(tmp_path: Path, text: str | None, says: str) -> None:
    if text is not None:
        (tmp_path / "manifest.json").write_text(text)
    with pytest.raises(UserError, match=says) as caught:
        reading.read_run(tmp_path)
    assert "\n" not in str(caught.value)
    assert str(tmp_path) in str(caught.value)


def test_runs_are_found_at_and_below_a_folder(tmp_path: Path) -> None:
    for name in ("b", "a/deep", "a"):
        (tmp_path / name).mkdir(parents=True, exist_ok=True)
        files.write_manifest(tmp_path / name, manifest())
    (tmp_path / "empty").mkdir()
    below = [str(path.relative_to(tmp_path)) for path in files.find_runs(tmp_path)]
    assert below == ["a", "a/deep", "b"]
    assert files.find_runs(tmp_path / "b") == [tmp_path / "b"]
    assert files.find_runs(tmp_path / "empty") == []


@pytest.mark.parametrize("cut", [1, 7, 20])
def test_curves_of_a_finished_run_that_were_cut_are_refused(tmp_path: Path, cut: int) -> None:
    TABLE.write(tmp_path, pd.DataFrame({"m": [2, 4], "error_mean": [0.3, 0.275]}))
    stored = whole.sha256(tmp_path / CURVES)
    files.write_manifest(tmp_path, manifest() | {"curves_sha256": stored})
    assert reading.read_run(tmp_path).curves["m"].tolist() == [2, 4]
    content = (tmp_path / CURVES).read_bytes()
    (tmp_path / CURVES).write_bytes(content[:-cut])
    with pytest.raises(UserError, match="not what the run wrote"):
        reading.read_run(tmp_path)
    (tmp_path / CURVES).unlink()
    with pytest.raises(UserError, match="not what the run wrote"):
        reading.read_run(tmp_path)


def test_a_manifest_that_lacks_a_part_is_refused(tmp_path: Path) -> None:
    files.write_manifest(tmp_path, {"schema_version": format.NUMBER, "name": "mine"})
    with pytest.raises(UserError, match="no 'status' in it"):
        reading.read_run(tmp_path)


@pytest.mark.slow
@settings(max_examples=300, deadline=5000)
@example([1e300, 2.5])
@example([2.0**63, 1.0])
@example([2.0**64, -1.0])
@example([2.0**64, 0.5, float("nan")])
@given(st.lists(st.floats(allow_infinity=True), min_size=1, max_size=6))
def test_case_s4_numbers_of_any_size_survive(values: list[float]) -> None:
    """As raw rows have them, and as tables do; whole numbers too that older rows have in full."""
    full = [str(int(each)) if each.is_integer() else rows._number(each) for each in values]
    for spelled in (list(map(rows._number, values)), full):
        lines = [f"{each},x" for each in spelled]
        read = parse("\n".join(["a,fitter", *lines, ""]).encode(), rows.TEXTS)["a"]
        assert read.dtype.kind in "if"
        np.testing.assert_array_equal(read.to_numpy(dtype=float), np.array(values) + 0.0)
    content = pd.DataFrame({"a": values}).to_csv(index=False).encode()
    np.testing.assert_array_equal(parse(content, ())["a"].to_numpy(dtype=float), values)
