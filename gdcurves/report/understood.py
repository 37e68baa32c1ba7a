"""The data of a run as they were understood, from its manifest alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from gdcurves.words import counted

if TYPE_CHECKING:
    from gdcurves.store.files import Run

MOST = 200  # names that are listed
RULES = {
    "drop_rows": "their rows are left out",
    "level": "they are a level of their own",
    "mean": "the mean of the training rows stands for them",
    "error": "there are none",
}
RESCALED = {
    "dataset": "to 0 to 1 over all rows used",
    "train": "to 0 to 1 over the rows of each training set",
    "none": "not at all",
}


def understood(run: Run, name: str) -> Iterator[tuple[str, str]]:
    """What an experiment's data were taken for: terms with what is said of each."""
    entry, config = run.manifest["experiments"][name], _config(run, name)
    yield "source", str(entry.get("source", "not read"))
    if config.get("target"):
        yield "target", _target(config["target"], entry.get("threshold"))
    if entry.get("classes"):
        counts = (f"{label} {n:,}" for label, n in entry["classes"].items())
        yield "classes", f"{_some([*counts])} rows"
    if "n_features" in entry:
        yield "inputs", _inputs(entry["n_features"], config.get("inputs", "all"))
    for kind in ("continuous", "discrete"):
        if config.get(kind):
            yield kind, _some(config[kind])
    if entry.get("groups") is not None:
        where = f", by {_some(config['groups'])}" if config.get("groups") else ""
        yield "groups", f"{counted(entry['groups'], 'group')} of rows that stay together{where}"
    if isinstance(config.get("missing"), dict):
        rules = (f"{kind}: {RULES[rule]}" for kind, rule in config["missing"].items())
        yield "missing values", "; ".join(rules)
    if config.get("rescale") in RESCALED:
        yield "numbers rescaled", RESCALED[config["rescale"]]
    if n := entry.get("cells_filled"):
        yield "filled in", f"{counted(n, 'missing value')}, kept as a level or filled in"
    if entry.get("sha256"):
        yield "sha256", entry["sha256"]
    if "columns_dropped" in entry:
        dropped = entry["columns_dropped"]
        yield "columns left out", _some(dropped) if dropped else "none"


def notes(run: Run) -> list[str]:
    """What of a run's data may have been misunderstood, the most harmful first."""
    entries = run.manifest["experiments"].values()
    return [*dict.fromkeys(note for each in entries for note in each.get("notes") or ())]


def _config(run: Run, name: str) -> dict[str, Any]:
    """What the config says of an experiment."""
    experiments = run.manifest["config"].get("experiments", ())
    return next((each for each in experiments if each["name"] == name), {})


def _target(column: str, threshold: float | None) -> str:
    return column if threshold is None else f"{column}, cut at {threshold:g}"


def _inputs(n: int, kinds: str) -> str:
    return f"{n:,}" if kinds == "all" else f"{n:,}, all {kinds}"


def _some(names: Sequence[str]) -> str:
    """Names with commas; a few of very many."""
    more = len(names) - MOST
    return ", ".join([*names[:MOST], *[f"{more:,} more"] * (more > 0)])
