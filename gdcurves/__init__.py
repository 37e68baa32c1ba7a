"""Learning curves of generative and discriminative classifiers.

The tree follows the data. A package imports only from those above it in this list, and from the
three at its top; `make lint` sees to that.

    errors words arrays   the one user error; counting and suggesting; names of array types
    plugins               what other packages bring to a registry
    config                what a user writes, checked, with its lines
    units                 rows, or groups of rows that stay together
    splits                seeds, and training sets drawn from them  units
    logistic              the limit of a conditional likelihood: maximum, or a draw from a cone
    published             the papers' values, and how ours compare
    datasets              any source -> a table                         config
    fitters               classifiers: training sets -> rules           config, logistic
    simulators            laws -> data sets                             config, datasets
    problems              a table or a law -> numbers and classes       datasets, simulators, splits
    scoring               rules -> what is counted of them              fitters, problems
    store                 what a results folder holds                   config, scoring
    plan                  a config -> what is to be computed            fitters, problems, store
    limits                a law -> errors under it, limits of curves    plan, scoring, store
    theory                a law, or data -> what the papers prove       limits, plan, store
    compute               who computes it: processes, or a cluster      limits, plan, scoring, store
    curves                raw rows -> learning curves                   store
    trends                a curve -> how it goes on
    crossings             raw rows -> which curve is lower, and where   store, trends, published
    complexity            rows needed to come near a limit              crossings, limits, store
    plots, report         tables -> pictures, words                     curves, crossings, store
    run                   one run, start to end                         plan, compute, tables, store
    page                  runs -> one HTML file                         plots, report, run
    cli                   the command line                              all
    notebook, sklearn     functions and classes for those who program   all but cli

`learning_curves`, `load` and `LearningCurves` are those of `gdcurves.notebook`, which is imported
when one of them is asked for.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gdcurves.notebook import LearningCurves, learning_curves, load

__all__ = ["LearningCurves", "__version__", "learning_curves", "load"]
__version__ = "0.2.0"


def __getattr__(name: str) -> Any:
    """Import what is slow to import when it is asked for."""
    if name.startswith("_") or name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module("gdcurves.notebook"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
