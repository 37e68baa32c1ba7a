"""All that a run says of its fitters and of how they compare, from its raw rows."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gdcurves import published
from gdcurves.crossings import comparisons, evidence, outlook, paired, table, values
from gdcurves.crossings.comparisons import Comparison, Pair
from gdcurves.fitters.majority import guessing
from gdcurves.scoring.measures import main, of_config
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
        n_groups: int | None = None,
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
        n_groups
            Groups that its rows stay together in; None where every row is on its own.
        """
        own = next(each for each in config["experiments"] if each["name"] == experiment)
        measures, measure = of_config(config), main(config)
        read = paired.read(paths, [each["name"] for each in config["fitters"]], measures, n_groups)
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
            unproven = _unproven(compared, guesses)
            return outlook.table(experiment, read, known, target, more, guesses, unproven)

        return cls(
            made(contents.COMPARISONS, lambda: comparisons.table(experiment, compared)),
            made(contents.CROSSINGS, crossings),
            made(contents.OUTLOOK, foreseen),
            made(contents.CURVES, lambda: values.table(read, known)) if known.of_units else None,
            tuple(unmade),
        )


def _unproven(
    compared: Mapping[Pair, Sequence[Comparison]], guessing: Collection[str]
) -> set[tuple[str, str]]:
    """Measures and fitters that are not shown to be better than those that guess, at the last m."""
    return {
        (measure, a if b in guessing else b)
        for (measure, a, b), sizes in compared.items()
        if (a in guessing) != (b in guessing)
        if not sizes or sizes[-1].better != (a if b in guessing else b)
    }


def why_unmade(name: str, error: Exception) -> str:
    """Say that a table cannot be made from the raw rows, in one line."""
    what = ": ".join(filter(None, (type(error).__name__, " ".join(str(error).split()))))
    return f"{name} cannot be made from the raw rows ({what}); they are kept, --resume tries again"
