"""Families of laws: an experiment of a file that stands for several, one for each n."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gdcurves.config import Document, ExperimentConfig, FitterConfig, RunConfig
from gdcurves.config.naming import LONGEST_NAME
from gdcurves.config.sizes import TimesN
from gdcurves.errors import MisfitError, UserError
from gdcurves.simulators import SimulationConfig
from gdcurves.words import suggest


def names(config: ExperimentConfig) -> list[str]:
    """Names of the experiments that one of a file stands for: its own, or NAME-n16, NAME-n32."""
    simulate = config.simulate
    numbers = simulate.get("n") if isinstance(simulate, dict) else None
    if not isinstance(numbers, list | tuple):
        return [config.name]
    return [named(config.name, n) for n in numbers]


def named(name: str, n: object) -> str:
    """Name of the member of a family that has n features."""
    return f"{name}-n{n}"


def check_only(config: RunConfig, only: Sequence[str]) -> None:
    """Refuse names that are neither of an experiment of a file nor of a family's member."""
    known = [each.name for each in config.experiments]
    known += [name for each in config.experiments for name in names(each) if name not in known]
    for name in only:
        if name not in known:
            raise UserError(f"--only {name}: no such experiment; {suggest(name, known)}")


def members(
    document: Document, config: ExperimentConfig, simulation: SimulationConfig, index: int
) -> Iterator[tuple[ExperimentConfig, SimulationConfig]]:
    """Yield the experiments that the one at `index` of a file stands for, with their laws.

    Raises UserError for a name that is too long, or of another experiment.
    """
    if not isinstance(simulation.n, tuple):
        yield config, simulation
        return
    others = {each.name for i, each in enumerate(document.config.experiments) if i != index}
    for each in simulation.family:
        name = named(config.name, each.n)
        if name in others or len(name) > LONGEST_NAME:
            at = document.locate("experiments", index, "name")
            why = "is that of another experiment" if name in others else "is too long"
            raise UserError(f"{at}: the name {name} {why}; give this one another name")
        yield config.model_copy(update={"name": name}), each


def sizes_of(
    document: Document,
    sizes: tuple[int, ...] | TimesN,
    simulation: SimulationConfig | None,
    keys: tuple[str | int, ...],
) -> tuple[int, ...]:
    """Sizes as numbers; `keys` is the way to them in the file.

    Raises UserError where they are multiples and there is no n, or do not increase.
    """
    if not isinstance(sizes, TimesN):
        return sizes
    n = None if simulation is None else len(simulation.law.features)
    if n is None:
        raise UserError(
            f"{document.locate(*keys)}: multiples of n are for laws; write a list of sizes"
        )
    try:
        return sizes.of(n)
    except MisfitError as error:
        raise UserError(f"{document.locate(*keys, *error.keys)}: {error}") from None


def with_members(
    fitters: Sequence[FitterConfig], experiments: Sequence[ExperimentConfig]
) -> tuple[FitterConfig, ...]:
    """Fitters whose `experiments` name the members of families, and not the families."""
    of_name = {each.name: names(each) for each in experiments}
    return tuple(
        each
        if each.experiments is None
        else each.model_copy(
            update={"experiments": tuple(one for n in each.experiments for one in of_name[n])}
        )
        for each in fitters
    )
