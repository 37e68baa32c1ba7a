"""The configs that come with the package."""

from __future__ import annotations

from pathlib import Path

from gdcurves.errors import UserError
from gdcurves.words import suggest

_PACKAGE = Path(__file__).resolve().parent.parent


def _folder() -> Path:
    """Where the shipped configs are: packed into the package by the build, else beside it."""
    packed = _PACKAGE / "_configs"
    return packed if packed.is_dir() else _PACKAGE.parent / "configs"


def find(name_or_path: str) -> Path:
    """Return the config file that a user names.

    An existing file is taken as it is; a bare name, with or without ".yaml", that is no file here
    is looked up among the shipped configs.

    Raises
    ------
    UserError
        If there is no such file; the message lists the shipped configs.
    """
    path = Path(name_or_path).expanduser()
    if path.exists() and not path.is_dir():
        return path
    shipped = {file.name: file for file in sorted(_folder().glob("*.yaml"))}
    if path.name == name_or_path:
        for name in (name_or_path, f"{name_or_path}.yaml"):
            if name in shipped:
                return shipped[name]
    if path.is_dir():
        raise UserError(f"{path}: this is a folder; name the YAML file in it")
    raise UserError(
        f"{path}: no such file, and no config of this name comes with gdcurves; "
        + suggest(path.name, shipped)
    )
