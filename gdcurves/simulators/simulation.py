"""What stands under an experiment's key `simulate`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

import numpy as np
from pydantic import Field, GetPydanticSchema, Tag, create_model, model_validator

from gdcurves.arrays import FloatArray
from gdcurves.config import StrictModel
from gdcurves.config.classes import Label
from gdcurves.config.reading import Inputs
from gdcurves.config.shapes import LIST, NUMBER, by_shape
from gdcurves.config.strict import AS_WHOLE, NOT_EMPTY, wrong
from gdcurves.simulators.base import Law, WithShares
from gdcurves.simulators.blocks import MOST_FEATURES, Blocks
from gdcurves.simulators.laws import LAWS
from gdcurves.simulators.named import NAMED
from gdcurves.words import counted, suggest

_Count = Annotated[int, Field(ge=1, le=10_000_000), AS_WHOLE]
_Rows = Annotated[
    Annotated[_Count, Tag(NUMBER)] | Annotated[tuple[_Count, ...], Field(strict=False), Tag(LIST)],
    by_shape("a whole number of rows, or a list with one number for each class"),
]
_Number = Annotated[int, Field(ge=1, le=MOST_FEATURES), AS_WHOLE]
_AsWritten = Annotated[
    Annotated[_Number, Tag(NUMBER)]
    | Annotated[tuple[_Number, ...], Field(strict=False), NOT_EMPTY, Tag(LIST)],
    by_shape("a number of features, or a list of such numbers, an experiment for each"),
]
_Features = Annotated[
    int | tuple[int, ...],
    GetPydanticSchema(lambda _source, handler: handler.generate_schema(_AsWritten)),
]


def _numbered(given: Mapping[str, Any]) -> tuple[str, ...]:
    """Names of the classes where none are given; none where no law can be told."""
    laws = _laws(given)
    return tuple(str(k + 1) for k in range(laws[0].n_classes)) if len(laws) == 1 else ()


def _drawing(given: dict[str, Any]) -> Literal["once", "each"]:
    """Rules that are judged under the law need training rows alone, new ones for each split."""
    return "once" if given.get("test") is None else "each"


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
        Rows of a data set: in all, the same number of each class, or a list of each class's. They
        say how frequent the classes are, unless the law does.
    classes
        Names of the classes; 1, 2, ... unless given.
    n
        Number of features of a law in `blocks`; a list makes an experiment for each.
    test
        `law`: rules are judged under the law itself and not by test rows; training rows are drawn
        anew for each split.
    draw
        Whether one data set is drawn, which all splits divide, or a new one for each split.
    """

    rows: _Rows = 1000
    classes: Annotated[tuple[Label, ...], Field(strict=False)] = Field(default_factory=_numbered)
    n: _Features | None = None
    test: Literal["law"] | None = None
    draw: Literal["once", "each"] = Field(default_factory=_drawing)

    @cached_property
    def law(self) -> Law:
        """The law that is named or written; of a family the largest one."""
        (law,) = _laws(dict(self))
        if isinstance(law, Blocks):
            return law.of(max(self.n) if isinstance(self.n, tuple) else self.n)
        return law

    @property
    def family(self) -> tuple[SimulationConfig, ...]:
        """The same with each number of features of a list; itself where there is none."""
        if not isinstance(self.n, tuple):
            return (self,)
        written = self.model_dump(exclude_none=True)
        return tuple(SimulationConfig.model_validate({**written, "n": n}) for n in self.n)

    @property
    def exact(self) -> bool:
        """Whether rules are judged under the law itself."""
        return self.test == "law"

    @property
    def shares(self) -> FloatArray:
        """Probabilities of the classes, shape (K,)."""
        if self._shares is not None:
            return np.array(self._shares)
        rows = np.array(self.rows_per_class, dtype=float)
        return np.asarray(rows / rows.sum())

    @property
    def _shares(self) -> tuple[float, ...] | None:
        """Those that the law has itself."""
        law = self.law
        return law.shares if isinstance(law, WithShares) else None

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
        if self._shares is not None:
            return _apportioned(self.rows, self._shares)
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
        self._check_features()
        if self.exact and self.draw == "once":
            raise wrong("'test: law' needs new rows for each split; leave this out", "draw")
        K = self.law.n_classes
        if isinstance(self.rows, tuple):
            if self._shares is not None:
                raise wrong("the law has the classes' probabilities; write one number", "rows")
            if len(self.rows) != K:
                raise wrong(
                    f"found {counted(len(self.rows), 'number')}; write {K}, one for each class",
                    "rows",
                )
        elif self._shares is None and self.rows % K:
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

    def _check_features(self) -> None:
        """Refuse a number of features that does not fit the law, or that is missing."""
        (law,) = _laws(dict(self))
        if not isinstance(law, Blocks):
            if self.n is not None:
                raise wrong("only a law in 'blocks' has it; leave this out", "n")
            return
        if self.n is None and law.has_parts:
            raise wrong("this key is missing, as blocks are parts of it; add it", "n")
        numbers = self.n if isinstance(self.n, tuple) else (self.n,)
        for index, n in enumerate(numbers):
            at = ("n", index) if isinstance(self.n, tuple) else ("n",)
            if n in numbers[:index]:
                raise wrong(f"{n} stands here already; name it once", *at)
            try:
                law.of(n)
            except ValueError as error:
                raise wrong(f"{error}; write another number, or other blocks", *at) from None


def _apportioned(rows: int, shares: tuple[float, ...]) -> tuple[int, ...]:
    """Rows of each class by their probabilities, one at least; the largest remainders are up."""
    wanted = np.array(shares) * rows
    counts = np.maximum(np.floor(wanted).astype(int), 1)
    left = rows - int(counts.sum())
    counts[np.argsort(counts - wanted, kind="stable")[: max(left, 0)]] += 1
    return tuple(counts.tolist())


def as_mapping(written: str | Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a `simulate` value as the mapping that it stands for: a bare text is a law's name."""
    return {"name": written} if isinstance(written, str) else written
