"""Numbers of things, in words."""

from __future__ import annotations


def counted(n: int, noun: str) -> str:
    """Return a number with its noun: "1 class", "2 classes", "1,000 rows"."""
    ending = "" if n == 1 else "es" if noun.endswith("s") else "s"
    return f"{n:,} {noun}{ending}"
