"""Laws with known distributions, by name or by parameters, and data sets drawn from them."""

from gdcurves.simulators.base import Law
from gdcurves.simulators.bernoulli import Bernoulli
from gdcurves.simulators.blocks import Blocks
from gdcurves.simulators.cells import Cells
from gdcurves.simulators.gaussian import Gaussian
from gdcurves.simulators.laws import LAWS
from gdcurves.simulators.named import NAMED
from gdcurves.simulators.poisson import Poisson
from gdcurves.simulators.simulation import SimulationConfig, as_mapping

__all__ = [
    "LAWS",
    "NAMED",
    "Bernoulli",
    "Blocks",
    "Cells",
    "Gaussian",
    "Law",
    "Poisson",
    "SimulationConfig",
    "as_mapping",
]
