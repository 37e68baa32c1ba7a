"""What stands under an experiment's key `simulate`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

from pydantic import Field, Tag, create_model, model_validator

from gdcurves.config import StrictModel
from gdcurves.config.classes import Label
from gdcurves.config.reading import Inputs
from gdcurves.config.shapes import LIST, NUMBER, by_shape
from gdcurves.config.strict import AS_WHOLE, wrong
from gdcurves.simulators.base import Law
from gdcurves.simulators.laws import LAWS
from gdcurves.simulators.named import NAMED
from gdcurves.words import counted, suggest

_Count = Annotated[int, Field(ge=1, le=10_000_000), AS_WHOLE]
_Rows = Annotated[
    Annotated[_Count, Tag(NUMBER)] | Annotated[tuple[_Count, ...], Field(strict=False), Tag(LIST)],
    by_shape("a whole number of rows, or a list with one number for each class"),
]


def _numbered(given: Mapping[str, Any]) -> tuple[str, ...]:
    """Names of the classes where none are given; none where no law can be told."""
    laws = _laws(given)
    return tuple(str(k + 1) for k in range(laws[0].n_classes)) if len(laws) == 1 else ()


def _laws(given: Mapping[str, Any]) -> list[Law]:
    """The laws that are written or named."""
    laws = (NAMED.get(given["name"] or ""), *(given[key] for key in LAWS))
    return [law for law in laws if law is not None]


class _Named(StrictModel):
    name: str | None = None


if TYPE_CHECKING:
    _Written = _Named
else:  # a key for every law
    _Written = create_model(
        "_Written", __base__=_Named, **{key: (law | None, None) for key, law in LAWS.items()}
    )


class SimulationConfig(_Written):
    """Data sets drawn from a law.

    Attributes
    ----------
    name
        One of the laws that come with the package.
    gaussian, bernoulli, ...
        A law by its parameters; exactly one of these keys or `name` is given.
    rows
        Rows of a data set: in all, the same number of each class, or a list of each class's.
    classes
        Names of the classes; 1, 2, ... unless given.
    draw
        Whether one data set is drawn, which all splits divide, or a new one for each split.
    """

    rows: _Rows = 1000
    classes: Annotated[tuple[Label, ...], Field(strict=False)] = Field(default_factory=_numbered)
    draw: Literal["once", "each"] = "once"

    @cached_property
    def law(self) -> Law:
        """The law that is named or written."""
        (law,) = _laws(dict(self))
        return law

    @property
    def called(self) -> str:
        """The law's name, or the key that it is written under."""
        return self.name or next(key for key in LAWS if getattr(self, key) is not None)

    @property
    def kinds(self) -> Inputs:
        """Kinds of the law's features: "all" where there are both."""
        discrete = {n > 0 for n in self.law.levels}
        return "all" if len(discrete) > 1 else "discrete" if True in discrete else "continuous"

    @property
    def rows_per_class(self) -> tuple[int, ...]:
        """Rows of each class in a data set."""
        if isinstance(self.rows, tuple):
            return self.rows
        return (self.rows // self.law.n_classes,) * self.law.n_classes

    @model_validator(mode="after")
    def _check(self) -> Self:
        keys = ("name", *LAWS)
        given = [key for key in keys if getattr(self, key) is not None]
        if len(given) != 1:
            names = " and ".join(given) if given else "none"
            raise wrong(f"found {names} of {', '.join(keys)}; write exactly one of these keys")
        if self.name is not None and self.name not in NAMED:
            raise wrong(f"no law '{self.name}'; {suggest(self.name, NAMED)}", "name")
        K = self.law.n_classes
        if isinstance(self.rows, tuple):
            if len(self.rows) != K:
                raise wrong(
                    f"found {counted(len(self.rows), 'number')}; write {K}, one for each class",
                    "rows",
                )
        elif self.rows % K:
            raise wrong(
                f"found {self.rows}, which {K} classes cannot share evenly; write a multiple of"
                f" {K}, or a list with one number for each class",
                "rows",
            )
        if len(self.classes) != K:
            message = f"found {len(self.classes)} of them; write {K}, one for each class of the law"
            raise wrong(message, "classes")
        for label, count in Counter(self.classes).items():
            if count > 1:
                raise wrong(f"'{label}' stands here {count} times; give each its name", "classes")
        return self


def as_mapping(written: str | Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a `simulate` value as the mapping that it stands for: a bare text is a law's name."""
    return {"name": written} if isinstance(written, str) else written
