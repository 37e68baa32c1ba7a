"""The format of results folders: its number, its history, and which numbers are still read.

manifest.json has the number as `schema_version`. A new one is due when a reader of yesterday would
misread what is written today, or one of today lacks something in what was written yesterday.

5   comparisons.csv and outlook.csv; crossings.csv may say better_from, and its `rows_for_verdict`
    counts rows beyond those that there are.
4   manifest.json has `code_sha256`, the fingerprint of the code that computes rows, and for each
    experiment `origin`, where its data come from in one word.
3   crossings.csv tells what more rows would change: `rows`, `rows_for_verdict`, `m_ahead`,
    `m_ahead_low`, `m_ahead_high`.
2   A run can be gone on with: journal.jsonl, and how many splits of each experiment are done.
1   The first.

Folders of numbers 3 and 4 are shown as those of 5 are, with what they have; `--resume` refuses
them. Those of 1 and 2 lack what `status` and `crossings` tell from, and are refused.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from gdcurves.errors import UserError

NUMBER = 5
READ = (5, 4, 3)
ROWS_BEYOND = 5  # the first whose `rows_for_verdict` leaves out the rows that there are
FRESH = "run the experiment again, with --fresh"  # advice where nothing can be gone on with


def checked(path: Path, manifest: Any) -> dict[str, Any]:
    """Return the content of a manifest.json; raises UserError for a number that is not read."""
    number = manifest.get("schema_version") if isinstance(manifest, dict) else None
    if isinstance(manifest, dict) and number in READ:
        return manifest
    read = f"schema version {', '.join(map(str, READ[:-1]))} or {READ[-1]}"
    if not isinstance(number, int):
        raise UserError(
            f"{path}: not a manifest of {read}, which this version of gdcurves reads; {FRESH}"
        )
    advice = f"update gdcurves, or {FRESH}" if number > NUMBER else FRESH
    raise UserError(
        f"{path}: of schema version {number}, and this version of gdcurves reads {read}; {advice}"
    )
