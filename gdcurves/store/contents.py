"""What a results folder holds: every name that gdcurves writes there, once.

Who clears or checks a folder goes by this list, so a new file is known to all when it stands here.
The journal is appended to; every other file is written under a temporary name, flushed and
renamed: whatever is there is whole.
"""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase

MANIFEST = "manifest.json"
CURVES = "curves.csv"
CROSSINGS = "crossings.csv"
COMPARISONS = "comparisons.csv"
OUTLOOK = "outlook.csv"
LIMITS = "limits.csv"
COMPLEXITY = "complexity.csv"
THEORY = "theory.csv"
PUBLISHED = "published.csv"
SPLITS = "splits"
REPORT = "report.html"
JOURNAL = "journal.jsonl"
JOURNALS = "journal.*.jsonl"  # of parts of a run
LOCK = ".lock"
LOCKS = ".lock.*"
DATA = ".data"
PARTS = ".*.part"


@dataclass(frozen=True)
class Item:
    """A file or folder in a results folder, or several whose names are alike.

    Attributes
    ----------
    pattern
        The name, with * for any characters.
    what
        What is in it.
    of_run
        Whether it belongs to the run and goes with it. What does not may be there before a run.
    """

    pattern: str
    what: str
    of_run: bool = True


# In the order in which a run is removed. Its manifest goes last: until then the folder is known as
# one of results.
CONTENTS = (
    Item(
        SPLITS,
        "raw rows: for every experiment a file for each chunk of splits, or two with sums for rows",
    ),
    Item(CURVES, "one row per experiment, fitter and m"),
    Item(COMPARISONS, "every two fitters at every m by every measure, and which is better"),
    Item(CROSSINGS, "where the curves of two fitters cross, and which is better"),
    Item(OUTLOOK, "what every fitter reaches at its largest m, and would with more rows"),
    Item(COMPLEXITY, "how many training rows every fitter needs to come near its limit"),
    Item(PUBLISHED, "points beside published ones, where there are any"),
    Item("figure*.png", "what `plot` draws"),
    Item("figure*.pdf", "what `plot` draws"),
    Item("figure*.svg", "what `plot` draws"),
    Item(REPORT, "what `report` writes"),
    Item(DATA, "what workers read, while a run goes on"),
    Item(PARTS, "a file that was not whole yet when its process was killed"),
    Item(JOURNALS, "the same of a part of the run, which `--shard` computed"),
    Item(JOURNAL, "which chunks are done or failed"),
    Item(MANIFEST, "what was run, from which data, and how far"),
    # Limits and theory are those of laws. Each row names its law by fingerprint and is used for
    # data of that law alone: so they may be computed before a run, and a run of other laws has no
    # use for them.
    Item(LIMITS, "where the curves of simulated data tend to", of_run=False),
    Item(THEORY, "what the papers' theory says of the laws or data", of_run=False),
    Item(LOCK, "whose the folder is, while a run goes on", of_run=False),
    Item(LOCKS, "the same of a part of the run", of_run=False),
    Item(f".{MANIFEST}*.part", "what a run killed at its very beginning leaves", of_run=False),
)


def may_precede(name: str) -> bool:
    """Whether a file of this name may be in a folder that holds no run yet."""
    return any(fnmatchcase(name, item.pattern) for item in CONTENTS if not item.of_run)
