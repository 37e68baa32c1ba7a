"""UCI's service on the loopback interface, and the cache in front of it."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from loopback import Answer, Service, serve, uci

from gdcurves import datasets
from gdcurves.datasets import DataUnavailable, Request
from gdcurves.datasets.sources import cache
from gdcurves.datasets.sources import uci as client
from gdcurves.errors import UserError

pytestmark = pytest.mark.network

CSV = b"length,petals,colour,ID,class\n" + b"".join(
    b"%d.5,%d,%s,k%d,%s\n" % (i, i % 3, b"red" if i % 2 else b"blue", i, b"AB"[i % 2 :][:1])
    for i in range(20)
)
VARIABLES = [
    ("length", "Feature", "Continuous"),
    ("petals", "Feature", "Integer"),
    ("colour", "Feature", "Categorical"),
    ("ID", "ID", "Categorical"),
    ("class", "Target", "Categorical"),
]
FILE = "/static/public/53/data.csv"


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    monkeypatch.setenv("GDCURVES_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setattr(client, "PAUSE", 0.01)
    monkeypatch.setattr(cache, "SILENCE", 0.3)
    with serve() as running:
        monkeypatch.setattr(client, "SERVICE", f"{running.url}/api/dataset")
        uci.add(running, 53, "Iris", CSV, VARIABLES)
        yield running


def test_roles_kinds_and_cache(service: Service) -> None:
    table = datasets.load("uci:53")
    assert table.kinds == {"length": "continuous", "petals": "continuous", "colour": "discrete"}
    assert table.declared == {"length", "colour"}
    assert table.dropped == {"ID": "row id, says UCI"}
    assert (table.target, table.labels, table.source) == ("class", ("A", "B"), "UCI 53")
    assert table.origin == "uci"
    assert len(service.requests) == 2
    assert datasets.load("uci:53", offline=True).sha256 == table.sha256
    assert len(service.requests) == 2


def test_several_targets_are_asked_about(service: Service) -> None:
    uci.add(
        service, 53, "Iris", CSV, [*VARIABLES[:2], ("colour", "Target", "Binary"), VARIABLES[4]]
    )
    with pytest.raises(UserError, match=r"UCI 53: which column .* there are colour, class$"):
        datasets.load("uci:53")
    table = datasets.load(Request("uci:53", target="class"))
    assert table.dropped == {
        "colour": "another target, says UCI",
        "ID": "another text in every row",
    }


@pytest.mark.parametrize("damage", ["cut", "changed", "absent", "entry", "link"])
def test_case_22_damaged_copy_is_deleted_and_fetched_again(
    service: Service, tmp_path: Path, damage: str
) -> None:
    whole = datasets.load("uci:53").sha256
    folder = tmp_path / "cache" / "uci" / "53"
    file = folder / "data.csv"
    match damage:
        case "cut":
            file.write_bytes(CSV[:100])
        case "changed":
            file.write_bytes(CSV.replace(b"red", b"rot"))
        case "absent":
            file.unlink()
        case "entry":
            (folder / "entry.json").write_text("{")
        case "link":
            (folder / "entry.json").write_text("[]")
    assert datasets.load("uci:53").sha256 == whole
    assert service.requests.count(FILE) == 2
    assert file.read_bytes() == CSV
    file.write_bytes(b"")
    for _ in range(2):  # what cannot be fetched again is kept
        with pytest.raises(DataUnavailable) as caught:
            datasets.load("uci:53", offline=True)
        assert str(caught.value) == (
            f"data 'uci:53': the copy in {folder} is damaged, and --offline forbids fetching it;"
            " run gdcurves datasets fetch uci:53 with a network"
        )
    assert file.exists()
    with pytest.raises(DataUnavailable, match=r"not in the cache .* run gdcurves datasets fetch u"):
        datasets.load("uci:54", offline=True)


def test_case_22_broken_content_is_given_up_with_path_and_id(
    service: Service, tmp_path: Path
) -> None:
    service.put(FILE, CSV + b"1,2\n")
    with pytest.raises(DataUnavailable) as caught:
        datasets.load("uci:53")
    copy = tmp_path / "cache" / "uci" / "53"
    assert str(caught.value).startswith(
        f"data 'uci:53': fetched 2 times for {copy}, and damaged each time: uci:53, line 22: 2"
    )
    assert service.requests.count(FILE) == 2
    assert list(copy.parent.iterdir()) == []


@pytest.mark.parametrize("path", ["/api/dataset?id=53", FILE])
@pytest.mark.parametrize(
    ("answer", "word", "tries"),
    [
        (Answer(b"", fault="silent"), "ConnectionError", 3),
        (Answer(CSV * 50, fault="truncated"), "ChunkedEncodingError", 3),
        (Answer(b"down", 500), "HTTP 500", 3),
        (Answer(b"too much", 429), "HTTP 429", 3),
        (Answer(b"", 404), "does not exist", 1),
    ],
)
def test_case_30_faults_end_in_bounded_time(
    service: Service, path: str, answer: Answer, word: str, tries: int
) -> None:
    service.answers[path] = answer
    began = time.monotonic()
    with pytest.raises(DataUnavailable) as caught:
        datasets.load("uci:53")
    assert time.monotonic() - began < 10
    message = str(caught.value)
    assert message.startswith("data 'uci:53': ")
    assert service.requests.count(path) == tries
    assert word in message or "ReadTimeout" in message
    assert "\n" not in message


def test_case_30_second_try_and_copy_while_the_server_is_down(service: Service) -> None:
    service.once[FILE] = Answer(b"down", 503)
    table = datasets.load("uci:53")
    service.over.set()
    assert datasets.load("uci:53").sha256 == table.sha256
    with pytest.raises(DataUnavailable, match="3 tries"):
        datasets.load("uci:54")


def test_server_dies_between_two_requests(service: Service) -> None:
    path = "/api/dataset?id=53"
    service.answers[path] = Answer(service.answers[path].body, fault="dies")
    with pytest.raises(DataUnavailable, match=r"data\.csv does not answer as it should"):
        datasets.load("uci:53")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"<html>", "the answer is no description"),
        (b"[1]", "the answer is no description"),
        (b'{"status": 200, "data": {"uci_id": 53}}', "the answer is no description"),
        (b'{"status": 404, "message": "no"}', "the service has none of this id"),
    ],
)
def test_answers_that_are_no_description(service: Service, content: bytes, message: str) -> None:
    service.put("/api/dataset?id=53", content)
    with pytest.raises(DataUnavailable, match=message):
        datasets.load("uci:53")


def test_data_that_the_service_does_not_give(service: Service) -> None:
    answer = json.loads(service.answers["/api/dataset?id=53"].body)
    answer["data"]["data_url"] = None
    service.put("/api/dataset?id=53", json.dumps(answer))
    with pytest.raises(DataUnavailable, match="does not give the rows of 'Iris'; get the file"):
        datasets.load("uci:53")


def test_two_at_once_leave_one_whole_copy(service: Service, tmp_path: Path) -> None:
    hashes: list[str] = []
    threads = [
        threading.Thread(target=lambda: hashes.append(datasets.load("uci:53").sha256))
        for _ in range(4)
    ]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert len(hashes) == 4
    assert len(set(hashes)) == 1
    folder = tmp_path / "cache" / "uci"
    assert [each.name for each in folder.iterdir()] == ["53"]


def test_case_s11_names_with_blanks_around_them(service: Service) -> None:
    """Also in copies that the cache holds already."""
    variables = [(f" {name} ", role, kind) for name, role, kind in VARIABLES]
    variables[0] = ("length ", "Target", "Continuous")
    uci.add(service, 53, "Iris", CSV, variables)
    table = datasets.load(Request("uci:53", target="class"))
    assert table.kinds == {"petals": "continuous", "colour": "discrete"}
    assert table.dropped == {"length": "another target, says UCI", "ID": "row id, says UCI"}


def test_case_s11_declared_names_are_found_however_they_are_spelled(service: Service) -> None:
    csv = CSV.replace(b"length,petals,colour,ID", b'"length",petals,Colour,Sample_ID')
    csv = csv.replace(b"red", b"1.0").replace(b"blue", b"2.50")
    variables = [("LENGTH", "Target", "Continuous"), *VARIABLES[1:]]
    variables[3] = ("sample id", "ID", "Categorical")
    uci.add(service, 53, "Iris", csv, variables)
    table = datasets.load(Request("uci:53", target="class"))
    assert table.kinds == {"petals": "continuous", "Colour": "discrete"}
    assert list(table.frame["Colour"].cat.categories) == ["1", "2.50"]
    assert table.dropped == {"length": "another target, says UCI", "Sample_ID": "row id, says UCI"}
    assert not any("declares" in each for each in table.notes)


def test_case_s11_declared_names_that_are_not_found_are_told(service: Service) -> None:
    variables = [*VARIABLES, ("wide", "Target", "Continuous"), ("id", "Other", "Integer")]
    uci.add(service, 53, "Iris", CSV, variables)
    table = datasets.load(Request("uci:53", target="class"))
    assert list(table.kinds) == ["length", "petals", "colour"]
    assert table.dropped == {"ID": "row id, says UCI"}
    assert [each.partition(", but")[0] for each in table.notes if "declares" in each] == [
        "UCI 53: UCI declares 'wide' as a target",
        "UCI 53: UCI declares 'id' as no feature",
    ]
