"""All that a run says of its fitters and of how they compare, from its raw rows."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gdcurves import published
from gdcurves.crossings import comparisons, evidence, outlook, paired, table, values
from gdcurves.crossings.comparisons import Comparison, Pair
from gdcurves.crossings.evidence import Evidence
from gdcurves.crossings.paired import Paired
from gdcurves.crossings.useful import Against, beats_base_rate
from gdcurves.fitters.majority import base_rate, guessing
from gdcurves.scoring.measures import MEASURES, main, of_config
from gdcurves.store import contents

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Answers:
    """Tables as in the files of these names; None where a folder lacks one of them.

    `values` are those of `gdcurves.crossings.values`, which curves.csv takes in; None where nothing
    is known of rows, and for tables that are read. `unmade` says which could not be made, and why.
    """

    comparisons: pd.DataFrame | None
    crossings: pd.DataFrame | None
    outlook: pd.DataFrame | None
    values: pd.DataFrame | None = None
    unmade: tuple[str, ...] = ()

    @classmethod
    def of_chunks(
        cls,
        experiment: str,
        paths: Sequence[Path],
        config: Mapping[str, Any],
        data: Mapping[str, Any],
    ) -> Answers:
        """Compute those of an experiment.

        Parameters
        ----------
        experiment
            Its name.
        paths
            The files of its chunks, at least one.
        config
            The config of the run, as the manifest has it.
        data
            What the manifest says of its data: `groups`, `rows_used` and `classes` are read.
        """
        own = next(each for each in config["experiments"] if each["name"] == experiment)
        measures, measure = of_config(config), main(config)
        fitters = [each["name"] for each in config["fitters"]]
        read = paired.read(paths, fitters, measures, data.get("groups"))
        known = evidence.of_chunks(paths, config, own)
        compared = comparisons.of_pairs(read, known)
        unmade: list[str] = []

        def made(name: str, make: Callable[[], pd.DataFrame | None]) -> pd.DataFrame | None:
            try:
                return make()
            except Exception as error:  # whatever it is, it costs this table alone
                unmade.append(why_unmade(name, error))
                return None

        def crossings() -> pd.DataFrame:
            if measure.infinite:
                return table.empty()
            complete = read[measure.name].complete()
            theirs = None
            if measure.name == "error":
                theirs = published.same_classifiers(
                    config["figure"], experiment, own["inputs"], complete.fitters
                )
            return table.table(experiment, measure, complete, compared, config["seed"], theirs)

        def foreseen() -> pd.DataFrame:
            target, more = config.get("target_error"), config.get("more_rows")
            guesses = guessing(config)
            unproven = _unproven(read, compared, known, guesses, data)
            return outlook.table(experiment, read, known, target, more, guesses, unproven)

        return cls(
            made(contents.COMPARISONS, lambda: comparisons.table(experiment, compared)),
            made(contents.CROSSINGS, crossings),
            made(contents.OUTLOOK, foreseen),
            made(contents.CURVES, lambda: values.table(read, known)) if known.of_units else None,
            tuple(unmade),
        )


def _unproven(
    read: Mapping[str, Paired],
    compared: Mapping[Pair, Sequence[Comparison]],
    known: Evidence,
    guesses: Collection[str],
    data: Mapping[str, Any],
) -> set[tuple[str, str]]:
    """Measures and fitters that are not shown to be better than those that guess, at the last m."""
    found = set()
    for (measure, a, b), sizes in compared.items():
        if (a in guesses) == (b in guesses):
            continue
        fitter = b if a in guesses else a
        better = bool(sizes) and sizes[-1].better == fitter
        if measure == "error" and sizes and data.get("classes"):
            last, which = sizes[-1], read[measure]
            to_end = last.high - last.difference if fitter == a else last.difference - last.low
            guess = Against(values.at_last(which, b if fitter == a else a), to_end, better)
            error = values.at_last(which, fitter)
            half = values.half_width(MEASURES[measure], which, *values.last(which, fitter), known)
            n_units = data.get("groups") or data["rows_used"]
            better = beats_base_rate(error, half, base_rate(data["classes"]), n_units, guess)
        if not better:
            found.add((measure, fitter))
    return found


def why_unmade(name: str, error: Exception) -> str:
    """Say that a table cannot be made from the raw rows, in one line."""
    what = ": ".join(filter(None, (type(error).__name__, " ".join(str(error).split()))))
    return f"{name} cannot be made from the raw rows ({what}); they are kept, --resume tries again"
