"""The hybrid of Raina et al.: logistic regression on the log-likelihood ratios of naive Bayes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Any, ClassVar

import numpy as np
from pydantic import BeforeValidator, Field

from gdcurves.arrays import FloatArray
from gdcurves.config.strict import NOT_EMPTY, unlike
from gdcurves.errors import MisfitError, UserError
from gdcurves.fitters.batch import Batch, LinearFit
from gdcurves.fitters.densities import LEAST_OPTION, Densities
from gdcurves.fitters.diagnostics import Diagnostics
from gdcurves.fitters.discriminative import Discriminative
from gdcurves.fitters.generative import Statistics
from gdcurves.fitters.likelihood import Likelihood, combination
from gdcurves.fitters.population import Population
from gdcurves.words import suggest


def _member(value: Any) -> Any:
    """Refuse what neither names nor numbers an input."""
    if isinstance(value, str) or (isinstance(value, int) and not isinstance(value, bool)):
        return value
    raise unlike("the name of an input, or its number from 1")


Member = Annotated[str | int, BeforeValidator(_member)]
Block = Annotated[tuple[Member, ...], Field(strict=False), NOT_EMPTY]


class Hybrid(Densities, Discriminative):
    """Raina, Shen, Ng & McCallum (2003); Xue & Titterington, section 2.3; Fujino et al. for K > 2.

    p(y | x) is proportional to exp(mu_y) prod_r p(x^r | y)^lambda_r, where the inputs are split
    into blocks x^r and p is the fit of naive Bayes (see `Densities`) to the same training set. mu
    and lambda maximise the conditional likelihood; for sets without a maximum see `Discriminative`.
    For two classes this is theta_0 + sum_r theta_r LLR_r, a logistic regression on the blocks'
    log-likelihood ratios.

    Reported as theta: mu_y of every class but the last, less that of the last, then lambda_r.

    With `leave_one_out`, a row whose class would be left with too few rows is left out of the fit
    of theta (`left_out` is their mean number); where that leaves fewer than two classes, the ratios
    are those of the fit to all rows. An input whose variance is zero has no part in theta's fit nor
    in the rule.

    Attributes
    ----------
    blocks
        The inputs of each block by name, or by number from 1: `[[x1, x2], [x3, x4]]`. Unless given
        there are two, the first half of the inputs and the second.
    leave_one_out
        Whether each row's ratios come from densities fitted without it, as Raina et al. do.
    normalised
        Whether lambda is reported times the number of inputs in its block, as in the papers; the
        rules are the same.
    """

    summary: ClassVar[str] = "logistic regression on naive Bayes' log ratios of blocks of inputs"

    laplace: Annotated[float, Field(ge=LEAST_OPTION, allow_inf_nan=False)] = 1.0
    blocks: Annotated[tuple[Block, ...], Field(strict=False), NOT_EMPTY] | None = None
    leave_one_out: bool = False
    normalised: bool = False

    def check(self, input_names: Sequence[str]) -> None:
        """Refuse blocks that are no partition of the inputs; raises MisfitError."""
        self.members(input_names)

    def members(self, input_names: Sequence[str]) -> list[list[int]]:
        """Numbers of the inputs in each block; raises MisfitError where this is no partition."""
        if self.blocks is None:
            half = (len(input_names) + 1) // 2
            parts = [list(range(half)), list(range(half, len(input_names)))]
            return [part for part in parts if part]
        number = {name: i for i, name in enumerate(input_names)}
        members = [[self._number(each, number) for each in block] for block in self.blocks]
        count = Counter(i for block in members for i in block)
        twice = [input_names[i] for i, n in count.items() if n > 1]
        if twice:
            raise MisfitError(f"input '{twice[0]}' stands in blocks twice; name it once", "blocks")
        absent = [name for name, i in number.items() if i not in count]
        if absent:
            raise MisfitError(
                f"input '{absent[0]}' is in no block; every input belongs to one", "blocks"
            )
        return members

    @staticmethod
    def _number(member: str | int, number: dict[str, int]) -> int:
        if isinstance(member, str) and member in number:
            return number[member]
        if isinstance(member, int) and 1 <= member <= len(number):
            return member - 1
        if isinstance(member, int):
            raise MisfitError(f"no input {member}; they have numbers 1 to {len(number)}", "blocks")
        raise MisfitError(f"no input '{member}'; {suggest(member, number)}", "blocks")

    def likelihood(self, batch: Batch) -> Likelihood:
        """Likelihoods of training sets in which every class is present."""
        statistics = Statistics.of(batch)
        terms = self.terms(statistics, batch.origin)
        members = self.members(batch.input_names)
        ratios = np.stack([terms.weights(block) for block in members], axis=2)  # (B, K - 1, R, q)
        values = np.einsum(
            "bmq,bkrq->bmkr", batch.vectors(terms.feature_map), ratios, optimize=True
        )
        diagnostics, counted = Diagnostics(degenerate=terms.degenerate), None
        if self.leave_one_out:
            apart, enough = self.ratios_without_own_row(batch, statistics)
            by_block = np.stack([apart[..., block].sum(axis=3) for block in members], axis=3)
            # With rows of one class only, there is nothing to fit.
            usable = (batch.membership * enough[:, None]).any(axis=2).sum(axis=1) > 1
            values = np.where(usable[:, None, None, None], by_block, values)
            counted = enough | ~usable[:, None]
            diagnostics = Diagnostics(
                degenerate=terms.degenerate | ~usable, left_out=(~counted).sum(axis=1)
            )
        goal = combination(batch.y, values, ratios, self._factors(members), counted)
        return replace(goal, feature_map=terms.feature_map, diagnostics=diagnostics)

    def _factors(self, members: list[list[int]]) -> FloatArray:
        """By what the exponents are multiplied where they are reported, shape (R,)."""
        return np.array([len(block) if self.normalised else 1.0 for block in members])

    def population(self, law: Population) -> LinearFit:
        """Rule and theta for m to infinity."""
        exact = self.model_copy(update={"laplace": 0.0, "ddof": 0})
        terms = exact.terms(law.statistics, np.zeros(len(law.statistics.layout.continuous)))
        if terms.infinite is not None:
            raise UserError("a hybrid has no limit where a probability is 0 or 1")
        members = self.members(law.input_names)
        ratios = np.stack([terms.weights(block)[0] for block in members], axis=1)
        return law.best(ratios, terms.feature_map, self._factors(members))
