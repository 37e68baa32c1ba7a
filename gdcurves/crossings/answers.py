"""All that a run says of its fitters and of how they compare, from its raw rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gdcurves import published
from gdcurves.crossings import comparisons, evidence, outlook, paired, table, values
from gdcurves.scoring.measures import main, of_config

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Answers:
    """Tables as in the files of these names; None where a folder lacks one of them.

    `values` are those of `gdcurves.crossings.values`, which curves.csv takes in; None where nothing
    is known of rows, and for tables that are read.
    """

    comparisons: pd.DataFrame | None
    crossings: pd.DataFrame | None
    outlook: pd.DataFrame | None
    values: pd.DataFrame | None = None

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
        measures = of_config(config)
        read = paired.read(paths, [each["name"] for each in config["fitters"]], measures, n_groups)
        known = evidence.of_chunks(paths, config, own)
        compared = comparisons.of_pairs(read, known)
        compare = comparisons.table(experiment, compared)
        beyond = outlook.table(experiment, read, known, config.get("target_error"))
        alone = values.table(read, known) if isinstance(known, evidence.UnitByUnit) else None
        measure = main(config)
        if measure.infinite:
            return cls(compare, table.empty(), beyond, alone)
        complete = read[measure.name].complete()
        theirs = None
        if measure.name == "error":
            theirs = published.same_classifiers(
                config["figure"], experiment, own["inputs"], complete.fitters
            )
        crossings = table.table(experiment, measure, complete, compared, config["seed"], theirs)
        return cls(compare, crossings, beyond, alone)
