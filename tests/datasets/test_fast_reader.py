"""The fast reader of delimited text beside the careful one."""

from __future__ import annotations

import broken_csv
import pytest

FOUND = (2835, 20028, 20042, 477, 200195, 1012415, 1026314, 1028284)
"""Files that the readers once took differently."""


@pytest.mark.slow
def test_both_readers_make_the_same_of_broken_files() -> None:
    """Also of their rows and columns: each has its place; 50,000 more are a part of `make soak`."""
    for seed in (*FOUND, *range(500)):
        few = seed < 200
        for people, ends, extra in {
            (False, False, False), (few, False, False), (False, few, False), (False, False, few),
        }:  # fmt: skip
            if (found := broken_csv.difference(seed, people, ends, extra)) is None:
                continue
            content, fast, careful = found
            pytest.fail(f"seed {seed}: {content!r}\nfast: {fast}\ncareful: {careful}")


def test_numbers_too_large_are_no_units() -> None:
    """As one reader has them as infinite numbers, the other one as texts."""
    assert broken_csv.difference(1265509322, people=True) is None
