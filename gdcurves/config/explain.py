"""What a wrong value is, and what to write instead, in words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pydantic_core import ErrorDetails

from gdcurves.words import suggest

_LONGEST = 40  # characters of a value that are shown

# What to write, by the type of pydantic's error; braces take values from its context.
_EXPECTED = {
    "bool_type": "true or false",
    "dict_type": "a mapping (key: value)",
    "finite_number": "a finite number",
    "float_type": "a number",
    "greater_than": "more than {gt}",
    "greater_than_equal": "{ge} or more",
    "int_parsing": "a whole number",
    "int_parsing_size": "a smaller number",
    "int_type": "a whole number",
    "less_than": "less than {lt}",
    "less_than_equal": "{le} or less",
    "literal_error": "{expected}",
    "model_type": "a mapping (key: value)",
    "string_type": "text (in quotes)",
    "tuple_type": "a list",
}


def explain(details: ErrorDetails, key: str = "", known: Iterable[str] = ()) -> str:
    """Say what is wrong and what to do.

    Parameters
    ----------
    details
        Of pydantic's error.
    key
        The key that is wrong.
    known
        The keys that may stand in the outermost mapping.
    """
    context = details.get("ctx", {})
    match details["type"]:
        case "unknown_key":
            inner = context["known"] if details["loc"] else known
            return f"unknown key; {suggest(key, inner)}"
        case "extra_forbidden":
            return f"unknown key; {suggest(key, known)}"
        case "missing":
            return "this key is missing; add it"
        case "unlike":
            return f"found {shown(details['input'])}; write {details['msg']}"
        case kind if kind in _EXPECTED:
            numbers = {name: f"{v:g}" for name, v in context.items() if isinstance(v, float)}
            expected = _EXPECTED[kind].format(**(context | numbers))
            return f"found {shown(details['input'])}; write {expected}"
        case _:
            return details["msg"].removeprefix("Value error, ")


def shown(value: Any) -> str:
    """Spell a value as a message shows it: a text in quotes, and no more of it than tells it."""
    match value:
        case None:
            return "nothing"
        case bool():
            return "true" if value else "false"
        case str():
            line = " ".join(value.split())
            return f"'{line if len(line) <= _LONGEST else line[: _LONGEST - 3] + '...'}'"
        case list() | tuple():
            return "a list"
        case dict():
            return "a mapping"
        case _:
            return str(value)
