"""What computes rows, and in which version: rows of two versions are not mixed."""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib import import_module
from importlib.metadata import packages_distributions, version
from pathlib import Path

import gdcurves

COMPUTING = ("numpy", "scipy")  # their results are rows and curves
LIBRARIES = (*COMPUTING, "pandas", "joblib", "pydantic", "matplotlib", "openml")
# Modules and packages of gdcurves that decide a number of a raw row, or how it is spelled. Tables
# are made anew from all rows whenever a run goes on, so what makes them may change; so may what
# reads a config, as all that it said is compared.
CODE = (
    "compute/chunk.py",
    "compute/fresh.py",
    "datasets",
    "fitters",
    "limits",
    "logistic",
    "plan",
    "plugins.py",
    "problems",
    "scoring",
    "simulators",
    "splits.py",
    "store/rows.py",
    "units.py",
)


@cache
def versions() -> Mapping[str, str]:
    """Versions of what computes rows."""
    return {
        "gdcurves": gdcurves.__version__,
        **{name: version(name) for name in COMPUTING},
        "gdcurves' code": code_sha256()[:12],
    }


def of_environment() -> dict[str, str]:
    """Versions of Python and of the libraries that a run, its tables and figures come from."""
    return {
        "python": platform.python_version(),
        **{name: version(name) for name in LIBRARIES},
    }


def of_packages(names: Iterable[str]) -> dict[str, str]:
    """Versions of packages of others, as they say themselves."""
    return {
        name: str(getattr(import_module(name), "__version__", "")) or _installed(name)
        for name in names
    }


def _installed(name: str) -> str:
    """Version of the distribution that has a module; "unknown" for a module of none."""
    known = packages_distributions().get(name, ())
    return version(known[0]) if known else "unknown"


@cache
def code_sha256() -> str:
    """Fingerprint of this package's code that computes rows."""
    return fingerprint(Path(__file__).resolve().parent.parent)


def fingerprint(package: Path) -> str:
    """Fingerprint of a copy of the package, however installed and whatever its line ends are.

    It is over the sources by their names: of CODE, and nothing but those.
    """
    sources = {path.relative_to(package).as_posix(): path for path in _sources(package)}
    content = hashlib.sha256()
    for name in sorted(sources):
        text = sources[name].read_bytes().replace(b"\r\n", b"\n")
        content.update(f"{name} {len(text)}\n".encode() + text)
    return content.hexdigest()


def _sources(package: Path) -> Iterator[Path]:
    for part in CODE:
        path = package / part
        yield from path.rglob("*.py") if path.is_dir() else [path]
