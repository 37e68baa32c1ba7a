"""What an experiment file may hold."""

from __future__ import annotations

import difflib
from typing import Annotated, Any, Literal, Self

from pydantic import ConfigDict, Field, model_validator

from gdcurves.config.experiment import ExperimentConfig
from gdcurves.config.naming import Name, check_names
from gdcurves.config.reading import Inputs
from gdcurves.config.sizes import Sizes, SizesOfLaw, TimesN
from gdcurves.config.strict import AS_WHOLE, NOT_EMPTY, StrictModel, wrong
from gdcurves.words import suggest

MOST_SPLITS = 10_000_000


class FitterConfig(StrictModel):
    """One classifier: its type, its name in results, and the options of that type.

    Attributes
    ----------
    type
        One of the types that `gdcurves fitters` lists.
    name
        What results call it; the type unless given. A letter, then letters a-z, digits and
        `-_.+`, at most 60 in all.
    inputs
        To run only in the experiments with these inputs; in all unless given.
    experiments
        To run only in the experiments of these names; in all unless given.
    """

    model_config = ConfigDict(extra="allow")

    type: str
    name: Name = Field(default_factory=lambda given: str(given.get("type", "")))
    inputs: Inputs | None = None
    experiments: Annotated[tuple[str, ...], Field(strict=False), NOT_EMPTY] | None = None

    def runs_on(self, experiment: str, inputs: str | None) -> bool:
        """Whether it is asked to run on an experiment of this name with these inputs."""
        return self.inputs in (None, inputs) and (
            self.experiments is None or experiment in self.experiments
        )

    @model_validator(mode="before")
    @classmethod
    def _has_type(cls, value: Any) -> Any:
        if isinstance(value, dict) and "type" not in value:
            close = difflib.get_close_matches("type", value, n=1)
            advice = f"is it '{close[0]}' that stands for it?" if close else "add it"
            raise wrong(f"this key is missing; {advice}", "type")
        return value

    @property
    def options(self) -> dict[str, Any]:
        """All other keys, for the fitter type to check."""
        return dict(self.model_extra or {})


Splits = Annotated[int, Field(ge=1, le=MOST_SPLITS), AS_WHOLE]


class MoreSplits(StrictModel):
    """A number of splits of its own for some of the sizes.

    Attributes
    ----------
    sizes
        Which of them.
    splits
        Random splits at each of these.
    """

    sizes: Sizes
    splits: Splits


class RunConfig(StrictModel):
    """A whole experiment file.

    `model_dump(mode="json")` writes it back as a file would hold it, all defaults filled in.

    Attributes
    ----------
    splits
        Random splits into training and test rows at every size; `--splits` overrides it and
        `more_splits`.
    seed
        What all random draws derive from.
    sizes
        Training sizes m: a list, or `{start, stop, step}` with the stop included and a step of 1
        unless given; for all experiments that have none of their own.
    more_splits
        Other numbers of splits at some sizes: a list of `{sizes: [100, 200], splits: 2000}`.
    experiments
        What is run: data sets, or laws to draw them from.
    fitters
        The classifiers; every one runs on every experiment that has its kind of inputs.
    measures
        What is counted of every rule on its test rows, by the names of the measures.
    interval
        What tells how sure differences are for other data of this kind. `rows`: for each row, or
        each of up to 1000 random blocks of rows where there are many, sums over the splits are kept
        beside the raw rows (at most 200 MB a run), from which intervals are read. `splits`: nothing
        more is kept.
    measure
        The one of the `measures` that decides which classifier is better, and that figures show:
        `error` unless given or, where that is not among them, the first that is always finite.
        Curves of `logloss`, which may be infinite, are drawn but not compared. `--measure NAME`
        overrides it, and shows a finished run by another one.
    target_error
        The error for which it is told how many training rows would bring it (outlook.csv);
        `--target-error E` overrides it.
    more_rows
        The number of training rows, or groups of them, of which the answer and outlook.csv say what
        so many more would bring, in place of twice as many; three times the largest size at most.
        `--more-rows N` overrides it.
    chunk
        Splits that are computed and stored at a time; 100 unless given. Fits that draw at random
        share a generator in them, so it is a part of the numbers.
    figure
        What `gdcurves plot` draws. `learning_curves`; `difference`: paired differences with the
        intervals of comparisons.csv; `ng_jordan`, or `xue_titterington`: the figures of these
        papers, of the latter medians of error and log loss side by side; `complexity`: rows needed
        against the number of features; `theory`: curves with their limits and bounds. `gdcurves
        plot --figure NAME` draws a run with another one.
    """

    splits: Splits = 1000
    seed: Annotated[int, Field(ge=0), AS_WHOLE] = 0
    sizes: SizesOfLaw | None = None
    more_splits: Annotated[tuple[MoreSplits, ...], Field(strict=False)] = ()
    experiments: Annotated[tuple[ExperimentConfig, ...], Field(strict=False), NOT_EMPTY]
    fitters: Annotated[tuple[FitterConfig, ...], Field(strict=False), NOT_EMPTY]
    measures: Annotated[tuple[str, ...], Field(strict=False), NOT_EMPTY] = ("error", "logloss")
    interval: Literal["splits", "rows"] = "splits"
    measure: str | None = None
    target_error: Annotated[float, Field(gt=0, lt=1)] | None = None
    more_rows: Annotated[int, Field(ge=1), AS_WHOLE] | None = None
    chunk: Splits | None = None
    figure: str = "learning_curves"

    def splits_at(self, m: int) -> int:
        """Number of splits at a size."""
        return next((each.splits for each in self.more_splits if m in each.sizes), self.splits)

    @model_validator(mode="after")
    def _complete(self) -> Self:
        check_names("experiments", (each.name for each in self.experiments))
        check_names("fitters", (each.name for each in self.fitters))
        known = [each.name for each in self.experiments]
        for index, fitter in enumerate(self.fitters):
            for name in fitter.experiments or ():
                if name not in known:
                    message = f"no experiment '{name}'; {suggest(name, known)}"
                    raise wrong(message, "fitters", index, "experiments")
        for index, name in enumerate(self.measures):
            if name in self.measures[:index]:
                raise wrong(f"'{name}' stands here already; name it once", "measures", index)
        for index, experiment in enumerate(self.experiments):
            if experiment.sizes is None and self.sizes is None:
                message = "this key is missing; add it here, or for all at the top of the file"
                raise wrong(message, "experiments", index, "sizes")
        written = [each.sizes or self.sizes or () for each in self.experiments]
        used = {m for each in written if not isinstance(each, TimesN) for m in each}
        all_known = not any(isinstance(each, TimesN) for each in written)
        seen: set[int] = set()
        for index, more in enumerate(self.more_splits):
            for m in more.sizes:
                if all_known and m not in used:
                    message = f"no experiment has the size {m}; write sizes that one has"
                    raise wrong(message, "more_splits", index, "sizes")
                if m in seen:
                    message = f"the size {m} has its splits already; name it once"
                    raise wrong(message, "more_splits", index, "sizes")
                seen.add(m)
        return self
