"""The JSON schema of configs, by an independent validator."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import jsonschema_specifications
import pytest
from conftest import ROOT, Call
from everything import VALUES, WAYS, put, said, source

from gdcurves.cli.schema import schema
from gdcurves.config.source import read_file

VALIDATOR = jsonschema.Draft202012Validator(schema())
VOCABULARIES = ("core", "applicator", "unevaluated", "validation", "meta-data", "content")


def test_it_is_what_the_command_prints(call: Call) -> None:
    assert json.loads(call("config", "schema").out) == schema()


def keywords(part: Any) -> Iterator[str]:
    """Keywords of a schema and of those in it."""
    for word, value in part.items():
        yield word
        if word in ("properties", "$defs"):
            inner = list(value.values())
        elif word in ("anyOf", "oneOf", "allOf", "prefixItems"):
            inner = value
        else:
            inner = [value] if word in ("items", "additionalProperties") else []
        for each in inner:
            yield from keywords(each) if isinstance(each, dict) else ()


def test_every_keyword_is_one_of_the_draft() -> None:
    """Editors pass over a word that they do not know, such as `ge`."""
    jsonschema.Draft202012Validator.check_schema(schema())
    registry = jsonschema_specifications.REGISTRY
    known: set[str] = set()
    for name in VOCABULARIES:
        meta = registry.contents(f"https://json-schema.org/draft/2020-12/meta/{name}")
        known |= meta["properties"].keys()
    assert set(keywords(schema())) <= known


@pytest.mark.parametrize("path", sorted((ROOT / "configs").glob("*.yaml")), ids=lambda p: p.stem)
def test_the_shipped_configs_are_valid(path: Path) -> None:
    VALIDATOR.validate(read_file(path).data)


@pytest.mark.slow
def test_what_may_be_written_is_valid() -> None:
    """Of all values in all places, those that the package takes."""
    n_taken = 0
    for way in WAYS:
        for value in VALUES:
            data = put(way, value)
            if not said(data):
                n_taken += 1
                VALIDATOR.validate(data)
    assert n_taken > 200


@pytest.mark.slow
@pytest.mark.parametrize(
    ("way", "value"),
    [
        (("spilts",), 5),
        (("splits",), 0),
        (("splits",), "many"),
        (("seed",), -1),
        (("sizes", 0), 1),
        (("sizes",), []),
        (("figure",), "pie"),
        (("experiments",), []),
        (("experiments", 0, "name"), "a b"),
        (("experiments", 0, "missing"), "men"),
        (("experiments", 0, "inputs"), "none"),
        (("experiments", 0, "sizes", "step"), 0),
        (("experiments", 3, "simulate"), "ce_dia"),
        (("experiments", 3, "simulate", "rows"), 0),
        (("experiments", 4, "simulate", "bernoulli", 0, "x"), 1.5),
        (("fitters", 0, "type"), "naive_bays"),
        (("fitters", 0, "laplce"), 1),
        (("fitters", 0, "laplace"), "many"),
        (("fitters", 0, "ddof"), -1),
        (("fitters", 2, "trajectories"), 1),
        (("fitters", 3, "blocks"), []),
    ],
)
def test_mistakes_are_not(way: tuple[str | int, ...], value: object) -> None:
    assert VALIDATOR.is_valid(source().data)
    assert not VALIDATOR.is_valid(put(way, value))
