"""Build what is released, install it as users do, and try it there.

    python scripts/release.py

Makes a wheel and a source archive in dist/, and installs each into empty environments: with the
lowest version of everything that pyproject.toml names, on the oldest Python, and with the newest
versions, the wheel on every Python of its classifiers that this machine has. There the first steps
of a user are made (`scripts/first_steps.py`). Then the site is made, and the report is opened in
Chromium, where there is one, by the installed wheel and the tests of the source archive. The first
step that fails ends it, with its name and what it printed.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
DIST = ROOT / "dist"
MOST_BYTES = 2_000_000  # of a wheel
VERSION_OF_PYTHON = "Programming Language :: Python :: 3."
UV = (sys.executable, "-m", "uv", "--quiet")


@dataclass(frozen=True)
class Environment:
    """An environment in which nothing is but an archive and what it needs.

    Attributes
    ----------
    folder
        Where it is made.
    interpreter, version
        A Python, and which one it is, such as 3.11.
    archive
        What is installed.
    constraints
        A file with the versions that are to be installed; None for the newest.
    extras
        In brackets; empty for none.
    """

    folder: Path
    interpreter: str
    version: str
    archive: Path
    constraints: Path | None = None
    extras: str = ""

    @property
    def name(self) -> str:
        """What is tried in it."""
        kind = "wheel" if self.archive.suffix == ".whl" else "source archive"
        which = "newest" if self.constraints is None else "lowest"
        extras = "the extras" if self.extras else "no extras"
        return f"{kind}, {which} versions, {extras}, Python {self.version}"

    @property
    def python(self) -> str:
        """The Python in it."""
        return str(self.folder / "bin" / "python")

    def make(self) -> None:
        """Install into it."""
        step(f"{self.name}: empty", *UV, "venv", "--python", self.interpreter, str(self.folder))
        what = f"gdcurves{self.extras} @ {self.archive.as_uri()}"
        of_build = ("--build-constraints", str(self.constraints)) if self.constraints else ()
        constrained = ("--constraints", str(self.constraints), *of_build) if of_build else ()
        self.install("installed", what, *constrained)

    def install(self, title: str, *what: str) -> None:
        """Install more into it."""
        step(f"{self.name}: {title}", *UV, "pip", "install", "--python", self.python, *what)

    def try_out(self) -> None:
        """Make the first steps in it."""
        options = ("--extras",) if self.extras else ()
        script = str(ROOT / "scripts" / "first_steps.py")
        step(f"{self.name}: first steps", self.python, "-P", script, *options)


def step(title: str, *command: str, folder: Path = ROOT) -> str:
    """Run a command of a release; what it printed. One that fails ends the release."""
    print(title, end=" ", flush=True)
    since = time.monotonic()
    clean = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    ended = subprocess.run(
        command,
        cwd=folder,
        env=clean,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if ended.returncode:
        print(f"\n{ended.stdout}")
        sys.exit(f"Error: this step failed: {title}")
    print(f"({time.monotonic() - since:.0f} s)", flush=True)
    return ended.stdout


def main() -> None:
    """Make a release, in the order of what breaks first."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    wheel, source = build()
    with tempfile.TemporaryDirectory() as folder:
        for environment in environments(Path(folder), project, wheel, source):
            environment.make()
            environment.try_out()
            if environment.archive == wheel:
                last = environment
        step("the site", "make", "docs")
        in_chromium(last, source, Path(folder))
    print(f"Ready in {DIST.name}: {wheel.name}, {source.name}")


def build() -> tuple[Path, Path]:
    """Build and check the archives, the wheel from the source archive."""
    for old in DIST.glob("gdcurves-*"):
        old.unlink()
    step("build", sys.executable, "-m", "build", "--installer", "uv", "--outdir", str(DIST))
    (wheel,), (source,) = DIST.glob("*.whl"), DIST.glob("*.tar.gz")
    for each in (wheel, source):
        print(f"{each.name}: {each.stat().st_size / 1e6:.1f} MB")
    if wheel.stat().st_size > MOST_BYTES:
        sys.exit(f"Error: the wheel has more than {MOST_BYTES / 1e6:g} MB")
    step("twine check", sys.executable, "-m", "twine", "check", "--strict", str(wheel), str(source))
    return wheel, source


def environments(
    folder: Path, project: dict[str, Any], wheel: Path, source: Path
) -> Iterator[Environment]:
    """Where archives are tried; the lowest versions first, on the oldest Python."""
    constraints = folder / "lowest.txt"
    constraints.write_text("\n".join(lowest(project)), encoding="utf-8")
    extras = f"[{','.join(project['project']['optional-dependencies'])}]"
    oldest, *newer = pythons(project)
    found = interpreter(oldest)
    if found is None:
        sys.exit(f"Error: no Python {oldest}, the oldest one that is promised")
    yield Environment(folder / "1", found, oldest, wheel, constraints, extras)
    yield Environment(folder / "2", found, oldest, source, constraints)
    yield Environment(folder / "3", found, oldest, source)
    yield Environment(folder / "4", found, oldest, wheel, extras=extras)
    for number, version in enumerate(newer, start=5):
        found = interpreter(version)
        if found is None:
            print(f"Python {version}: skipped, as this machine has none")
        else:
            yield Environment(folder / str(number), found, version, wheel, extras=extras)


def lowest(project: dict[str, Any]) -> list[str]:
    """The lowest version of everything that pyproject.toml names for users, as requirements."""
    extras = project["project"]["optional-dependencies"].values()
    needed = {*project["project"]["dependencies"], *chain(*extras)}
    return sorted(
        each.replace(">=", "==") for each in needed | {*project["build-system"]["requires"]}
    )


def pythons(project: dict[str, Any]) -> list[str]:
    """The Pythons of the classifiers, such as 3.11, the oldest first."""
    minors = [
        int(each.removeprefix(VERSION_OF_PYTHON))
        for each in project["project"]["classifiers"]
        if each.startswith(VERSION_OF_PYTHON)
    ]
    return [f"3.{minor}" for minor in sorted(minors)]


def interpreter(version: str) -> str | None:
    """Find a Python of this version: on the path, or among those of pyenv."""
    of_pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    on_path = shutil.which(f"python{version}")
    for each in (on_path, *map(str, of_pyenv.glob(f"{version}.*/bin/python"))):
        if (
            each
            and subprocess.run([each, "-c", ""], capture_output=True, check=False).returncode == 0
        ):
            return each
    return None


def in_chromium(environment: Environment, source: Path, folder: Path) -> None:
    """Open the report of the installed wheel in Chromium, by the tests of the source archive."""
    title = "the report in Chromium"
    if not (shutil.which("chromium") or shutil.which("chromium-browser")):
        print(f"{title}: skipped, as Chromium is not installed")
        return
    with tarfile.open(source) as packed:
        packed.extractall(folder, filter="data")
    unpacked = folder / source.name.removesuffix(".tar.gz")
    shutil.rmtree(unpacked / "gdcurves")  # what is installed is tested
    environment.install("what tests need", "--group", f"{unpacked / 'pyproject.toml'}:test")
    tests = ("-m", "pytest", "tests/page/test_browser.py", "-rs")
    print(step(title, environment.python, *tests, folder=unpacked).rstrip())


if __name__ == "__main__":
    main()
