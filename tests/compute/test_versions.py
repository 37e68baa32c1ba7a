"""The fingerprint of the code that computes rows: what is in it, and what it does not depend on."""

from __future__ import annotations

import ast
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import gdcurves
from gdcurves.compute import cluster, versions
from gdcurves.compute.versions import CODE, code_sha256, fingerprint

PACKAGE = Path(gdcurves.__file__).parent
# What computing imports and what decides no number: words, types, what a config's reader checks
# (all that a config said is compared by itself), and the rest of the folder.
WITHOUT_NUMBERS = {"__init__.py", "arrays.py", "errors.py", "words.py", "config", "store"}


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A copy of the package, as it is on disk."""
    return shutil.copytree(PACKAGE, tmp_path / "gdcurves")


def test_it_is_the_same_wherever_the_package_is(package: Path) -> None:
    assert fingerprint(package) == code_sha256()
    assert versions.versions()["gdcurves' code"] == code_sha256()[:12]


def test_it_does_not_depend_on_line_ends_or_on_what_is_no_source(package: Path) -> None:
    for path in package.rglob("*.py"):
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    shutil.rmtree(package / "datasets" / "packaged")
    (package / "fitters" / "notes.txt").write_text("text")
    (package / "fitters" / "__pycache__").mkdir(exist_ok=True)
    (package / "fitters" / "__pycache__" / "lda.cpython-399.pyc").write_bytes(b"compiled")
    for part in ("plots/panel.py", "report/status.py", "curves.py", "__init__.py"):
        (package / part).write_text("changed = True\n")
    assert fingerprint(package) == code_sha256()


@pytest.mark.slow
@pytest.mark.parametrize(
    "part",
    [
        "splits.py",
        "logistic/cone.py",
        "fitters/batch.py",
        "simulators/gaussian.py",
        "problems/targets.py",
        "scoring/pool.py",
        "compute/chunk.py",
        "datasets/formats/delimited.py",
        "store/rows.py",
        "plan/plan.py",
    ],
)
def test_any_change_of_what_decides_numbers_shows(package: Path, part: str) -> None:
    path = package / part
    whole = path.read_bytes()
    path.write_bytes(whole.replace(b"0", b"1", 1))
    assert path.read_bytes() != whole
    assert fingerprint(package) != code_sha256()
    path.write_bytes(whole)
    assert fingerprint(package) == code_sha256()


def test_a_file_that_comes_or_is_renamed_shows(package: Path) -> None:
    new = package / "fitters" / "new.py"
    new.write_text("")
    assert fingerprint(package) != code_sha256()
    new.unlink()
    (package / "fitters" / "lda.py").rename(package / "fitters" / "lda2.py")
    assert fingerprint(package) != code_sha256()


@pytest.mark.slow
def test_all_that_a_chunk_is_computed_with_is_in_it() -> None:
    reached = set(_reached(PACKAGE / "compute" / "chunk.py"))
    assert PACKAGE / "logistic" / "newton.py" in reached
    covered = {*CODE, *WITHOUT_NUMBERS}
    for path in reached:
        name = path.relative_to(PACKAGE).as_posix()
        inside = name in covered or name.partition("/")[0] in covered
        assert inside or path.name == "__init__.py", f"{name} is not in CODE"
    for part in CODE:
        inside = {PACKAGE / part, *(PACKAGE / part).rglob("*.py")}
        assert inside & reached, f"{part} computes nothing"


def _reached(first: Path) -> Iterator[Path]:
    """Modules that a module imports, itself included, those that they import, and so on."""
    todo, seen = [first], set[Path]()
    while todo:
        path = todo.pop()
        if path not in seen:
            seen.add(path)
            yield path
            todo += _imported(path)


def _imported(path: Path) -> Iterator[Path]:
    """Modules of the package that one imports when it runs, with the packages around them."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    typing_only = {
        each
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        for each in ast.walk(node)
    }
    for node in ast.walk(tree):
        if not isinstance(node, ast.ImportFrom) or node in typing_only:
            continue
        words = (node.module or "").split(".")
        if words[0] != "gdcurves":
            continue
        for name in node.names:
            for end in range(1, len(words) + 1):
                yield from _files(words[1:end])
            yield from _files([*words[1:], name.name])


def _files(words: list[str]) -> Iterator[Path]:
    base = PACKAGE.joinpath(*words)
    candidates = [base / "__init__.py", *([base.with_suffix(".py")] if words else [])]
    yield from (each for each in candidates if each.is_file())


def test_it_takes_no_time() -> None:
    def seconds() -> float:
        began = time.process_time()
        fingerprint(PACKAGE)
        return time.process_time() - began

    assert min(seconds() for _ in range(5)) < 0.02


def test_a_worker_with_other_code_is_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    here = versions.versions()
    assert cluster._differs(here) is None
    other = {**here, "gdcurves' code": "0" * 12}
    says = f"it has gdcurves' code {code_sha256()[:12]}, and the run {'0' * 12}"
    assert cluster._differs(other) == says
