"""The real OpenML client against a service on the loopback interface."""

from __future__ import annotations

import socket
import time
from pathlib import Path

import numpy as np
import pytest
from loopback import Answer, Service, openml

from gdcurves import datasets
from gdcurves.config.reading import DROP_ROWS, Missing
from gdcurves.datasets import DataUnavailable, Request
from gdcurves.errors import UserError
from gdcurves.problems.problem import build

pytestmark = pytest.mark.network

ARFF = b"""@relation credit
@attribute row numeric
@attribute 'owner name' {x, y}
@attribute amount numeric
@attribute purpose {'new car', radio}
@attribute class {good, bad}
@data
1, x, 10.5, 'new car', good
2, y, ?, radio, bad
3, x, 7, radio, good
"""


@pytest.fixture
def service(openml_service: Service) -> Service:
    openml.add(
        openml_service,
        31,
        "credit-g",
        ARFF,
        row_id="row",
        ignored=("owner name",),
        checksum=None,
        parquet=False,
    )
    return openml_service


def test_client_answers_for_everything_that_can_be_asked(service: Service, tmp_path: Path) -> None:
    """By id, name and version; unknown, refused, 500, wrong checksum, truncated, silent."""
    openml.add(service, 44, "credit-g", ARFF, version=2)
    openml.add(service, 45, "no-target", ARFF, target=None)
    openml.add(service, 50, "wrong", ARFF, checksum="wrong")
    openml.add(service, 51, "cut", ARFF, parquet=False)
    service.put("/file/51", ARFF, fault="truncated")
    openml.add(service, 52, "silent", ARFF, parquet=False)
    service.put("/file/52", ARFF, fault="silent")
    service.put(f"{openml.API}/data/53", openml.error(113, "Not approved"), status=412)
    service.put(f"{openml.API}/data/54", "<html>Internal error</html>", status=500)
    openml.add(service, 58, "no-file", ARFF, parquet=False)
    service.put("/file/58", "Internal error", status=500)
    service.put(f"{openml.API}/data/55", "", fault="silent")
    service.put(f"{openml.API}/data/56", "<oml:broken", status=200)
    asked: list[tuple[str, int | None]] = [
        ("31", None),
        ("31", 1),
        ("31", 2),
        ("credit-g", None),
        ("credit-g", 2),
        ("nobody", None),
        ("credit-g", 9),
        *((str(number), None) for number in (45, 50, 51, 52, 53, 54, 55, 56, 57, 58)),
    ]
    began = time.monotonic()
    answers = dict(zip(asked, openml.ask(asked, tmp_path), strict=True))
    for key in (("31", None), ("31", 1), ("credit-g", None)):
        about = answers[key]["about"]
        assert (about["id"], about["version"], about["target"]) == (31, 1, "class")
        assert (about["row_id"], about["ignored"]) == (["row"], ["owner name"])
        assert Path(answers[key]["file"]).read_bytes() == ARFF
    assert answers["credit-g", 2]["about"]["id"] == 44
    assert answers["45", None]["about"]["target"] is None
    kinds = {key: next(iter(answer)) for key, answer in answers.items()}
    assert kinds["31", 2] == "absent"
    assert kinds["nobody", None] == kinds["credit-g", 9] == kinds["57", None] == "absent"
    assert kinds["50", None] == "broken"
    assert "hecksum" in answers["50", None]["broken"]
    assert kinds["51", None] == kinds["52", None] == kinds["55", None] == "unanswered"
    assert kinds["53", None] == "refused"
    assert "Not approved" in answers["53", None]["refused"]
    for number, path in (("54", f"{openml.API}/data/54"), ("58", "/file/58")):
        assert answers[number, None] == {
            "unanswered": f"{service.url}/api/v1/xml does not answer as it should (HTTP 500 from"
            f" {service.url}{path})"
        }
    assert kinds["56", None] == "broken"
    assert time.monotonic() - began < 60


@pytest.mark.parametrize("path", [f"{openml.API}/data/31", "/file/31"])
def test_case_30_an_error_of_the_server_is_no_damage(service: Service, path: str) -> None:
    service.put(path, "<html>Internal error</html>", status=500)
    with pytest.raises(DataUnavailable) as caught:
        datasets.load("openml:31")
    assert str(caught.value) == (
        f"data 'openml:31': {service.url}/api/v1/xml does not answer as it should (HTTP 500 from"
        f" {service.url}{path}); try again later, or name a file in its place"
    )
    assert service.requests.count(path) == 2


def test_case_23_dropped_columns_target_and_cache(service: Service) -> None:
    """Case 23; case 22: what is cut off is fetched once more, and a good copy serves ever after."""
    service.once["/file/31"] = Answer(ARFF[:-30])
    table = datasets.load("openml:credit-g")
    assert table.kinds == {"amount": "continuous", "purpose": "discrete"}
    assert table.dropped == {
        "row": "row id, says OpenML",
        "owner name": "to be ignored, says OpenML",
    }
    assert (table.target, table.labels) == ("class", ("good", "bad"))
    assert table.source == "OpenML 31 (ARFF, no checksum published)"
    assert table.origin == "openml"
    assert table.about["licence"] == "Public"
    assert service.requests.count("/file/31") == 2
    n_requests = len(service.requests)
    again = datasets.load("openml:credit-g", offline=True)
    assert again.sha256 == table.sha256
    assert len(service.requests) == n_requests
    taken = Request("openml:credit-g", discrete=("owner name",))
    assert "owner name" in datasets.load(taken).kinds
    with pytest.raises(DataUnavailable, match="--offline forbids fetching it; run gdcurves dat"):
        datasets.load("openml:44", offline=True)


def test_case_23_no_default_target_and_rows_without_one(service: Service) -> None:
    """The target is asked for; rows where it is missing are dropped and counted."""
    content = ARFF.replace(b"?", b"9") + b"4, x, 8, radio, ?\n5, y, 6, 'new car', ?\n"
    openml.add(service, 60, "gaps", content, target=None)
    with pytest.raises(UserError, match="which column is to be predicted"):
        datasets.load("openml:60")
    table = datasets.load(Request("openml:60", target="class", drop=("row",)))
    assert table.labels == ("good", "bad")
    for missing in (DROP_ROWS, Missing(continuous="mean", discrete="level")):
        made = build("e", table, "all", missing=missing)
        provenance = made.provenance
        assert (provenance.rows_read, provenance.rows_used, provenance.rows_missing) == (5, 3, 2)
        assert np.bincount(made.y).tolist() == [2, 1]
        amounts = made.x[:, made.features.index("amount")] * 3.5 + 7
        assert sorted(amounts) == pytest.approx([7.0, 9.0, 10.5])


def test_catalogue_data_from_openml(service: Service, shared: Path) -> None:
    """OpenML's id 8 has another target and ignores the class; what it ignores is used here."""
    content = (shared / "data" / "liver-disorders.arff").read_bytes()
    openml.add(service, 8, "liver-disorders", content, target="drinks", ignored=("selector",))
    table = datasets.load("liver-disorders", "openml")
    assert table.sha256 == datasets.load("liver-disorders").sha256
    assert table.dropped == {}
    assert service.requests.count("/file/8") == 1


def test_nothing_listens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound but not listening: connections are refused
        server = f"http://127.0.0.1:{taken.getsockname()[1]}"
        for name, value in openml.settings(tmp_path, server).items():
            monkeypatch.setenv(name, value)
        start = time.monotonic()
        with pytest.raises(DataUnavailable) as caught:
            datasets.load("sick")
    assert str(caught.value) == (
        f"data 'openml:38': {server}/api/v1/xml does not answer (ConnectionError); try again"
        " later, or name a file in its place; data set 'sick' is also taken from a folder: give"
        " --data-dir one that holds sick.arff or sick.csv"
    )
    assert time.monotonic() - start < 30  # nearly all of it is the import of the client
    assert list((tmp_path / "gdcurves" / "openml").iterdir()) == []


@pytest.mark.parametrize("data", ["openml:", "openml:31@x", "uci:iris", "uci:53@1", "uci:"])
def test_names_that_cannot_be_read(data: str) -> None:
    with pytest.raises(
        UserError, match=r"write it like (openml:31|uci:53)|write one, such as uci:53"
    ):
        datasets.load(data)


@pytest.mark.parametrize("parquet", [False, True])
def test_case_s6_other_declared_targets_are_no_inputs(service: Service, parquet: bool) -> None:
    content = ARFF.replace(b"class {", b"'the class' {")
    how = {"checksum": None, "parquet": True} if parquet else {}
    openml.add(service, 61, "several", content, target="amount,purpose, the class", **how)  # type: ignore[arg-type]
    with pytest.raises(UserError, match="which column is to be predicted"):
        datasets.load("openml:61")
    table = datasets.load(Request("openml:61", target="purpose"))
    assert table.kinds == {"owner name": "discrete"}
    others = dict.fromkeys(("amount", "the class"), "another target, says OpenML")
    assert table.dropped == {"row": "by its name and values it numbers or names the rows", **others}


MANY = b"""@relation m
@attribute 'Patient No' numeric
@attribute x numeric
@attribute Desert {0,1}
@attribute SEA {0,1}
@attribute 'trees, tall' {0,1}
@data
""" + b"".join(
    b"%d,%d.5,%d,%d,%d\n" % (i * 17 % 30, i % 7, i % 2, i % 3 == 0, i % 5 == 0) for i in range(30)
)


@pytest.mark.parametrize(
    ("number", "target"),
    [
        (71, "Desert,SEA,trees, tall"),
        (72, "Desert, SEA , 'trees, tall'"),
        (73, "desert,sea,trees%2C tall"),
        (74, '"DESERT","Sea","trees, tall"'),
        (75, "trees,_Tall,SEA,desert,desert"),
    ],
)
def test_case_s6_declared_names_are_found_however_they_are_spelled(
    service: Service, number: int, target: str
) -> None:
    how = {"checksum": None, "parquet": False, "row_id": "patient_no"}
    openml.add(service, number, "several", MANY, target=target, **how)  # type: ignore[arg-type]
    table = datasets.load(Request(f"openml:{number}", target="SEA"))
    assert table.kinds == {"x": "continuous"}
    others = dict.fromkeys(("Desert", "trees, tall"), "another target, says OpenML")
    assert table.dropped == {"Patient No": "row id, says OpenML", **others}
    assert not table.notes


def test_case_s6_declared_names_that_are_not_found_are_told(service: Service) -> None:
    content = MANY.replace(b"attribute x", b"attribute SEA_")
    how = {"checksum": None, "parquet": False}
    openml.add(service, 76, "several", content, target="Desert, sea, moon", **how)  # type: ignore[arg-type]
    table = datasets.load(Request("openml:76", target="trees, tall"))
    assert table.kinds == {"SEA_": "continuous", "SEA": "discrete"}
    by_name = {"Patient No": "by its name and values it numbers or names the rows"}
    assert table.dropped == {"Desert": "another target, says OpenML", **by_name}
    assert any("OpenML declares 'sea' and 'moon' as a target, but" in each for each in table.notes)
    openml.add(service, 77, "one", MANY, target="'desert'", **how)  # type: ignore[arg-type]
    assert datasets.load(Request("openml:77")).target == "Desert"
