"""The laws that can be written by their parameters, by their key under `simulate:` in a config."""

from __future__ import annotations

from gdcurves.plugins import Registry
from gdcurves.simulators.base import Law
from gdcurves.simulators.bernoulli import Bernoulli
from gdcurves.simulators.gaussian import Gaussian

LAWS: Registry[type[Law]] = Registry(
    "laws",
    "Law",
    lambda each: isinstance(each, type) and hasattr(each, "model_fields"),
    {
        "gaussian": Gaussian,
        "bernoulli": Bernoulli,
    },
)
