"""Wrong values in every place of a config: each is told in plain words, with its place."""

from __future__ import annotations

import re

import pytest
from everything import VALUES, WAYS, put, said, source

from gdcurves.config.source import Key

PLAIN = re.compile(r"$|c\.yaml:\d+: [a-z].*(write|choose|add|leave|did you mean|give)", re.DOTALL)
PYDANTIC = re.compile(r"\b(Input|Tuple|List|Value error|should|valid|None)\b")


@pytest.mark.slow
@pytest.mark.parametrize("top", sorted({way[:2] for way in WAYS}, key=str), ids=str)
def test_wrong_values_are_told_in_plain_words(top: tuple[Key, ...]) -> None:
    assert not said(source().data)
    for way in (each for each in WAYS if each[:2] == top):
        for value in VALUES:
            message = said(put(way, value))
            assert PLAIN.match(message), f"{way} = {value!r}: {message}"
            assert not PYDANTIC.search(message), f"{way} = {value!r}: {message}"
