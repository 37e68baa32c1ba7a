"""What `datasets.load` returns, against the reference folder and published counts."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from gdcurves import datasets
from gdcurves.datasets import CATALOGUE
from gdcurves.datasets.columns.cells import is_missing
from gdcurves.errors import UserError

PACKAGED = [name for name, spec in CATALOGUE.items() if spec.packaged_from is not None]

# Continuous and discrete inputs, classes, missing cells: UCI's descriptions of the data sets.
DESCRIBED = {
    "diabetes": (8, 0, {"tested_negative": 500, "tested_positive": 268}, 0),
    "adult": (6, 8, {"<=50K": 37155, ">50K": 11687}, 6465),
    "boston": (13, 0, None, 0),
    "optdigits": (
        64,
        0,
        dict(zip("0123456789", (554, 571, 557, 572, 568, 558, 558, 566, 554, 562), strict=True)),
        0,
    ),
    "ionosphere": (34, 0, {"g": 225, "b": 126}, 0),
    "liver-disorders": (6, 0, {"1": 145, "2": 200}, 0),
    "sonar": (60, 0, {"Rock": 97, "Mine": 111}, 0),
    "promoters": (0, 57, {"+": 53, "-": 53}, 0),
    "lymph": (0, 18, {"normal": 2, "metastases": 81, "malign_lymph": 61, "fibrosis": 4}, 0),
    "breast-cancer": (0, 9, {"no-recurrence-events": 201, "recurrence-events": 85}, 9),
    "contact-lenses": (0, 4, {"none": 15, "soft": 5, "hard": 4}, 0),
    "sick": (7, 22, {"negative": 3541, "sick": 231}, 6064),
    "vote": (0, 16, {"democrat": 267, "republican": 168}, 392),
}
# UCI's training file: 24720 and 7841 rows; 1836, 1843 and 583 missing cells of workclass,
# occupation and native-country.
ADULT_TRAINING = ({"<=50K": 24720, ">50K": 7841}, 1836 + 1843 + 583)


def check_against_description(table: datasets.Table) -> None:
    continuous, discrete, classes, missing = DESCRIBED[table.name]
    if len(table.frame) == 32561:
        classes, missing = ADULT_TRAINING
    assert Counter(table.kinds.values()) == Counter(continuous=continuous, discrete=discrete)
    assert list(table.frame.columns) == [*table.kinds, table.target]
    for column, kind in table.kinds.items():
        assert table.frame[column].dtype == (np.float64 if kind == "continuous" else "category")
    if classes is None:
        assert table.frame[table.target].dtype == np.float64
    else:
        assert Counter(table.frame[table.target]) == Counter(classes)
    assert table.frame.isna().to_numpy().sum() == missing


@pytest.mark.slow
@pytest.mark.parametrize("name", PACKAGED)
def test_packaged_data_are_as_described(name: str) -> None:
    table = datasets.load(name)
    check_against_description(table)
    assert len(table.frame) == (32561 if name == "adult" else CATALOGUE[name].n_rows)
    assert table.source == f"packaged ({CATALOGUE[name].packaged_from})"
    assert table.origin == "packaged"
    assert table.dropped == {}


@pytest.mark.slow
@pytest.mark.parametrize("name", CATALOGUE)
def test_data_folder_is_as_described(name: str, shared: Path) -> None:
    table = datasets.load(name, data_dir=shared / "data")
    check_against_description(table)
    assert len(table.frame) == CATALOGUE[name].n_rows
    assert table.source.startswith(f"file {shared / 'data' / name}")
    assert table.origin == "file"
    assert list(table.dropped) == (["instance"] if name == "promoters" else [])


def sorted_rows(frame: pd.DataFrame) -> list[tuple[object, ...]]:
    rows = frame.itertuples(index=False, name=None)
    return sorted(
        (tuple("?" if is_missing(cell) else cell for cell in row) for row in rows), key=str
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", PACKAGED)
def test_packaged_values_equal_the_data_folder(name: str, shared: Path) -> None:
    packaged = datasets.load(name)
    folder = datasets.load(name, data_dir=shared / "data")
    if name == "adult":
        rows = Counter(sorted_rows(packaged.frame))
        assert not rows - Counter(sorted_rows(folder.frame))
        assert packaged.sha256 != folder.sha256
    else:
        assert sorted_rows(packaged.frame) == sorted_rows(folder.frame)
        assert packaged.sha256 == folder.sha256
        assert packaged.kinds == folder.kinds


def test_packaged_digits_hold_scikit_learns_test_file() -> None:
    from sklearn.datasets import load_digits

    digits = load_digits()
    table = datasets.load("optdigits").frame
    packaged = Counter(
        (*row[:-1], int(row[-1])) for row in table.itertuples(index=False, name=None)
    )
    expected = Counter(
        (*map(float, x), int(y)) for x, y in zip(digits.data, digits.target, strict=True)
    )
    assert not expected - packaged


def test_data_folder_comes_before_the_source(tmp_path: Path) -> None:
    (tmp_path / "lenses.csv").write_text(
        "contact-lenses,age,astigmatism,spectacle-prescrip,tear-prod-rate,row\n"
        "none,young,no,myope,reduced,1\n"
    )
    table = datasets.load("contact-lenses", data_dir=tmp_path)
    assert table.source == f"file {tmp_path / 'lenses.csv'}"
    assert table.origin == "file"
    assert table.frame.to_numpy().tolist() == [["young", "myope", "no", "reduced", "none"]]
    assert list(table.dropped) == ["row"]
    other = datasets.load("vote", data_dir=tmp_path)
    assert other.source.startswith("packaged")
    assert other.origin == "packaged"


@pytest.mark.parametrize(
    ("name", "source", "message"),
    [
        (
            "daibetes",
            "packaged",
            "no data set 'daibetes' (a file is named with its ending, such as daibetes.csv);"
            " did you mean 'diabetes'?",
        ),
        ("vote", "opnml", "no data source 'opnml'; did you mean 'openml'?"),
    ],
)
def test_unknown_names(name: str, source: str, message: str) -> None:
    with pytest.raises(UserError) as error:
        datasets.load(name, source)
    assert str(error.value) == message


@pytest.mark.process
def test_import_is_light() -> None:
    code = (
        "import sys, gdcurves.datasets, gdcurves.problems.problem;"
        "print([m for m in ('pandas', 'openml', 'arff', 'sklearn') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_catalogue_names_every_input_once() -> None:
    for spec in CATALOGUE.values():
        continuous, discrete, _, _ = DESCRIBED[spec.name]
        assert len(spec.columns) == continuous + discrete
        assert spec.target not in spec.columns
        assert spec.name in spec.stems
        assert spec.licence
        assert spec.citation
