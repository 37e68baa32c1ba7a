"""Laws with known distributions, by name or by parameters, and data sets drawn from them."""

from gdcurves.simulators.base import Law
from gdcurves.simulators.bernoulli import Bernoulli
from gdcurves.simulators.gaussian import Gaussian
from gdcurves.simulators.laws import LAWS
from gdcurves.simulators.named import NAMED
from gdcurves.simulators.simulation import SimulationConfig, as_mapping

__all__ = ["LAWS", "NAMED", "Bernoulli", "Gaussian", "Law", "SimulationConfig", "as_mapping"]
