"""Every reader: what is read is what was written, and all of it has its place."""

from __future__ import annotations

import random

import pytest
import readers


@pytest.mark.slow
@pytest.mark.parametrize("reader", readers.READERS)
def test_all_is_accounted_for(reader: str) -> None:
    faults = {seed: readers.fault(reader, seed) for seed in range(25)}
    assert {seed: each for seed, each in faults.items() if each is not None} == {}


@pytest.mark.parametrize(
    ("reader", "seed"),
    [
        ("arff", 93410494),  # an escaped 9
        ("parquet", 1035530641),  # a NaN that signals, which made a warning
        ("arff", 4110603568),  # a code beside a target without a value
        ("openml", 1785996958),  # Parquet with fewer than no rows
    ],
)
def test_what_was_found_before(reader: str, seed: int) -> None:
    """As long as the files of these seeds are drawn as they were."""
    assert readers.fault(reader, seed) is None


@pytest.mark.slow
@pytest.mark.parametrize(
    ("old", "new", "seen"),
    [
        (b"\n0", b"\n\n0", False),  # an empty line is no row
        (b"ja", b"jo", True),
        (b"\n-0", b"\n-1", True),
        (b"\n-0.5", b"", True),
    ],
)
def test_what_is_lost_or_changed_is_seen(
    monkeypatch: pytest.MonkeyPatch, old: bytes, new: bytes, seen: bool
) -> None:
    """The property can fail."""
    text = readers._text

    def changed(drawn: readers.Drawn, rng: random.Random) -> readers.Reading:
        content, read = text(".csv", False, drawn, rng)
        return content.replace(old, new), read

    monkeypatch.setitem(readers.READERS, "changed", changed)
    found = (readers.fault("changed", seed) for seed in range(40))
    assert any(each is not None for each in found) == seen
