"""A results folder before a run: what is refused, what goes, and what stays."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gdcurves.errors import UserError
from gdcurves.store import files, folder, format, journal
from gdcurves.store.chunk import Chunk
from gdcurves.store.contents import JOURNAL

CHUNK = Chunk("toy", 100, 104)


def make_run(directory: Path, name: str = "mine") -> None:
    """Write what a run leaves behind, with a chunk."""
    (directory / "splits" / "toy").mkdir(parents=True)
    files.write_chunk(directory, CHUNK, b"old")
    manifest = {"schema_version": format.NUMBER, "name": name, "status": "interrupted"}
    files.write_manifest(directory, {**manifest, "config": {}, "experiments": {}})
    for each in ("curves.csv", "published.csv", "figure1.png", "figure1.pdf"):
        (directory / each).write_text("old")
    line = journal.Line(session="2020-01-01", seconds=1.0, client_seconds=1.0)
    (directory / JOURNAL).write_text(line.model_dump_json() + "\n")


def content(directory: Path) -> list[str]:
    return sorted(
        str(path.relative_to(directory)) for path in directory.rglob("*") if path.is_file()
    )


def test_a_used_folder_asks_what_to_do(tmp_path: Path) -> None:
    make_run(tmp_path)
    with pytest.raises(UserError, match=r"--resume .* --fresh .* --out"):
        folder.check(tmp_path, "mine", "new")
    folder.check(tmp_path, "mine", "resume")
    folder.check(tmp_path, "mine", "fresh")


def test_an_earlier_run_is_cleared_and_nothing_else(tmp_path: Path) -> None:
    make_run(tmp_path)
    for name in ("notes.txt", "limits.csv"):
        (tmp_path / name).write_text("mine")
    folder.clear(tmp_path)
    assert content(tmp_path) == ["limits.csv", "notes.txt"]


def test_limits_alone_are_no_run(tmp_path: Path) -> None:
    (tmp_path / "limits.csv").write_text("experiment\n")
    for mode in ("new", "resume", "fresh"):
        folder.check(tmp_path, "mine", mode)


@pytest.mark.parametrize("mode", ["new", "resume", "fresh"])
def test_foreign_folders_are_refused_and_not_touched(tmp_path: Path, mode: folder.Mode) -> None:
    foreign, other, file = tmp_path / "foreign", tmp_path / "other", tmp_path / "file"
    foreign.mkdir()
    (foreign / "thesis.tex").write_text("text")
    other.mkdir()
    files.write_manifest(other, {"name": "theirs"})
    file.write_text("text")
    for directory, says in ((foreign, "is not empty"), (other, "'theirs'"), (file, "cannot write")):
        with pytest.raises(UserError, match=says) as caught:
            folder.check(directory, "mine", mode)
        assert "--out" in str(caught.value)
        assert "\n" not in str(caught.value)
    assert content(tmp_path) == ["file", "foreign/thesis.tex", "other/manifest.json"]
    assert json.loads((other / "manifest.json").read_text())["name"] == "theirs"


DAMAGE = ["", '{"name": "mi', "not JSON", "[1, 2]", '{"other": 1}', '{"schema_version": 1}']


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_run_with_a_damaged_manifest_can_be_replaced_only(tmp_path: Path, damage: str) -> None:
    make_run(tmp_path)
    (tmp_path / "manifest.json").write_text(damage)
    modes: tuple[folder.Mode, ...] = ("new", "resume")
    for mode in modes:
        with pytest.raises(UserError, match=r"manifest.json: .*; run .* again, with --fresh"):
            folder.check(tmp_path, "mine", mode)
    folder.check(tmp_path, "mine", "fresh")
    (tmp_path / "manifest.json").write_text('{"schema_version": 1, "name": "theirs"}')
    with pytest.raises(UserError, match="'theirs'"):
        folder.check(tmp_path, "mine", "fresh")


@pytest.mark.parametrize("text", [None, "not ours\n"])
@pytest.mark.parametrize("damage", DAMAGE)
def test_without_its_journal_a_damaged_manifest_may_be_anybodys(
    tmp_path: Path, damage: str, text: str | None
) -> None:
    """A data set's folder may well hold manifest.json and splits."""
    make_run(tmp_path)
    (tmp_path / "manifest.json").write_text(damage)
    (tmp_path / JOURNAL).unlink()
    if text is not None:
        (tmp_path / JOURNAL).write_text(text)
    before = content(tmp_path)
    modes: tuple[folder.Mode, ...] = ("new", "resume", "fresh")
    for mode in modes:
        with pytest.raises(UserError, match=r"no journal.jsonl tells .* remove .* --out"):
            folder.check(tmp_path, "mine", mode)
    assert content(tmp_path) == before


def test_checking_makes_nothing(tmp_path: Path) -> None:
    folder.check(tmp_path / "a" / "b", "mine", "new")
    assert not (tmp_path / "a").exists()


def test_what_a_killed_process_left_is_removed_and_whole_chunks_stay(tmp_path: Path) -> None:
    make_run(tmp_path)
    chunks = tmp_path / "splits" / "toy"
    (chunks / "000200-000299.csv").write_text("foreign")
    (chunks / ".000104-000108.csv.part").write_text("half")
    (tmp_path / ".manifest.json.part").write_text("half")
    (tmp_path / ".data" / "toy").mkdir(parents=True)
    (tmp_path / ".data" / "toy" / "x.npy").write_text("numbers")
    folder.tidy(tmp_path, {files.chunk_path(tmp_path, CHUNK)})
    folder.prepare(tmp_path, ["toy", "more"])
    left = [each for each in content(tmp_path) if "/" in each or each.startswith(".")]
    assert left == ["splits/toy/000100-000103.csv"]
    assert (tmp_path / "splits" / "more").is_dir()


def test_a_replacement_that_breaks_off_can_be_repeated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While an earlier run is removed its manifest stays, so that the folder is still known."""
    make_run(tmp_path)

    def stop(path: Path, **options: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as broken:
        broken.setattr(folder.shutil, "rmtree", stop)
        with pytest.raises(KeyboardInterrupt):
            folder.clear(tmp_path)
    folder.check(tmp_path, "mine", "fresh")
    folder.clear(tmp_path)
    assert content(tmp_path) == []
