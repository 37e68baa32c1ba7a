"""Experiment files: YAML 1.2, strict, every error one line that names file, line and key."""

from gdcurves.config.classes import ClassConfig
from gdcurves.config.document import Document, load, load_text
from gdcurves.config.experiment import ExperimentConfig
from gdcurves.config.models import FitterConfig, RunConfig
from gdcurves.config.shipped import find
from gdcurves.config.strict import StrictModel

__all__ = [
    "ClassConfig",
    "Document",
    "ExperimentConfig",
    "FitterConfig",
    "RunConfig",
    "StrictModel",
    "find",
    "load",
    "load_text",
]
