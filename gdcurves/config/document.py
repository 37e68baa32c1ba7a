"""A config file, checked, with the lines that messages point at."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from gdcurves.config.explain import explain
from gdcurves.config.models import RunConfig
from gdcurves.config.shapes import SHAPES
from gdcurves.config.source import Key, Source, read_file, read_text
from gdcurves.errors import UserError
from gdcurves.words import counted

Model = TypeVar("Model", bound=BaseModel)


@dataclass(frozen=True)
class Document(Source):
    """A config file: its content as written, as lines, and as a checked `RunConfig`."""

    config: RunConfig

    def parse(
        self, model: type[Model], value: Mapping[str, Any], *keys: Key, also: Iterable[str] = ()
    ) -> Model:
        """Check a part of the file.

        Parameters
        ----------
        model
            What the part must be.
        value
            The part.
        keys
            The way to it from the top of the file: "fitters", 2.
        also
            Keys that stand beside `value` in the file, to be named when one of them is mistyped.

        Raises
        ------
        UserError
            If it is not: file, line and key, what was found and what to write instead.
        """
        return _parse(self, model, value, keys, also)


def load(path: Path) -> Document:
    """Read and check a config file.

    Raises
    ------
    UserError
        If the file cannot be read or is wrong in any way.
    """
    return _checked(read_file(path))


def load_text(text: str, path: Path) -> Document:
    """Check the text of a config that stands in no file; messages call it `path`."""
    return _checked(read_text(text, path))


def _checked(source: Source) -> Document:
    config = _parse(source, RunConfig, source.data, (), ())
    return Document(source.path, source.data, source.lines, config)


def _parse(
    source: Source,
    model: type[Model],
    value: Mapping[str, Any],
    keys: tuple[Key, ...],
    also: Iterable[str],
) -> Model:
    try:
        return model.model_validate(value)
    except ValidationError as error:
        mistakes = [
            (_way(keys, details), details)
            for details in error.errors(include_url=False)
            if details["type"] != "default_factory_not_called"  # follows from another error
        ]
    mistakes.sort(key=lambda mistake: source.line(*mistake[0]))
    way, details = mistakes[0]
    known = [*also, *model.model_fields]
    message = f"{source.locate(*way)}: {explain(details, str(way[-1]) if way else '', known)}"
    if len(mistakes) > 1:
        message += f" ({counted(len(mistakes) - 1, 'more mistake')} after it)"
    raise UserError(message)


def _way(keys: tuple[Key, ...], details: ErrorDetails) -> tuple[Key, ...]:
    """Return the way to the wrong key, without the names of pydantic's branches."""
    inner = [key for key in details["loc"] if key not in SHAPES]
    return (*keys, *inner, *details.get("ctx", {}).get("at", ()))
