"""OpenML's Parquet files, which come without a checksum, through the real client."""

from __future__ import annotations

import hashlib
import json
import time
from dataclasses import replace
from pathlib import Path

import arff
import pytest
from conftest import Call
from loopback import Answer, Service, openml

from gdcurves import datasets
from gdcurves.datasets import DataUnavailable, Request

pytestmark = pytest.mark.network

ARFF = b"""@relation credit
@attribute row numeric
@attribute 'owner name' {x, y}
@attribute amount numeric
@attribute many numeric
@attribute 'still owed' {TRUE, FALSE}
@attribute code {10, 2, 7}
@attribute word string
@attribute digits string
@attribute class {good, bad, none}
@data
1, x, 10.5, 3, FALSE, 2, u, 5, bad
2, y, ?, 4, TRUE, 10, v, 6, bad
3, x, -0.0, ?, ?, ?, ?, ?, good
4, x, 7, 200, TRUE, 7, u, 5, good
5, y, 6.5, 100, FALSE, 7, v, 6, bad
6, x, 8, 50, TRUE, 2, u, 5, good
"""
FILE, PARQUET = "/file/31", openml.parquet_path(31)
FEATURES = f"{openml.API}/data/features/31"


def add(service: Service, **options: object) -> None:
    openml.add(service, 31, "credit", ARFF, row_id="row", ignored=("owner name",), **options)  # type: ignore[arg-type]


def test_same_table_by_both_files(openml_service: Service) -> None:
    """Kinds, spelling and the order of labels are OpenML's, whatever types Parquet has."""
    add(openml_service)
    checked = datasets.load("openml:31")
    assert checked.source == "OpenML 31"
    assert PARQUET not in openml_service.requests
    assert checked.kinds["many"] == "continuous"
    assert checked.kinds["digits"] == "discrete"
    add(openml_service, version=2)
    openml_service.put(FILE, "gone", 404)
    parquet = datasets.load("openml:31@2")
    assert parquet.source == "OpenML 31 (Parquet, no checksum published)"
    assert parquet.about["other file"] == (
        f"{openml_service.url}{openml.API} does not answer as it should (HTTP 404 from"
        f" {openml_service.url}{FILE})"
    )
    same = ("kinds", "target", "labels", "sha256", "dropped", "declared", "name")
    assert all(getattr(parquet, each) == getattr(checked, each) for each in same)
    assert list(parquet.frame["still owed"].cat.categories) == ["FALSE", "TRUE"]
    request = Request("openml:31", target="still owed", continuous=("code",), missing_texts=("u",))
    other = Request("openml:31@2", target="still owed", continuous=("code",), missing_texts=("u",))
    assert datasets.load(request).sha256 == datasets.load(other).sha256


def test_without_a_checksum_parquet_is_first(
    openml_service: Service, tmp_path: Path, call: Call
) -> None:
    """Such a copy is kept with a checksum of its own; `show` and the manifest say what it is."""
    add(openml_service, checksum=None)
    ended = call("run", "--data", "openml:31", "--splits", "2", "--jobs", "1")
    assert ended.code == 0
    assert FILE not in openml_service.requests
    said = "OpenML 31 (Parquet, no checksum published)"
    assert f"{said}: 6 rows\n" in ended.out
    manifest = json.loads((tmp_path / "results" / "openml-31" / "manifest.json").read_text())
    (experiment,) = manifest["experiments"].values()
    assert experiment["source"] == said
    n_requests = len(openml_service.requests)
    shown = call("datasets", "show", "openml:31", "--offline")
    assert shown.out.startswith(f"{said}: 6 rows\n")
    assert "other file" not in shown.out
    assert len(openml_service.requests) == n_requests
    copy = tmp_path / "gdcurves" / "openml" / "31" / "data.parquet"
    copy.write_bytes(copy.read_bytes().replace(b"bad", b"odd"))
    assert call("datasets", "show", "openml:31").out == shown.out
    assert openml_service.requests.count(PARQUET) == 2


def test_client_takes_the_second_file_where_the_first_cannot_be_had(
    openml_service: Service, tmp_path: Path
) -> None:
    """Absent, refused, 500, cut off, silent; and no second file in place of a wrong one."""
    whole = Answer(openml.to_parquet(arff.loads(ARFF.decode())))
    faults = {
        "404": Answer(b"gone", 404),
        "412": Answer(b"no", 412),
        "500": Answer(b"Internal error", 500),
        "truncated": replace(whole, fault="truncated"),
        "silent": replace(whole, fault="silent"),
    }
    asked = []

    def put(number: int, path: str, answer: Answer, checksum: str | None) -> None:
        openml.add(openml_service, number, "credit", ARFF, checksum=checksum)
        openml_service.answers[path] = answer
        asked.append((str(number), None))

    for i, fault in enumerate(faults.values()):
        put(100 + i, openml.parquet_path(100 + i), fault, None)
        put(200 + i, f"/file/{200 + i}", fault, "right")
    features = Answer(openml.error(273, "Not processed yet").encode(), 412)
    put(300, f"{openml.API}/data/features/300", features, None)
    put(400, "/file/400", whole, "wrong")
    put(500, "/file/500", faults["500"], "right")
    openml_service.answers[openml.parquet_path(500)] = faults["404"]
    began = time.monotonic()
    answers = {
        int(key): each for (key, _), each in zip(asked, openml.ask(asked, tmp_path), strict=True)
    }
    assert time.monotonic() - began < 60
    for i, fault in enumerate(faults):
        first, second = answers[100 + i], answers[200 + i]
        assert Path(first["file"]).read_bytes() == ARFF, fault
        assert Path(second["file"]).read_bytes() == whole.body, fault
        assert first["about"]["checked"] is second["about"]["checked"] is False
        assert first["about"]["features"] is None
        assert all(each["about"]["other_file"] for each in (first, second)), fault
    assert openml_service.requests.count("HEAD " + openml.parquet_path(102)) == 2
    assert "273" in answers[300]["about"]["other_file"]
    assert "hecksum" in answers[400]["broken"]
    assert openml.parquet_path(400) not in openml_service.requests
    assert f"HTTP 500 from {openml_service.url}/file/500" in answers[500]["unanswered"]


@pytest.mark.parametrize(
    ("path", "body", "message"),
    [
        (PARQUET, b"<html>", "openml:31: not readable as Parquet: "),
        (FEATURES, None, "openml:31: the file and OpenML's list of features differ in 'amount'"),
    ],
)
def test_what_is_no_table_is_given_up(
    openml_service: Service, path: str, body: bytes | None, message: str
) -> None:
    add(openml_service, checksum=None)
    old = openml_service.answers[path].body
    openml_service.put(path, old.replace(b"amount", b"amuont") if body is None else body)
    with pytest.raises(DataUnavailable, match="fetched 2 times .* damaged each time: " + message):
        datasets.load("openml:31")


def test_data_of_the_catalogue(openml_service: Service, shared: Path) -> None:
    """Both kinds of inputs, missing values, a column without any."""
    content = (shared / "data" / "sick.arff").read_bytes()
    openml.add(openml_service, 38, "sick", content, target="Class", checksum=None)
    table = datasets.load("sick")
    assert table.source == "OpenML 38 (Parquet, no checksum published)"
    assert table.origin == "openml"
    assert table.sha256 == datasets.load("sick", data_dir=shared / "data").sha256


def test_both_files_through_a_proxy(
    openml_service: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The host is known to the proxy alone."""
    monkeypatch.setenv("HTTP_PROXY", openml_service.url)
    monkeypatch.setenv("NO_PROXY", "")
    openml_service.url = "http://openml.invalid"
    for name, value in openml.settings(tmp_path / "home", openml_service.url).items():
        if name != "NO_PROXY":
            monkeypatch.setenv(name, value)
    add(openml_service)
    openml.add(openml_service, 32, "other", ARFF, checksum=None)
    checked, parquet = openml.ask([("31", None), ("32", None)], tmp_path)
    assert checked["about"]["checked"]
    assert Path(parquet["file"]).suffix == ".pq"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"TRUE, FALSE}", b"TRUE, FALSE} {0.5}"),  # a weight
        (b"2, y, ?, 4", b"2, y, ?, 4, 5"),  # a row too long
        (b"{good, bad, none}", b"{good, none}"),  # a label that is not declared
    ],
)
def test_case_s7_parquet_where_arff_cannot_be_read(
    openml_service: Service, old: bytes, new: bytes
) -> None:
    add(openml_service)
    expected = datasets.load("openml:31")
    add(openml_service, version=2)
    broken = ARFF.replace(old, new)
    openml_service.put(FILE, broken)
    described = openml_service.answers[f"{openml.API}/data/31"].body
    known, other = (hashlib.md5(each).hexdigest().encode() for each in (ARFF, broken))
    openml_service.put(f"{openml.API}/data/31", described.replace(known, other))
    table = datasets.load("openml:31@2")
    assert table.source == "OpenML 31 (Parquet, no checksum published)"
    assert table.about["other file"].startswith("not to be used: openml:31@2, line ")
    assert table.sha256 == expected.sha256
