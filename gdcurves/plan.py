"""From a checked config to what is to be computed: experiments, fitters, sizes, chunks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from gdcurves.config import Document, ExperimentConfig, FitterConfig, RunConfig, suggest
from gdcurves.config.reading import form
from gdcurves.datasets import CATALOGUE, Request
from gdcurves.errors import UserError
from gdcurves.fitters import REGISTRY, Fitter
from gdcurves.problem import Problem
from gdcurves.simulated import Series
from gdcurves.simulators import SimulationConfig, as_mapping
from gdcurves.types import IntArray

# Splits that one task computes. Part of the random number scheme: sampled fits of a chunk share a
# generator, so the numbers of a run depend on it, and on nothing about workers or memory.
CHUNK_SPLITS = 100


@dataclass(frozen=True)
class NamedFitter:
    """A fitter under the name that results call it by."""

    name: str
    fitter: Fitter


@dataclass(frozen=True)
class Experiment:
    """One experiment of a plan.

    Attributes
    ----------
    config
        As in the file.
    simulation
        The law that its data sets are drawn from; None where they are read.
    request
        Where its data are and how to read them; None where they are drawn.
    sizes
        Training sizes m, increasing.
    n_splits
        Number of splits at each of them.
    fitters
        Those that run on it, in the config's order.
    place, classes_place
        Where the file says so, and where it names the classes, for messages.
    size_places
        The same for each size.
    """

    config: ExperimentConfig
    simulation: SimulationConfig | None
    request: Request | None
    sizes: tuple[int, ...]
    n_splits: tuple[int, ...]
    fitters: tuple[NamedFitter, ...]
    place: str
    classes_place: str
    size_places: tuple[str, ...]

    @property
    def name(self) -> str:
        """The experiment's name."""
        return self.config.name

    def check_sizes(self, n_rows: int) -> None:
        """Refuse sizes that leave no test row; raises UserError."""
        for m, place in zip(self.sizes, self.size_places, strict=True):
            if m > n_rows - 1:
                raise UserError(
                    f"{place}: size {m} is too large: data set {self.config.data!r} has {n_rows}"
                    f" rows for {self.name}, and at least one is for testing; write"
                    f" {n_rows - 1} or less"
                )

    def check_problem(self, problem: Problem | Series) -> None:
        """Refuse what the data rule out: sizes, and options of fitters; raises UserError."""
        if self.config.stratified:
            self._check_strata(np.bincount(problem.y), problem.classes)
        self.check_sizes(len(problem.y))
        kinds = {"discrete" if n > 0 else "continuous" for n in problem.levels or (0,)}
        for each in self.fitters:
            if not kinds <= each.fitter.inputs:
                possible = " or ".join(sorted(each.fitter.inputs))
                raise UserError(
                    f"{self.place}: fitter '{each.name}' takes {possible} inputs, and {self.name}"
                    f" has {' and '.join(sorted(kinds))} ones; add 'inputs: {possible}' to the"
                    " experiment or to the fitter"
                )
            try:
                each.fitter.check(problem.features)
            except UserError as error:
                raise UserError(f"{self.place}: fitter '{each.name}': {error}") from None

    def _check_strata(self, rows: IntArray, classes: Sequence[str]) -> None:
        """Refuse sizes that give a class no training row, or more than it has."""
        for m, place in zip(self.sizes, self.size_places, strict=True):
            each = m // len(rows)
            if not 1 <= each <= rows.min():
                few = int(rows.argmin())
                raise UserError(
                    f"{place}: size {m} means {each} training rows of each of {len(rows)} classes,"
                    f" and class '{classes[few]}' of {self.name} has {rows[few]}; write a size from"
                    f" {len(rows)} to {len(rows) * rows.min() + len(rows) - 1}"
                )


@dataclass(frozen=True)
class Plan:
    """All that a run computes.

    Attributes
    ----------
    config
        The config as it is run, options of the command line included.
    experiments
        In the config's order.
    """

    config: RunConfig
    experiments: tuple[Experiment, ...]

    @property
    def chunks(self) -> tuple[range, ...]:
        """Ranges of split numbers, the same for every experiment."""
        n = max((max(each.n_splits) for each in self.experiments), default=0)
        return tuple(range(a, min(a + CHUNK_SPLITS, n)) for a in range(0, n, CHUNK_SPLITS))


def make(document: Document, only: Sequence[str] = (), splits: int | None = None) -> Plan:
    """Check a config against the registries and apply the command line's options.

    Parameters
    ----------
    document
        The config.
    only
        Names of the experiments to keep; all if empty.
    splits
        Replaces the config's number of splits.

    Raises
    ------
    UserError
        For an unknown experiment, data set, fitter type or option, a fitter that cannot take an
        experiment's inputs, and a size that no version of the data set can hold.
    """
    config = document.config
    names = [each.name for each in config.experiments]
    for name in only:
        if name not in names:
            raise UserError(f"--only {name}: no such experiment; {suggest(name, names)}")
    if splits is not None:
        config = config.model_copy(update={"splits": splits, "more_splits": ()})
    fitters = [_fitter(document, i, each) for i, each in enumerate(config.fitters)]
    experiments = tuple(
        _experiment(document, config, i, fitters)
        for i, each in enumerate(config.experiments)
        if not only or each.name in only
    )
    resolved = config.model_copy(
        update={
            "experiments": tuple(each.config for each in experiments),
            "fitters": tuple(
                each.model_copy(update=named.fitter.model_dump())
                for each, named in zip(config.fitters, fitters, strict=True)
            ),
        }
    )
    return Plan(resolved, experiments)


def _fitter(document: Document, index: int, config: FitterConfig) -> NamedFitter:
    if config.type not in REGISTRY:
        raise UserError(
            f"{document.locate('fitters', index, 'type')}: no fitter type '{config.type}';"
            f" {suggest(config.type, REGISTRY)}"
        )
    beside = list(FitterConfig.model_fields)
    fitter = document.parse(REGISTRY[config.type], config.options, "fitters", index, also=beside)
    return NamedFitter(config.name, fitter)


def _experiment(
    document: Document, run: RunConfig, index: int, fitters: Sequence[NamedFitter]
) -> Experiment:
    config = run.experiments[index]
    here = ("experiments", index)
    simulation = _simulation(document, config, *here)
    request = None
    inputs: str | None = config.inputs
    if simulation is None:
        request = _request(document, config, document.locate(*here, "data"))
    else:
        inputs = simulation.law.kind
    chosen = []
    for i, (fitter_config, named) in enumerate(zip(document.config.fitters, fitters, strict=True)):
        if fitter_config.inputs not in (None, inputs):
            continue
        if inputs != "all" and inputs not in named.fitter.inputs:
            possible = " or ".join(sorted(named.fitter.inputs))
            raise UserError(
                f"{document.locate('fitters', i)}: fitter '{named.name}' takes {possible} inputs,"
                f" and experiment {config.name} has {inputs} ones; add 'inputs: {possible}'"
                " to the fitter, so that it runs where it can"
            )
        chosen.append(named)
    if not chosen:
        raise UserError(
            f"{document.locate(*here)}: no fitter takes the {inputs} inputs of"
            f" {config.name}; add one under 'fitters'"
        )
    own = config.sizes is not None
    sizes = config.sizes if own else document.config.sizes
    assert sizes is not None, "checked by RunConfig"
    at = (*here, "sizes") if own else ("sizes",)
    ranged = (*at, "stop") in document.lines
    places = tuple(document.locate(*at, "stop" if ranged else j) for j in range(len(sizes)))
    target = "threshold" if config.classes is None and config.threshold is not None else "classes"
    if simulation is not None:
        written = simulation.model_dump(mode="json", exclude_none=True)
        config = config.model_copy(update={"simulate": written})
    experiment = Experiment(
        config,
        simulation,
        request,
        sizes,
        tuple(map(run.splits_at, sizes)),
        tuple(chosen),
        document.locate(*here),
        document.locate(*here, target),
        places,
    )
    if config.data in CATALOGUE:
        experiment.check_sizes(CATALOGUE[str(config.data)].n_rows)
    return experiment


def _simulation(
    document: Document, config: ExperimentConfig, *here: str | int
) -> SimulationConfig | None:
    if config.simulate is None:
        return None
    named = as_mapping(config.simulate)
    return document.parse(SimulationConfig, named, *here, "simulate")


def _request(document: Document, config: ExperimentConfig, place: str) -> Request:
    """Where the data are: a file is looked for beside the config, then in the current folder."""
    data = str(config.data)
    match form(data):
        case "catalogue" if data not in CATALOGUE:
            raise UserError(
                f"{place}: no data set '{data}'; {suggest(data, CATALOGUE)}; a file is named with"
                f" its ending, such as {data}.csv"
            )
        case "file":
            written = Path(data).expanduser()
            beside = document.path.parent / written
            found = next((each for each in (beside, written) if each.exists()), None)
            if found is None:
                raise UserError(f"{place}: no file '{data}', neither beside the config nor here")
            data = str(found)
    return Request(
        data,
        config.target,
        config.continuous,
        config.discrete,
        config.drop,
        config.missing_texts,
        config.threshold is not None,
    )
