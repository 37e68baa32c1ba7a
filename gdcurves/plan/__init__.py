"""What a run computes: a checked config, its experiments, and their data."""

from gdcurves.plan.experiment import Experiment, NamedFitter
from gdcurves.plan.plan import CHUNK_SPLITS, Plan, make

__all__ = ["CHUNK_SPLITS", "Experiment", "NamedFitter", "Plan", "make"]
