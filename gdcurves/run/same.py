"""What may not change when a run is gone on with: its config, its data, what computes it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from gdcurves.compute.versions import COMPUTING, LIBRARIES
from gdcurves.errors import UserError

DRAWN = (
    "figure",
    "measure",
    "target_error",
    "more_rows",
)  # keys that decide what tables and figures show, and no raw row
_ADVICE = "use --fresh to begin anew, or choose another folder with --out"


def check(
    earlier: Mapping[str, Any],
    now: Mapping[str, Any],
    data: Mapping[str, Mapping[str, Any]],
) -> None:
    """Refuse to go on with a run of another config, other data, or other code or versions.

    Parameters
    ----------
    earlier
        The manifest of the run.
    now
        What `of_run` says of the run that is to go on with it.
    data
        What `of_data` says of the data of its experiments.

    Raises
    ------
    UserError
        With a list of what has changed, by name; or if the run is of an earlier result format.
    """
    number = earlier["schema_version"]
    if number != now["schema_version"]:
        raise UserError(
            f"--resume: the run of {earlier['name']!r} is of schema version {number}, and this"
            f" version of gdcurves goes on with {now['schema_version']} alone; {_ADVICE}"
        )
    changed = list(_changes(earlier, now))
    for name, each in data.items():
        # An experiment that had no data has no rows that others could be mixed with.
        before = earlier["experiments"].get(name, {}).get("sha256") or each["sha256"]
        changed += _differences(before, each["sha256"], f"sha256 of the data of {name}")
    if changed:
        raise UserError(
            f"--resume: the run of {earlier['name']!r} is another one: {'; '.join(changed)};"
            f" take back the changes, {_ADVICE}"
        )


def goes_on(earlier: Mapping[str, Any], now: Mapping[str, Any]) -> bool:
    """Whether a run may go on with an earlier one, as far as can be told without its data."""
    same = earlier["schema_version"] == now["schema_version"]
    return same and not any(_changes(earlier, now))


def _changes(earlier: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    before, after = _compared(earlier), _compared(now)
    # How many splits are computed at a time may follow from the rest: it is named if it is alone.
    rest = [*_differences({**before, "chunk": None}, {**after, "chunk": None})]
    yield from rest or _differences(before, after)
    if earlier.get("code_sha256") != now["code_sha256"]:
        yield "gdcurves' own code has changed since"


def _compared(manifest: Mapping[str, Any]) -> dict[str, Any]:
    recorded = manifest.get("versions", {})
    of_fitters = [name for name in recorded if name not in ("python", *LIBRARIES)]
    return {
        "gdcurves": manifest.get("gdcurves"),
        **{library: recorded.get(library) for library in (*COMPUTING, *of_fitters)},
        **{key: each for key, each in manifest["config"].items() if key not in DRAWN},
    }


def _differences(before: Any, after: Any, at: str = "") -> Iterator[str]:
    """Say what has changed, under the names that a file gives it; lists of numbers are one value.

    What has come or gone in a list of mappings is named together. The order of classes, and that of
    what a law is written with, is a part of them.
    """
    if before == after and json.dumps(before) == json.dumps(after):
        return
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        for key in dict.fromkeys((*after, *before)):
            below = f"{at}.{key}" if at else str(key)
            yield from _differences(before.get(key), after.get(key), below)
        if _ORDERED.search(at) and before.keys() == after.keys() and [*before] != [*after]:
            yield f"order of {at} was {_shown([*before])}, is {_shown([*after])}"
    elif _mappings(before) and _mappings(after):
        old, new = _by_name(before), _by_name(after)
        come = [name for name in new if name not in old]
        gone = [name for name in old if name not in new]
        for names, what in ((come, "new"), (gone, "gone")):
            if names:
                yield f"{what} in {at}: {', '.join(names)}"
        both = [name for name in new if name in old]
        for name in both:
            yield from _differences(old[name], new[name], f"{at}[{name}]")
        order = [name for name in old if name in new]
        yield from _differences(order, both, f"order of {at}")
    else:
        yield f"{at} was {_shown(before)}, is {_shown(after)}"


# The first class wins ties, and rows are drawn class by class and feature by feature.
_ORDERED = re.compile(r"\.(classes|simulate)\b")


def _mappings(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(each, Mapping) for each in value)


def _by_name(items: list[dict[str, Any]]) -> dict[str, Any]:
    """Items of a list by their names, or else their positions."""
    return {str(each.get("name", i)): each for i, each in enumerate(items)}


def _shown(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    text = "not there" if value is None else text
    return text if len(text) <= 80 else f"{text[:77]}..."
