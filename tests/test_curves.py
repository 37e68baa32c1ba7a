"""Curves against pandas and NumPy, on rows made by hand."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from gdcurves.curves import columns, summarise
from gdcurves.scoring.measures import chosen

INF = np.inf


def rows(
    errors: list[float],
    logloss: list[float],
    outcome: list[str] | None = None,
    fitter: str = "f",
    m: int = 5,
) -> pd.DataFrame:
    n = len(errors)
    return pd.DataFrame(
        {
            "fitter": fitter,
            "m": m,
            "split": np.arange(n),
            "n_train": 5,
            "n_test": 40,
            "errors": errors,
            "errors_halfway": np.nan,
            "logloss": logloss,
            "outcome": outcome or [""] * n,
            "degenerate": np.nan,
            "left_out": np.nan,
            "theta": "",
        }
    )


def test_columns_are_those_of_the_documentation() -> None:
    expected = (
        "experiment,fitter,m,n_splits,n_test,error_mean,error_se,error_median,error_q10,error_q90,"
        "logloss_mean,logloss_se,logloss_median,logloss_q10,logloss_q90,"
        "separable,quasi_separable,no_mle,undecided,sampler_gap,sampler_gap_se,logloss_infinite,"
        "n_train,logloss_sum_median,degenerate,left_out"
    )
    assert ",".join(columns(chosen())) == expected
    assert list(summarise("e", rows([1, 2], [0.5, 0.6])).columns) == expected.split(",")


@pytest.mark.parametrize("n", [2, 7, 11, 100, 1000])
def test_statistics_are_those_of_pandas(n: int) -> None:
    rng = np.random.default_rng(n)
    made = rows(rng.integers(0, 41, n).tolist(), rng.exponential(size=n).tolist())
    point = summarise("e", made.sample(frac=1.0, random_state=1)).iloc[0]
    for name, values in (("error", made["errors"] / 40), ("logloss", made["logloss"])):
        assert point[f"{name}_mean"] == pytest.approx(values.mean(), rel=1e-12)
        assert point[f"{name}_se"] == pytest.approx(values.sem(), rel=1e-12)
        for column, level in (("median", 0.5), ("q10", 0.1), ("q90", 0.9)):
            expected = values.quantile(level)
            assert point[f"{name}_{column}"] == pytest.approx(expected, rel=1e-12)
    assert (point["experiment"], point["fitter"], point["m"]) == ("e", "f", 5)
    assert (point["n_splits"], point["n_test"]) == (n, 40)
    assert point[["separable", "quasi_separable", "no_mle"]].isna().all()


def test_order_of_the_rows_does_not_change_a_bit() -> None:
    rng = np.random.default_rng(0)
    made = rows(rng.random(50).tolist(), rng.random(50).tolist())
    shuffled = made.sample(frac=1.0, random_state=2)
    pd.testing.assert_frame_equal(summarise("e", made), summarise("e", shuffled), check_exact=True)


def test_infinite_log_losses_are_in_quantiles_and_not_in_means() -> None:
    made = rows(
        [1] * 11,
        [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, INF, INF, INF],
        ["overlap"] * 8 + ["separable"] * 2 + ["quasi_separable"],
    )
    point = summarise("e", made).iloc[0]
    finite = np.arange(1, 9) / 10
    assert point["logloss_mean"] == pytest.approx(finite.mean())
    assert point["logloss_se"] == pytest.approx(finite.std(ddof=1) / np.sqrt(8))
    # Eleven values: the quantiles are the second, the sixth and the tenth.
    assert point["logloss_q10"] == pytest.approx(0.2)
    assert point["logloss_median"] == pytest.approx(0.6)
    assert point["logloss_q90"] == INF
    assert point["separable"] == pytest.approx(2 / 11)
    assert point["quasi_separable"] == pytest.approx(1 / 11)
    assert point["no_mle"] == pytest.approx(3 / 11)
    assert point["error_mean"] == pytest.approx(1 / 40)


def test_a_quantile_between_a_finite_and_an_infinite_value_is_infinite() -> None:
    half = summarise("e", rows([0] * 4, [0.1, 0.2, INF, INF])).iloc[0]
    assert half["logloss_median"] == INF
    # At the place of a finite value, the infinite one beside it has no weight.
    third = summarise("e", rows([0] * 5, [0.1, 0.2, 0.3, INF, INF])).iloc[0]
    assert third["logloss_median"] == 0.3


def test_without_a_finite_log_loss_there_is_no_mean() -> None:
    point = summarise("e", rows([3, 4, 5], [INF] * 3, ["separable"] * 3)).iloc[0]
    assert np.isnan(point["logloss_mean"])
    assert np.isnan(point["logloss_se"])
    assert point[["logloss_median", "logloss_q10", "logloss_q90"]].tolist() == [INF] * 3
    assert point["no_mle"] == 1.0
    one = summarise("e", rows([3, 4], [INF, 0.5], ["separable", "overlap"])).iloc[0]
    assert one["logloss_mean"] == 0.5
    assert np.isnan(one["logloss_se"])


def test_a_single_split_has_no_standard_error() -> None:
    point = summarise("e", rows([3], [0.5])).iloc[0]
    assert point["error_mean"] == point["error_median"] == point["error_q90"] == 3 / 40
    assert np.isnan(point["error_se"])


def test_an_undecided_fit_has_no_maximum() -> None:
    """It is neither separable nor quasi-separable, and counts where there is no maximum."""
    point = summarise("e", rows([3, 4], [INF, 0.5], ["undecided", "overlap"])).iloc[0]
    assert (point["separable"], point["quasi_separable"], point["no_mle"]) == (0.0, 0.0, 0.5)


def test_a_row_for_each_fitter_and_size() -> None:
    made = pd.concat(
        [
            rows([1, 2], [0.1, 0.2], ["overlap", "overlap"], "b", 10),
            rows([3, 4], [0.3, 0.4], None, "a", 10),
            rows([5, 6], [0.5, 0.6], None, "a", 2),
        ]
    )
    curves = summarise("e", made)
    assert len(curves) == 3
    means = curves.set_index(["fitter", "m"])["error_mean"]
    assert means.to_dict() == pytest.approx(
        {("b", 10): 1.5 / 40, ("a", 10): 3.5 / 40, ("a", 2): 5.5 / 40}
    )
    no_mle = curves.set_index(["fitter", "m"])["no_mle"]
    assert no_mle["b", 10] == 0.0
    assert np.isnan(no_mle["a", 10])


def test_sampler_gap_is_over_the_splits_that_were_sampled() -> None:
    made = rows(
        [4, 6, 8, 10], [INF, INF, 0.5, INF], ["separable", "separable", "overlap", "undecided"]
    )
    made["errors_halfway"] = [2.0, 8.0, np.nan, np.nan]
    point = summarise("e", made).iloc[0]
    gaps = np.array([2.0, -2.0]) / 40
    assert point["sampler_gap"] == pytest.approx(gaps.mean())
    assert point["sampler_gap_se"] == pytest.approx(gaps.std(ddof=1) / np.sqrt(2))
    assert point["undecided"] == 0.25
    assert point["no_mle"] == 0.75


def test_nothing_sampled_has_no_gap() -> None:
    assert summarise("e", rows([4, 6], [0.1, 0.2], ["overlap"] * 2)).iloc[0].isna()["sampler_gap"]


def test_medians_of_theta() -> None:
    """Parameters at infinity count as such; between minus infinity and infinity is nothing."""
    made = rows([1, 2, 3, 4], [0.5] * 4)
    made["theta"] = ["-inf 1 -inf", "inf 3 1.5", "-inf 2 -inf", "inf inf -inf"]
    point = summarise("e", made).iloc[0]
    assert list(point.index[-3:]) == ["theta0", "theta1", "theta2"]
    assert np.isnan(point["theta0"])
    assert point["theta1"] == 2.5
    assert point["theta2"] == -INF


def test_a_theta_that_is_no_number_is_left_out_of_the_median() -> None:
    made = rows([1, 2, 3], [0.5] * 3)
    made["theta"] = ["1  4", " inf 5", "3  6"]
    point = summarise("e", made).iloc[0]
    assert point[["theta0", "theta1", "theta2"]].tolist() == [2.0, INF, 5.0]
    made["theta"] = ["1  4", "2  5", "3  6"]
    assert np.isnan(summarise("e", made).iloc[0]["theta1"])
