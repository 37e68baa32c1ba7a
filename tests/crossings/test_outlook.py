"""What every fitter reaches, and would with more rows."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from quiet import run
from test_crossings import around, noise, paired

from gdcurves import config, plan
from gdcurves.crossings import outlook
from gdcurves.crossings.evidence import NadeauBengio
from gdcurves.crossings.paired import Paired
from gdcurves.errors import UserError
from gdcurves.report import saying
from gdcurves.report.outlook import ahead, target
from gdcurves.run import reading
from gdcurves.scoring.measures import MEASURES, Measure

M = np.array([4, 8, 16, 32, 64])
FALLING = 0.1 + 0.8 / M**0.5  # 0.2 at the last, then 0.1707, 0.15


def read(lower: bool = True) -> Paired:
    flat = np.full((len(M), 120), 0.3)
    both = paired(around(FALLING, 0.002 * noise(60, 0, len(M))), flat, m=M)
    if lower:
        return both
    return replace(both, values=1 - both.values, lower_is_better=False)


def table(
    target: float | None = None, measure: str = "error", more: int | None = None
) -> pd.DataFrame:
    return outlook.table("e", {measure: read(measure == "error")}, NadeauBengio(), target, more)


def test_a_row_for_twice_and_one_for_four_times_the_rows() -> None:
    rows = table()
    assert rows["m_ahead"].tolist() == [128, 256] * 2
    assert rows["falls"].tolist() == ["yes"] * 2 + ["no"] * 2
    falling = rows[rows["falls"] == "yes"]
    assert falling["value_last"].tolist() == pytest.approx([0.2] * 2)
    assert falling["value_ahead"].tolist() == pytest.approx([0.1707, 0.15], abs=0.009)
    assert rows["rows_for_target"].isna().all()


def test_a_fall_of_what_is_not_shown_to_beat_the_largest_class_is_not_sure() -> None:
    """As on data whose inputs tell nothing: there the curve of one data set may fall by chance."""
    usual = table()
    curve, flat = usual["fitter"].unique()
    of_class = {("error", curve): "unknown", ("error", flat): "no", ("logloss", curve): "yes"}
    for unproven, falls in of_class.items():
        rows = outlook.table("e", {"error": read()}, NadeauBengio(), unproven={unproven})
        one = rows[rows["fitter"] == unproven[1]]
        assert one["falls"].tolist() == [falls] * 2
        pd.testing.assert_frame_equal(rows.drop(columns="falls"), usual.drop(columns="falls"))


def test_a_row_for_the_rows_that_are_asked_about() -> None:
    """The law of the curve says what they bring; what is said of twice as many stays as it was."""
    usual, asked = table(), table(more=32)
    falling, flat = (rows.reset_index() for _, rows in asked.groupby("fitter"))
    assert falling["m_ahead"].tolist() == flat["m_ahead"].tolist() == [96, 128, 256]
    truth = 0.1 + 0.8 / np.sqrt(96)
    first = falling.iloc[0]
    assert first["value_ahead"] == pytest.approx(truth, abs=0.004)
    assert first["low_ahead"] < truth < first["high_ahead"]
    assert falling["falls"].tolist() == ["yes"] * 3
    assert flat["falls"].tolist() == ["no"] * 3
    others = asked[asked["m_ahead"] != 96].reset_index(drop=True)
    pd.testing.assert_frame_equal(others, usual)
    pd.testing.assert_frame_equal(table(more=64), usual)


def test_few_more_rows_may_hardly_change_what_twice_as_many_would() -> None:
    falling = table(more=2).iloc[:3]
    assert falling["m_ahead"].tolist() == [66, 128, 256]
    assert falling["falls"].tolist() == ["no", "yes", "yes"]
    assert 0.2 - 0.8 * (1 / 8 - 1 / np.sqrt(66)) == pytest.approx(0.1985, abs=1e-4)  # .0015 less
    assert falling.iloc[0]["value_ahead"] == pytest.approx(0.1985, abs=0.001)


def test_nothing_is_foreseen_beyond_what_is_measured() -> None:
    last, beyond = table(more=192), table(more=193)
    assert last["m_ahead"].tolist() == [128, 256] * 2
    assert beyond["m_ahead"].tolist() == [128, 256, 257] * 2
    row = beyond.iloc[2]
    assert row["falls"] == "unknown"
    assert row[["value_ahead", "low_ahead", "high_ahead"]].isna().all()
    assert "cannot be told" in ahead(row, MEASURES["error"])


def test_curves_that_end_before_twelve_rows_say_nothing() -> None:
    """The same curves in sizes that end at 12, and at 11."""
    for last in (12, 11):
        m = np.array([2, 4, 6, 8, last])
        rows = outlook.table("e", {"error": replace(read(), m=m)}, NadeauBengio())
        known = ["yes"] * 2 + ["no"] * 2
        assert rows["falls"].tolist() == (known if last == 12 else ["unknown"] * 4)
        assert rows["value_ahead"].isna().all() == (last == 11)


def test_areas_are_foreseen_as_what_they_lack_of_one() -> None:
    errors, areas = table(), table(measure="auc")
    assert (1 - areas["value_ahead"]).tolist() == pytest.approx(errors["value_ahead"].tolist())
    assert (1 - areas["low_ahead"]).tolist() == pytest.approx(errors["high_ahead"].tolist())
    assert areas["falls"].tolist() == errors["falls"].tolist()


@pytest.mark.slow
def test_rows_for_a_target() -> None:
    ahead, behind, never = (table(target) for target in (0.16, 0.31, 1e-6))
    first = ahead.iloc[0]
    at = (0.8 / 0.06) ** 2  # 178, where the law of the curve has an error of 0.16
    assert first["rows_for_target_low"] < at < first["rows_for_target_high"]
    assert first["rows_for_target"] == pytest.approx(at, rel=0.2)
    assert table(0.13).iloc[0]["rows_for_target"] == np.inf  # 711 rows: more than is foreseen
    assert behind.iloc[0]["rows_for_target"] == 16  # with an error of 0.3
    assert np.isnan(behind.iloc[0]["rows_for_target_low"])
    assert never["rows_for_target"].tolist() == [np.inf] * 4
    assert table(0.15, "auc")["rows_for_target"].isna().all()


def test_the_interval_is_that_of_the_evidence() -> None:
    values = read().values[0, -1]
    n_train, n_test = int(read().n_train[-1]), int(read().n_test[-1])
    variance = (1 / 120 + n_test / n_train) * values.var(ddof=1)
    row = table().iloc[0]
    width = 1.980100 * np.sqrt(variance)  # t with 119 degrees of freedom
    assert row["high_last"] - row["value_last"] == pytest.approx(width, rel=1e-5)


def test_the_interval_ahead_is_for_other_data_too_and_a_fall_is_known_better() -> None:
    """More rows are other rows: how far these lie from others is in both intervals."""
    values = around(FALLING, 0.02 * noise(60, 0, len(M)))
    noisy = paired(values, np.full((len(M), 120), 0.3), m=M)
    row = outlook.table("e", {"error": noisy}, NadeauBengio()).iloc[0]
    now, then = (row[f"high_{at}"] - row[f"low_{at}"] for at in ("last", "ahead"))
    assert 0.01 < now < then
    assert row["falls"] == "yes"
    assert row["high_ahead"] > row["value_last"]


def test_infinite_values_have_no_outlook() -> None:
    both = read()
    values = both.values.copy()
    values[0, 0, 0] = np.inf
    rows = outlook.table("e", {"logloss": replace(both, values=values)}, NadeauBengio())
    assert set(rows["fitter"]) == {both.fitters[1]}


def test_covariance_of_means_is_that_of_samples() -> None:
    values = np.random.default_rng(0).normal(size=(1, 3, 400)).cumsum(axis=1)
    values[:, 2, 100:] = np.nan  # fewer splits at the last size
    ones = np.ones(3, dtype=np.int64)
    curve = Paired(("a",), np.array([1, 2, 3]), values, ones, ones).curve(0)
    first = np.cov(values[0, :2]) / 400
    np.testing.assert_allclose(curve.covariance[:2, :2], first, rtol=0.01)
    assert curve.covariance[2, 2] == pytest.approx(values[0, 2, :100].var() / 100)
    # Means of the same law over 400 and over 100 of them: cov(x, z) 100 / (400 * 100).
    assert curve.covariance[0, 2] == pytest.approx(1 / 400, rel=0.5)


def test_a_target_is_one_of_the_error(tmp_path: Path) -> None:
    (tmp_path / "m.yaml").write_text(
        "splits: 30\nsizes: [10, 20, 40]\nmeasures: [brier]\ntarget_error: 0.1\n"
        "experiments: [{name: e, simulate: {name: ce_full, rows: 80}}]\n"
        "fitters: [{type: naive_bayes}]\n"
    )
    with pytest.raises(UserError, match="'error' is not among the 'measures'"):
        plan.make(config.load(tmp_path / "m.yaml"))


@pytest.mark.parametrize(("written", "option"), [("121", None), ("5", 121)])
def test_more_rows_than_curves_are_foreseen_for_are_refused(
    tmp_path: Path, written: str, option: int | None
) -> None:
    (tmp_path / "m.yaml").write_text(
        f"splits: 30\nsizes: [10, 20, 40]\nmore_rows: {written}\n"
        "experiments: [{name: e, simulate: {name: ce_full, rows: 80}}]\n"
        "fitters: [{type: naive_bayes}]\n"
    )
    document = config.load(tmp_path / "m.yaml")
    at = r"--more-rows 121: the" if option else r"m\.yaml:3: more_rows: the"
    with pytest.raises(UserError, match=f"{at} sizes of e go up to 40.* write 120 at most"):
        plan.make(document, more_rows=option)
    assert plan.make(document, more_rows=120).config.more_rows == 120


@pytest.mark.slow
def test_a_run_has_it_and_takes_another_target(tmp_path: Path) -> None:
    (tmp_path / "m.yaml").write_text(
        "splits: 30\ninterval: rows\nsizes: [10, 20, 40]\n"
        "experiments: [{name: e, simulate: {name: ce_full, rows: 80}}]\n"
        "fitters: [{type: naive_bayes}, {type: majority}]\n"
    )
    written = config.load(tmp_path / "m.yaml")
    run(plan.make(written), tmp_path / "out", "m")
    run(plan.make(written, target_error=0.9), tmp_path / "out", "m", mode="resume")
    done = reading.read_run(tmp_path / "out").outlook
    assert done is not None
    row = done[done["measure"] == "error"].iloc[0]
    assert row["rows_for_target"] == 10
    assert row["m_last"] == 40
    assert row["low_last"] < row["value_last"] < row["high_last"]
    *_, said = saying.sentences(reading.read_run(tmp_path / "out"))
    assert said.startswith("On these data, the error of naive_bayes: ")
    assert said.endswith(". The target of 0.9 is reached from m = 10 on.")
    run(plan.make(written, more_rows=25), tmp_path / "out", "m", mode="resume")
    told = reading.read_run(tmp_path / "out")
    assert told.outlook is not None
    assert told.outlook["m_ahead"].unique().tolist() == [65, 80, 160]
    *_, said = saying.sentences(told)
    assert "25 more training rows" in said


def test_a_curve_of_no_known_form_is_told_as_far_as_it_has_come() -> None:
    """Where it falls faster and faster, where it has turned, and where the fall may be chance."""
    row = table(more=193).iloc[2]  # nothing is foreseen
    m, error = [8, 35, 71, 111, 173, 270], MEASURES["error"]

    def said(means: list[float], se: float, measure: Measure = error) -> str:
        names = {f"{measure.name}_mean": means, f"{measure.name}_se": se}
        curves = pd.DataFrame({"experiment": "e", "fitter": row["fitter"], "m": m, **names})
        return ahead(row, measure, "row", curves)

    steep = [0.3, 0.2, 0.145, 0.115, 0.086, 0.043]
    assert said(steep, 0.003) == (
        "it fell from 0.115 at m = 111 to 0.043; how it goes on cannot be told from this curve"
    )
    nothing = "what more rows bring cannot be told from this curve"
    assert said(steep, 0.1) == nothing
    assert said([0.3, 0.2, 0.145, 0.115, 0.03, 0.043], 0.003) == nothing
    assert said([1 - each for each in steep], 0.003, MEASURES["auc"]).startswith("it rose from 0.8")
    assert said(steep, 0.003, MEASURES["auc"]) == nothing


@pytest.mark.slow
def test_words() -> None:
    falling, flat = (rows.iloc[0] for _, rows in table(0.16).groupby("fitter"))
    error, auc = MEASURES["error"], MEASURES["auc"]
    assert ahead(falling, error).startswith("it still falls: about 0.1")
    said = " with twice as many training groups; for other data of this kind 0."
    assert said in ahead(falling, error, "group")
    few, *_ = (row for _, row in table(more=32).iterrows())
    assert " with 32 more training rows" in ahead(few, error)
    few["falls"] = "no"
    assert ahead(few, error, "group").startswith("32 more training groups would hardly change it (")
    assert target(falling, 0.16).startswith("The target of 0.16 takes about 1")
    assert target(falling, 0.16).endswith(" to more than 256).")
    assert " training rows (" in target(falling, 0.16)
    assert target(falling, 0.16, what="target error").startswith("The target error of 0.16 takes")
    assert " training groups (" in target(falling, 0.16, "group")
    assert "twice as many training rows would hardly change it (about 0.2" in ahead(flat, error)
    assert " to " not in ahead(flat, error)  # of the value, which may be less sure than its change
    said = "The target of 0.16 takes more than 256 training rows, if they bring it at all."
    assert target(flat, 0.16) == said
    far = flat.copy()
    far["rows_for_target_low"] = 120.0
    said = "The target of 0.16 probably takes more than 256 training rows, if they bring it at all;"
    assert target(far, 0.16) == f"{said} 120 are not ruled out."
    reached = table(0.31).iloc[0]
    assert target(reached, 0.31) == "The target of 0.31 is reached from m = 16 on."
    foreseen = table(0.19).iloc[0].copy()
    foreseen["rows_for_target"] = foreseen["m_last"]  # just there, by the curve that is drawn on
    assert target(foreseen, 0.19).startswith("The target of 0.19 takes about 64 training rows (")
    unknown = "The target of 0.1 is not reached, and what it takes cannot be told from this curve."
    assert target(table().iloc[0], 0.1) == unknown
    assert "it still rises: about 0.8" in ahead(table(measure="auc").iloc[0], auc)


def test_next_to_no_error_has_nothing_to_fall() -> None:
    """Whatever its curve looks like: the fall is less than what there is."""
    assert outlook.falls(outlook.MATTERS / 2, None, None, 2.0) == "no"
    assert outlook.falls(2 * outlook.MATTERS, None, None, 2.0) == "unknown"
