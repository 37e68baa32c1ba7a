"""What the keys of a model mean: the attributes in its docstring, also for its JSON schema."""

from __future__ import annotations

import inspect
import re
from typing import Any

from pydantic import BaseModel

_SECTION = re.compile(r"\n*^Attributes\n-+\n", re.MULTILINE)
_ENTRY = re.compile(r"\n(?=\S)")


def text(model: type[BaseModel]) -> str:
    """Return the docstring of a model without its attributes; paragraphs stay apart."""
    return _SECTION.split(inspect.cleandoc(model.__doc__ or ""))[0]


def meanings(model: type[BaseModel]) -> dict[str, str]:
    """Return what its fields mean, in a line each, by name.

    They are the attributes in the docstrings of the model and of those that it is made from; where
    several share an entry they have the same text.
    """
    meaning_of: dict[str, str] = {}
    for each in reversed(model.__mro__):
        _, *sections = _SECTION.split(inspect.cleandoc(each.__dict__.get("__doc__") or ""))
        for entry in _ENTRY.split(sections[0]) if sections else ():
            names, _, meaning = entry.partition("\n")
            meaning_of |= dict.fromkeys(names.split(", "), " ".join(meaning.split()))
    return {name: meaning_of[name] for name in model.model_fields if name in meaning_of}


def describe(model: type[BaseModel], schema: dict[str, Any]) -> None:
    """Put them into the JSON schema of a model."""
    if model.__doc__:
        schema["description"] = text(model)
    for name, meaning in meanings(model).items():
        if name in schema.get("properties", {}):
            schema["properties"][name].setdefault("description", meaning)
