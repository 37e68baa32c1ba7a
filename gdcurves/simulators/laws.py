"""The laws that can be written by their parameters, by their key under `simulate:` in a config."""

from __future__ import annotations

from gdcurves.simulators.base import Law
from gdcurves.simulators.bernoulli import Bernoulli
from gdcurves.simulators.gaussian import Gaussian

LAWS: dict[str, type[Law]] = {
    "gaussian": Gaussian,
    "bernoulli": Bernoulli,
}
