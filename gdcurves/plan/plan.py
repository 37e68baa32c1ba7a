"""From a checked config to what is to be computed: experiments, fitters, sizes, chunks."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from os.path import exists, isdir, isfile
from types import MappingProxyType

from gdcurves.config import Document, ExperimentConfig, FitterConfig, RunConfig
from gdcurves.config.reading import IN_MEMORY, STANDARD_INPUT, decimal_of, is_name
from gdcurves.config.sizes import FORESEEN
from gdcurves.datasets import CATALOGUE, Request, scheme
from gdcurves.datasets.raw import Raw
from gdcurves.datasets.request import labels_like_gaps
from gdcurves.datasets.sources.files import path_of
from gdcurves.datasets.sources.one_file import PIPE
from gdcurves.errors import MisfitError, UserError
from gdcurves.fitters import REGISTRY
from gdcurves.plan import families, needs
from gdcurves.plan.experiment import Experiment, NamedFitter
from gdcurves.plugins import package_of
from gdcurves.problems.problem import Problem
from gdcurves.problems.series import Series
from gdcurves.scoring.measures import MEASURES, check_main
from gdcurves.simulators import SimulationConfig, as_mapping
from gdcurves.store import sums
from gdcurves.store.chunk import Chunk
from gdcurves.words import suggest

# Splits that one task computes, unless the config has a key for it. Part of the random number
# scheme: sampled fits of a chunk share a generator, so the numbers of a run depend on it, and on
# nothing about workers or memory.
CHUNK_SPLITS = 100


@dataclass(frozen=True)
class Plan:
    """All that a run computes.

    Attributes
    ----------
    config
        The config as it is run, options of the command line included.
    experiments
        In the config's order.
    notes, holds_if
        What was noted of the data when the config was drafted, see `Provenance`; none of a file.
    """

    config: RunConfig
    experiments: tuple[Experiment, ...]
    notes: tuple[str, ...] = ()
    holds_if: tuple[str, ...] = ()

    @property
    def packages(self) -> tuple[str, ...]:
        """Packages of others whose code computes rules, each once."""
        fitters = (each.fitter for one in self.experiments for each in one.fitters)
        names = {name for each in fitters for name in each.packages}
        measures = [MEASURES[name] for name in self.config.measures]
        laws = [one.simulation.law for one in self.experiments if one.simulation is not None]
        others = {package_of(each) for each in (*measures, *laws)} - {None}
        return tuple(sorted({*names, *map(str, others)}))

    @cached_property
    def chunks(self) -> Mapping[str, tuple[Chunk, ...]]:
        """What is computed at a time, by experiment; all have the same numbers of splits."""
        length = self.config.chunk or CHUNK_SPLITS
        n = max((max(each.n_splits) for each in self.experiments), default=0)
        return {
            each.name: tuple(
                Chunk(each.name, start, min(start + length, n)) for start in range(0, n, length)
            )
            for each in self.experiments
        }

    def n_blocks(self, experiment: Experiment, problem: Problem | Series) -> int:
        """How many units, or blocks of units, of an experiment sums are kept for; 0 for none."""
        if self.config.interval != "rows" or isinstance(problem, Series):
            return 0
        n_compared = math.comb(len(experiment.fitters) + 1, 2)  # pairs, and each alone
        n_keys = len(experiment.sizes) * len(self.config.measures) * n_compared
        n_chunks = sum(map(len, self.chunks.values()))
        return sums.n_blocks(problem.units.n, n_keys, n_chunks)


def make(
    document: Document,
    only: Sequence[str] = (),
    splits: int | None = None,
    measure: str | None = None,
    target_error: float | None = None,
    more_rows: int | None = None,
    allowed: Collection[str] = (),
    held: Mapping[str, Raw] = MappingProxyType({}),
) -> Plan:
    """Check a config against the registries and apply the command line's options.

    Parameters
    ----------
    document
        The config.
    only
        Names of the experiments to keep; all if empty.
    splits
        Replaces the config's number of splits.
    measure, target_error, more_rows
        Replace the config's main measure, the error that is to be reached, and the number of rows
        of which it is told what so many more bring.
    allowed
        Packages beside scikit-learn whose classifiers a config may name.
    held
        Tables in memory, by the names that the config calls them.

    Raises
    ------
    UserError
        For an unknown experiment, data set, measure, fitter type or option, a main measure that is
        not measured or may be infinite, a target of what is not measured, more rows than curves are
        foreseen for, a fitter that cannot take an experiment's inputs, and a size that no version
        of the data set can hold.
    """
    config = document.config
    families.check_only(config, only)
    if splits is not None:
        config = config.model_copy(update={"splits": splits, "more_splits": ()})
    for index, name in enumerate(config.measures):
        if name not in MEASURES:
            raise UserError(
                f"{document.locate('measures', index)}: no measure '{name}';"
                f" {suggest(name, MEASURES)}"
            )
    config = _with_main(document, config, measure)
    config = _with_target(document, config, target_error)
    fitters = [_fitter(document, i, each, allowed) for i, each in enumerate(config.fitters)]
    experiments = tuple(
        each
        for i, written in enumerate(config.experiments)
        if not only or {written.name, *families.names(written)} & {*only}
        for each in _experiments(document, config, i, fitters, held)
        if not only or {written.name, each.name} & {*only}
    )
    config = _with_more(document, config, experiments, more_rows)
    resolved = config.model_copy(
        update={
            "experiments": tuple(each.config for each in experiments),
            "fitters": tuple(
                each.model_copy(update=named.fitter.model_dump())
                for each, named in zip(
                    families.with_members(config.fitters, config.experiments), fitters, strict=True
                )
            ),
        }
    )
    return Plan(resolved, experiments)


def _with_main(document: Document, config: RunConfig, measure: str | None) -> RunConfig:
    """Check the main measure of a config, or set it."""
    name = config.measure if measure is None else measure
    if name is None:
        return config
    try:
        check_main(name, config.measures)
    except UserError as error:
        at = document.locate("measure") if measure is None else "--measure"
        raise UserError(f"{at}: {error}") from None
    return config.model_copy(update={"measure": name})


def _with_target(document: Document, config: RunConfig, target: float | None) -> RunConfig:
    """Set the error that is to be reached, where an option names one; it must be measured."""
    if target is not None:
        config = config.model_copy(update={"target_error": target})
    if config.target_error is not None and "error" not in config.measures:
        at = document.locate("target_error") if target is None else "--target-error"
        raise UserError(f"{at}: 'error' is not among the 'measures'; add it there")
    return config


def _with_more(
    document: Document, config: RunConfig, experiments: Sequence[Experiment], more: int | None
) -> RunConfig:
    """Set how many more rows are asked about, where an option does; not beyond what is measured."""
    if more is not None:
        config = config.model_copy(update={"more_rows": more})
    for each in experiments:
        most = (FORESEEN - 1) * max(each.sizes)
        if (config.more_rows or 0) > most:
            at = document.locate("more_rows") if more is None else f"--more-rows {more}"
            raise UserError(
                f"{at}: the sizes of {each.name} go up to {max(each.sizes):,}, and nothing is"
                f" foreseen beyond {FORESEEN} times that; write {most:,} at most"
            )
    return config


def _fitter(
    document: Document, index: int, config: FitterConfig, allowed: Collection[str]
) -> NamedFitter:
    if config.type not in REGISTRY:
        raise UserError(
            f"{document.locate('fitters', index, 'type')}: no fitter type '{config.type}';"
            f" {suggest(config.type, REGISTRY)}"
        )
    beside = list(FitterConfig.model_fields)
    fitter = document.parse(REGISTRY[config.type], config.options, "fitters", index, also=beside)
    try:
        fitter.ready(allowed)
    except MisfitError as error:
        raise UserError(f"{document.locate('fitters', index, *error.keys)}: {error}") from None
    return NamedFitter(config.name, fitter)


def _experiments(
    document: Document,
    run: RunConfig,
    index: int,
    fitters: Sequence[NamedFitter],
    held: Mapping[str, Raw],
) -> Iterator[Experiment]:
    """Yield the one at `index` of the file, or all those that it stands for."""
    config = run.experiments[index]
    simulation = _simulation(document, config, "experiments", index)
    if simulation is None:
        yield _experiment(document, run, index, fitters, config, None, held)
        return
    for member, law in families.members(document, config, simulation, index):
        yield _experiment(document, run, index, fitters, member, law, held)


def _experiment(
    document: Document,
    run: RunConfig,
    index: int,
    fitters: Sequence[NamedFitter],
    config: ExperimentConfig,
    simulation: SimulationConfig | None,
    held: Mapping[str, Raw],
) -> Experiment:
    here = ("experiments", index)
    written_name = run.experiments[index].name
    request = None
    inputs: str | None = config.inputs
    if simulation is None:
        request = _request(document, config, document.locate(*here, "data"), held)
    else:
        inputs = simulation.kinds
    chosen = []
    for i, (fitter_config, named) in enumerate(zip(document.config.fitters, fitters, strict=True)):
        if not fitter_config.runs_on(written_name, inputs):
            continue
        if not needs.takes(named.fitter.needed, inputs):
            possible = named.fitter.needed.possible_kinds
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
    sizes = _sizes(document, config, simulation, *here)
    if config.sizes is not None:
        config = config.model_copy(update={"sizes": sizes})
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
        document,
        written_name,
    )
    if config.data in CATALOGUE and not config.groups:
        try:
            experiment.check_sizes(CATALOGUE[str(config.data)].n_rows)
        except MisfitError as error:
            raise experiment.placed(error) from None
    return experiment


def _sizes(
    document: Document,
    config: ExperimentConfig,
    simulation: SimulationConfig | None,
    *here: str | int,
) -> tuple[int, ...]:
    if config.sizes is not None:
        return families.sizes_of(document, config.sizes, simulation, (*here, "sizes"))
    assert document.config.sizes is not None, "checked by RunConfig"
    return families.sizes_of(document, document.config.sizes, simulation, ("sizes",))


def _simulation(
    document: Document, config: ExperimentConfig, *here: str | int
) -> SimulationConfig | None:
    if config.simulate is None:
        return None
    named = as_mapping(config.simulate)
    return document.parse(SimulationConfig, named, *here, "simulate")


def _request(
    document: Document, config: ExperimentConfig, location: str, held: Mapping[str, Raw]
) -> Request:
    """Where the data are: a file is looked for beside the config, then in the current folder."""
    data = str(config.data)
    if data.startswith(IN_MEMORY):
        if data not in held:
            raise UserError(f"{location}: '{data}' was a table in memory; write it into a file")
    elif is_name(data):
        if data not in CATALOGUE:
            is_folder = isdir(document.path.parent / data) or isdir(data)  # a name of any length
            advice = f"for the folder write {data}/" if is_folder else suggest(data, CATALOGUE)
            raise UserError(
                f"{location}: no data set '{data}' (a file is named with its ending, such as"
                f" {data}.csv); {advice}"
            )
    elif scheme(data) is None and data != STANDARD_INPUT:
        written = path_of(data)
        beside = document.path.parent / written
        path = next((each for each in (beside, written) if exists(each)), None)
        if path is None:
            raise UserError(f"{location}: no file '{data}', neither beside the config nor here")
        if not isfile(path) and not isdir(path):  # a run reads its data more than once
            raise UserError(f"{location}: {PIPE}")
        data = f"{path}/" if is_name(str(path)) else str(path)  # a folder, not a name
    return Request(
        data,
        config.target,
        config.continuous,
        config.discrete,
        config.drop,
        config.missing_texts,
        config.threshold not in (None, "none"),
        config.groups,
        decimal=decimal_of(config.decimal, config.thousands),
        encoding=config.encoding,
        sheet=config.sheet,
        no_header=config.no_header,
        held=held.get(data),
        labels=labels_like_gaps(config.classes),
    )
