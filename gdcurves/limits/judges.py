"""Which judge a law has, and what cannot be judged under it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from gdcurves.errors import MisfitError, UserError
from gdcurves.limits.by_cells import ByCells
from gdcurves.limits.by_normals import ByNormals
from gdcurves.limits.by_rows import ByRows
from gdcurves.limits.judge import Judge
from gdcurves.limits.spread import InBlocks, Matrices
from gdcurves.plan.experiment import Experiment
from gdcurves.scoring.measures import MEASURES, SumMeasure
from gdcurves.simulators import Bernoulli, Blocks, Cells, Gaussian, Law, Poisson, SimulationConfig
from gdcurves.simulators.bernoulli import MOST_ENUMERATED

INSTEAD = "leave out 'test: law' and write 'draw: each' for test rows"


def judge(simulation: SimulationConfig) -> Judge:
    """Make what judges rules under a law; raises UserError where nothing can."""
    law = simulation.law
    if type(law) not in JUDGES:
        raise UserError("errors under such a law are not known")
    return JUDGES[type(law)](law, simulation)


def check(experiments: Iterable[Experiment], measures: Iterable[str]) -> None:
    """Refuse experiments that are to be judged by their law and cannot be; raises UserError."""
    for experiment in experiments:
        simulation = experiment.simulation
        if simulation is None or not simulation.exact:
            continue
        try:
            made = judge(simulation)
        except UserError as error:
            wrong = MisfitError(f"{error}; {INSTEAD}", "simulate", "test")
            raise experiment.placed(wrong) from None
        for each in experiment.fitters:
            if isinstance(made, ByNormals) and not each.fitter.linear:
                message = f"rules of '{each.name}' are not judged exactly by normal classes"
                wrong = MisfitError(f"{message}; leave it out, or {INSTEAD}", "simulate", "test")
                raise experiment.placed(wrong)
        for name in measures:
            known = isinstance(MEASURES[name], SumMeasure)
            if not known or (made.measures is not None and name not in made.measures):
                message = f"the measure '{name}' is not known exactly under this law"
                wrong = MisfitError(f"{message}; leave it out, or {INSTEAD}", "simulate", "test")
                raise experiment.placed(wrong)


def _of_gaussian(law: Gaussian, simulation: SimulationConfig) -> Judge:
    if law.n_classes > 2:
        raise UserError(f"errors under {law.n_classes} normal classes are not known exactly")
    means, covariances = law.moments()
    return ByNormals(means, Matrices(covariances), simulation.shares)


def _of_bits(law: Bernoulli | Blocks, simulation: SimulationConfig) -> Judge:
    if len(law.features) <= MOST_ENUMERATED:
        return _of_cells(law, simulation)
    return ByRows(simulation, np.zeros((0, 0, len(law.features)), dtype=np.int32))


def _of_cells(law: Bernoulli | Blocks | Cells | Poisson, simulation: SimulationConfig) -> Judge:
    x, mass = law.cells()
    return ByCells.of_table(x, mass, law.levels, simulation.shares)


def _of_blocks(law: Blocks, simulation: SimulationConfig) -> Judge:
    if 0 not in law.levels:
        return _of_bits(law, simulation)
    if any(law.levels):
        raise UserError("errors under a law of both normal features and bits are not known exactly")
    return ByNormals(law.means, InBlocks(law), simulation.shares)


JUDGES: dict[type[Law], Callable[[Any, SimulationConfig], Judge]] = {
    Gaussian: _of_gaussian,
    Bernoulli: _of_bits,
    Cells: _of_cells,
    Poisson: _of_cells,
    Blocks: _of_blocks,
}
