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
        What results call it; the type unless given.
    inputs
        Only the experiments with these inputs; all unless given.
    experiments
        Only the experiments of these names; all unless given.
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
    """A number of splits of its own for some of the sizes."""

    sizes: Sizes
    splits: Splits


class RunConfig(StrictModel):
    """A whole experiment file.

    `model_dump(mode="json")` writes it back as a file would hold it, all defaults filled in.

    Attributes
    ----------
    splits
        Random splits into training and test rows at every size.
    seed
        What all random draws derive from.
    sizes
        Training set sizes m of the experiments that name none.
    more_splits
        Other numbers of splits at some sizes.
    experiments, fitters
        What is run; every fitter on every experiment with its kind of inputs.
    measures
        What is counted of every fitted rule, by the names that `gdcurves.scoring.measures` has.
    interval
        What tells how sure differences are for other data: the splits alone, or sums that are kept
        for every row, see `gdcurves.crossings.interval`.
    measure
        The one of them by which classifiers are compared, and that figures show; `error` unless
        given, or the first that is always finite where that is not among them.
    target_error
        The error for which it is told how many training rows would bring it.
    more_rows
        The number of training rows, or groups of them, of which it is told what so many more would
        bring.
    chunk
        Splits that are computed and stored at a time. Fits that draw at random share a generator
        in them, so it is a part of the numbers. None: as many as in the configs that are shipped.
    figure
        Which figure `gdcurves plot` draws of the results.
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
