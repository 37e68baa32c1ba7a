"""The answer of a run in words, from tables that say what it must be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from quiet import run
from sklearn.metrics import roc_auc_score

from gdcurves import config, plan
from gdcurves.report.answer import Answer, answers
from gdcurves.report.saying import EVEN, lines
from gdcurves.run.reading import read_run
from gdcurves.scoring.measures import MEASURES
from gdcurves.words import spans, spelt

GUESS = "majority"


def answer(
    values: Mapping[str, float],
    verdicts: Mapping[tuple[int, str, str], str],
    guess: float | None = 0.4,
    measure: str = "error",
    base_rate: float | None = None,
) -> Answer:
    """Sizes 10, 20 and 40 of 50 rows; verdicts by size and pair, none unless given."""
    names = [*sorted(values), *([GUESS] if guess is not None else [])]
    known = {**values, **({} if guess is None else {GUESS: guess})}
    lower = MEASURES[measure].better == "lower"

    def difference(m: int, a: str, b: str) -> float:
        """As values have it, but where another is better at a smaller size: 0.1 then."""
        better = verdicts.get((m, a, b), "")
        by = known[a] - known[b]
        return by if m == 40 or not better else 0.1 if (better == b) == lower else -0.1

    rows = [
        {
            "fitter_a": a,
            "fitter_b": b,
            "m": m,
            "difference": difference(m, a, b),
            "low": difference(m, a, b) - 0.02,
            "high": difference(m, a, b) + 0.03,
            "better": verdicts.get((m, a, b), ""),
        }
        for m in (10, 20, 40)
        for i, a in enumerate(names)
        for b in names[i + 1 :]
    ]
    ordered = dict(sorted(values.items(), key=lambda each: each[1], reverse=not lower))
    guessing = None if guess is None else (GUESS, guess)
    table = pd.DataFrame(rows)
    ends = {name: (value - 0.05, value + 0.05) for name, value in values.items()}
    return Answer("e", 50, 40, MEASURES[measure], ordered, guessing, base_rate, table, ends)


BEAT = {(40, "lr", GUESS): "lr", (40, "nb", GUESS): "nb"}


def test_one_is_named_where_it_is_better_than_all() -> None:
    said = list(lines(answer({"nb": 0.2, "lr": 0.1}, {**BEAT, (40, "lr", "nb"): "lr"})))
    assert said == [
        "With 40 of the 50 rows to learn from, use lr: its error is 0.100; nb 0.200, always"
        " answering the largest class 0.400.",
        "lr has 0.100 less error than nb; for other data of this kind 0.070 to 0.120 (95 %"
        " interval).",
    ]


def test_an_error_of_nothing_is_doubted() -> None:
    """The inputs may hold the class, which is told if one of them alone does."""
    known = answer({"nb": 0.1, "lr": 0.0}, {**BEAT, (40, "lr", "nb"): "lr"})
    said = "This holds only if no input is known only with the class, as so small an error may mean"
    assert next(iter(lines(known))) == f"{said}."
    told = replace(known, holds_if=("'x' is known before it",))
    assert next(iter(lines(told))) == "This holds only if 'x' is known before it."
    assert known.measure.name == "error"
    by_auc = answer({"nb": 0.1, "lr": 0.0}, {}, measure="auc")
    assert not next(iter(lines(by_auc))).startswith("This holds")


def test_one_split_tells_nothing_of_other_data() -> None:
    known = answer({"nb": 0.2, "lr": 0.1}, BEAT)
    table = known.comparisons.assign(low=float("nan"), high=float("nan"))
    _, said, *_ = lines(replace(known, comparisons=table))
    assert said == "lr has 0.100 less error than nb; of other data one split tells nothing."


def test_none_is_named_where_no_difference_is_shown() -> None:
    known = answer(
        {"nb": 0.11, "lr": 0.1}, {**BEAT, (20, "lr", "nb"): "nb", (20, "nb", GUESS): "nb"}
    )
    assert list(lines(known)) == [
        "With 40 of the 50 rows to learn from, no difference is shown between lr 0.100 and nb"
        " 0.110; always answering the largest class 0.400.",
        "lr has 0.010 less error than nb; for other data of this kind -0.020 to 0.030 (95 %"
        " interval).",
        "With fewer rows a difference is shown: nb is better at m = 20.",
    ]


def test_what_fewer_test_rows_hide_is_said_to_be_so() -> None:
    """The better one is ahead with all rows too, where no difference is shown."""
    known = answer(
        {"nb": 0.11, "lr": 0.1}, {**BEAT, (20, "lr", "nb"): "lr", (20, "lr", GUESS): "lr"}
    )
    *_, last = lines(known)
    assert last == (
        "With fewer rows to learn from, and more to test on, a difference is shown: lr is better"
        " at m = 20."
    )


def test_what_may_be_chance_at_one_size_is_not_said() -> None:
    """A size alone counts where the difference would hold at all sizes together."""
    known = answer(
        {"nb": 0.11, "lr": 0.1}, {**BEAT, (20, "lr", "nb"): "nb", (20, "nb", GUESS): "nb"}
    )

    def said(difference: float, m: int) -> bool:
        table = known.comparisons.copy()
        pair = (table["fitter_a"] == "lr") & (table["fitter_b"] == "nb") & (table["m"] == 20)
        low, high = difference - 0.02, difference + 0.02
        table.loc[pair, ["difference", "low", "high"]] = difference, low, high
        both = table[table["m"] == 20].assign(m=10)
        if m == 10:  # at the size before too
            table = pd.concat([table[table["m"] != 10], both])
        return any("nb is better at" in each for each in lines(replace(known, comparisons=table)))

    # Of three intervals at 95 % together each is 2.394 / 1.960 times as wide.
    assert said(0.02 * 2.395 / 1.959, 20)
    assert not said(0.02 * 2.393 / 1.961, 20)
    assert said(0.021, 10)


def test_none_is_named_where_one_alone_beats_the_largest_class_but_not_the_other() -> None:
    known = answer({"nb": 0.35, "lr": 0.3}, {(40, "lr", GUESS): "lr"})
    assert known.best == ["lr", "nb"]
    assert next(iter(lines(known))) == (
        "With 40 of the 50 rows to learn from, no difference is shown between lr 0.300 and nb"
        " 0.350; always answering the largest class 0.400. Of these, only lr is shown to be better"
        " than always answering the largest class."
    )


def test_no_method_is_named_that_nobody_would_use() -> None:
    """Better than the other one, but not than always answering the largest class."""
    verdicts = {(40, "lr", "nb"): "lr", (40, "nb", GUESS): GUESS, (10, "lr", "nb"): "nb"}
    first, *others = lines(answer({"nb": 0.5, "lr": 0.39}, verdicts))
    assert first == (
        "With 40 of the 50 rows to learn from, no classifier is shown to be better than always"
        " answering the largest class (0.400): lr 0.390 and nb 0.500."
    )
    assert not any("With fewer rows" in each for each in others)
    first, *_ = lines(answer({"nb": 0.5, "lr": 0.45}, {(40, "lr", "nb"): "lr"}, None, "error", 0.4))
    assert "no classifier is shown to be better than always answering the largest class" in first


def test_the_third_of_three_is_worse() -> None:
    verdicts = {
        **BEAT,
        (40, "lr", "rf"): "lr",
        (40, "nb", "rf"): "nb",
        (40, "rf", GUESS): "rf",
    }
    first, *_ = lines(answer({"nb": 0.11, "lr": 0.1, "rf": 0.3}, verdicts))
    assert first == (
        "With 40 of the 50 rows to learn from, no difference is shown between lr 0.100 and nb"
        " 0.110; rf 0.300, always answering the largest class 0.400."
    )


def test_higher_may_be_better() -> None:
    known = answer({"nb": 0.8, "lr": 0.9}, {**BEAT, (40, "lr", "nb"): "lr"}, 0.5, "auc")
    first, second = lines(known)
    assert "use lr: its AUC is 0.900; nb 0.800, always answering the largest class 0.500." in first
    assert second.startswith("lr has 0.100 more AUC than nb; for other data of this kind 0.080 to")


def test_where_it_was_otherwise() -> None:
    verdicts = {
        **BEAT,
        (40, "lr", "nb"): "lr",
        **{(m, "lr", "nb"): "nb" for m in (10, 20)},
        **{(m, "nb", GUESS): "nb" for m in (10, 20)},
    }
    *_, last = lines(answer({"nb": 0.2, "lr": 0.1}, verdicts))
    assert last == "With fewer rows it is otherwise: nb is better at m = 10 to 20."


def test_beating_who_errs_more_than_the_base_rate_is_not_enough() -> None:
    """The largest class of balanced training rows errs on more than half of the rows left."""
    verdicts = {**BEAT, (40, "lr", "nb"): "lr"}
    first, *_ = lines(answer({"nb": 0.53, "lr": 0.49}, verdicts, 0.62, base_rate=0.5))
    assert first == (
        "With 40 of the 50 rows to learn from, no classifier is shown to be better than always"
        " answering the largest class (0.500): lr 0.490 and nb 0.530."
    )
    first, *_ = lines(answer({"nb": 0.53, "lr": 0.46}, verdicts, 0.62, base_rate=0.5))
    assert "no classifier is shown" in first  # up to 0.51 on other data
    first, *_ = lines(answer({"nb": 0.53, "lr": 0.4}, verdicts, 0.62, base_rate=0.5))
    assert (
        "use lr: its error is 0.400; nb 0.530, always answering the largest class 0.500." in first
    )


def test_an_interval_of_no_width_is_no_proof_that_nothing_differs() -> None:
    known = answer({"nb": 0.2223, "lr": 0.2222}, BEAT)
    table = known.comparisons.assign(low=-0.0002, high=0.0001)
    _, second = lines(replace(known, comparisons=table))
    assert second == "lr and nb say the same of nearly all rows."


def test_an_end_that_is_not_zero_is_not_shown_as_zero() -> None:
    known = answer({"nb": 0.3, "lr": 0.2}, {**BEAT, (40, "lr", "nb"): "lr"})
    table = known.comparisons.assign(low=-0.2, high=-0.0003)
    _, second = lines(replace(known, comparisons=table))
    assert second.endswith("for other data of this kind 0.0003 to 0.200 (95 % interval).")
    assert [spelt(each) for each in (0.0, -1e-9, -0.0002, 0.25)] == [
        *("0.000", "0.000", "-0.0002", "0.250")
    ]


def test_stretches_of_sizes() -> None:
    assert spans([2, 5, 9, 40], [2, 5, 9, 20, 40]) == "2 to 9 and 40"
    assert spans([5], [2, 5]) == "5"
    assert spans([2, 9, 20, 2000], [2, 5, 9, 20, 1000, 2000]) == "2, 9 to 20 and 2,000"


@pytest.mark.parametrize("guess", [None, 0.4])
def test_at_most_six_lines(guess: float | None) -> None:
    many = answer({"a": 0.1, "b": 0.2, "c": 0.25, "d": 0.3}, {}, guess)
    assert len(list(lines(many))) <= 6


def test_without_the_largest_class_among_the_fitters_the_base_rate_is_what_to_beat() -> None:
    """By the interval for other data: a mean below it is not enough, and nor are six rows."""
    noise = answer({"nb": 0.47, "lr": 0.52}, {}, guess=None, base_rate=0.5)
    first, *_ = lines(noise)
    assert "no classifier is shown to be better than always answering the largest class" in first
    told = answer({"nb": 0.3, "lr": 0.52}, {(40, "lr", "nb"): "nb"}, guess=None, base_rate=0.5)
    first, *_ = lines(told)
    assert "use nb" in first
    for unknown in (replace(told, n_units=6), replace(told, ends={})):
        first, *_ = lines(unknown)
        assert "no classifier is shown to be better" in first


@pytest.mark.slow
def test_noise_in_classes_of_the_same_number_of_rows(tmp_path: Path) -> None:
    """Nothing tells the class, so that every classifier errs on half of all new rows."""
    rng = np.random.default_rng(5)
    frame = pd.DataFrame(rng.normal(size=(100, 3)), columns=list("abc")).assign(y=["n", "p"] * 50)
    frame.to_csv(tmp_path / "my.csv", index=False)

    def known(keys: str) -> Answer:
        (tmp_path / "my.yaml").write_text(
            "splits: 100\ninterval: rows\nsizes: [90]\nexperiments:\n"
            f"  - {{name: e, data: {tmp_path / 'my.csv'}, target: y{keys}}}\n"
            "fitters: [{type: naive_bayes}, {type: penalised_logistic, strength: 30}]\n"
        )
        out = tmp_path / f"out{len(keys)}"
        run(plan.make(config.load(tmp_path / "my.yaml")), out, "my")
        return next(answers(read_run(out)))

    random, stratified = known(""), known(", stratified: true")
    assert (random.even, stratified.even) == (True, False)
    assert random.values["penalised_logistic"] > 0.55
    assert abs(stratified.values["penalised_logistic"] - 0.5) < 0.05
    _, *said = lines(random)
    assert said == [EVEN]
    _, second = lines(stratified)
    assert "95 % interval" in second
    useful = replace(random, values={"naive_bayes": 0.2}, ends={"naive_bayes": (0.1, 0.3)})
    assert EVEN not in list(lines(useful))


def test_where_errors_are_as_many_rankings_may_be_better(tmp_path: Path) -> None:
    """One in nine rows is of a class that lies apart, but less far than its rarity asks for."""
    rng = np.random.default_rng(0)
    y = np.arange(225) % 9 == 0
    frame = pd.DataFrame({"x": rng.normal(size=225) + y, "y": np.where(y, "rare", "usual")})
    frame.to_csv(tmp_path / "my.csv", index=False)
    (tmp_path / "my.yaml").write_text(
        "splits: 100\ninterval: rows\nmeasures: [error, auc]\nsizes: [50, 110]\n"
        f"experiments: [{{name: e, data: {tmp_path / 'my.csv'}, target: y}}]\n"
        "fitters: [{type: naive_bayes}, {type: majority}]\n"
    )
    run(plan.make(config.load(tmp_path / "my.yaml")), tmp_path / "out", "my")
    (known,) = answers(read_run(tmp_path / "out"))
    assert known.best == []
    area = roc_auc_score(y, frame["x"])  # which one input in one direction has, whatever the fit
    assert known.by_auc == {"naive_bayes": pytest.approx(area, abs=0.03)}
    first, *_ = lines(known)
    assert first.endswith(
        f" By AUC, naive_bayes {known.by_auc['naive_bayes']:.3f} does better"
        " than chance: --measure auc tells."
    )
    assert "By AUC" not in next(lines(replace(known, by_auc={})))
