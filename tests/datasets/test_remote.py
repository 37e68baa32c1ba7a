"""A remote source that is none of the package's: what a registry line alone makes of it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from gdcurves import config, datasets, plan
from gdcurves.config.reading import is_name
from gdcurves.datasets import REMOTE, DataUnavailable, Request
from gdcurves.datasets.formats import delimited
from gdcurves.datasets.raw import Raw
from gdcurves.datasets.sources import cache
from gdcurves.datasets.sources.remote import number_or_name
from gdcurves.errors import UserError
from gdcurves.plan import draft

ROWS = "a,b,y\n" + "".join(f"{i}.5,{i % 3}.25,{'np'[i % 2]}\n" for i in range(20))


class Library:
    """Lends one book of rows under every name."""

    EXAMPLES: tuple[str, ...] = ("lib:7", "lib:rows")
    asked = 0

    def entry(self, data: str, offline: bool = False) -> cache.Entry:
        key, _ = number_or_name(data, self.EXAMPLES)

        def fetch(folder: Path) -> dict[str, Any]:
            self.asked += 1
            (folder / "rows.csv").write_text(ROWS)
            return {"key": key}

        return cache.get("lib", key, fetch, offline=offline)

    def raw(self, copy: cache.Entry, request: Request) -> Raw:
        return delimited.read(copy.content, f"library {copy.about['key']}", request.missing_texts)


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Library:
    monkeypatch.setenv("GDCURVES_CACHE", str(tmp_path / "cache"))
    monkeypatch.setitem(REMOTE, "lib", made := Library())
    return made


def test_it_is_asked_once_and_kept(library: Library, tmp_path: Path) -> None:
    with pytest.raises(DataUnavailable, match="gdcurves datasets fetch lib:7"):
        datasets.load(Request("lib:7", "y"), offline=True)
    assert datasets.fetch("lib:7") == tmp_path / "cache" / "lib" / "7"
    table = datasets.load(Request("lib:7", "y"), offline=True)
    assert (table.name, table.origin, table.source) == ("7", "lib", "library 7")
    assert table.kinds == {"a": "continuous", "b": "continuous"}
    assert table.frame["a"].sum() == 200.0
    assert library.asked == 1
    (tmp_path / "rows.csv").write_text(ROWS)
    assert datasets.load(Request(str(tmp_path / "rows.csv"), "y")).sha256 == table.sha256


def test_configs_and_messages_name_it(library: Library) -> None:
    assert draft.make(Request("lib:7", "y"), None).name == "lib-7"
    assert draft.make(Request("lib:rows", "y"), None).name == "rows"
    with pytest.raises(UserError, match=r"write it like lib:7 or lib:rows$"):
        datasets.load("lib:")


@pytest.mark.parametrize(
    ("data", "name", "scheme", "at_hand"),
    [
        ("vote", True, None, True),
        ("sick", True, None, False),
        ("lib", True, None, False),
        ("lib:7", False, "lib", False),
        ("openml:a/b.csv", False, "openml", False),
        ("UCI:53", False, None, True),
        ("foo:bar", False, None, True),
        ("./vote", False, None, True),
        ("vote.csv", False, None, True),
    ],
)
def test_what_a_text_is(
    library: Library, data: str, name: bool, scheme: str | None, at_hand: bool
) -> None:
    assert is_name(data) == name
    assert datasets.scheme(data) == scheme
    assert datasets.at_hand(data) == at_hand


@pytest.mark.parametrize(
    ("address", "advice"),
    [
        ("https://example.org/my.csv", "save the file here, and give its name"),
        ("http://example.org/", "save the file here, and give its name"),
        ("https://www.openml.org/search?type=data&status=active&id=37", "write openml:37"),
        ("https://www.openml.org/d/31", "write openml:31"),
        ("https://archive.ics.uci.edu/dataset/53/iris", "write uci:53"),
    ],
)
def test_addresses_are_not_fetched(address: str, advice: str, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=re.escape(f"addresses are not fetched; {advice}")):
        datasets.look(Request(address, "y"))
    text = f"splits: 2\nsizes: [2]\nexperiments: [{{name: e, data: '{address}', target: y}}]\n"
    with pytest.raises(UserError, match=re.escape(advice)):
        plan.make(config.load_text(f"{text}fitters: [{{type: majority}}]\n", tmp_path / "e.yaml"))
