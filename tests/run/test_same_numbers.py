"""The numbers of a run on other machines and with other versions of the libraries.

tests/golden/run holds the rows of a small run. What is counted is equal wherever no rule was drawn
at random; where rules were drawn, the drawing amplifies rounding, and means agree as two
independent estimates do.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import quiet
from golden import HERE

from gdcurves import config, plan
from gdcurves.store import files

STORED = HERE / "run"
DRAWN = ("separable", "quasi_separable")
COUNTED = ["n_test", "errors", "outcome"]


@pytest.fixture(scope="module", params=[plan.CHUNK_SPLITS, 25])
def folder(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Path:
    """The run; chunks of another length draw other rules, as another machine may."""
    out = tmp_path_factory.mktemp("small")
    with pytest.MonkeyPatch.context() as changed:
        changed.setattr("gdcurves.plan.plan.CHUNK_SPLITS", request.param)
        compute(out)
    return out


def compute(out: Path) -> None:
    quiet.run(plan.make(config.load(STORED / "small.yaml")), out, "small")


def rows(experiment: str, folder: Path) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Rows as computed here and as stored."""
    stored = pd.read_csv(STORED / f"{experiment}.csv", keep_default_na=False, na_values={})
    computed = files.read_rows(folder, experiment)
    columns = ["logloss", "errors_halfway"]
    stored[columns] = stored[columns].apply(pd.to_numeric)
    key = ["fitter", "m", "split"]
    return computed.set_index(key).sort_index(), stored.set_index(key).sort_index()


@pytest.mark.slow
@pytest.mark.parametrize("experiment", ["votes", "liver"])
def test_counted_figures_are_equal_where_nothing_was_drawn(experiment: str, folder: Path) -> None:
    computed, stored = rows(experiment, folder)
    assert computed.index.equals(stored.index)
    assert (computed["outcome"] == stored["outcome"]).all()
    fixed = ~stored["outcome"].isin(DRAWN)
    assert fixed.sum() >= 180
    pd.testing.assert_frame_equal(
        computed.loc[fixed, COUNTED], stored.loc[fixed, COUNTED], check_dtype=False
    )
    np.testing.assert_allclose(
        computed.loc[fixed, "logloss"], stored.loc[fixed, "logloss"], rtol=1e-6
    )


@pytest.mark.slow
@pytest.mark.parametrize("experiment", ["votes", "liver"])
def test_drawn_figures_agree_within_monte_carlo_error(experiment: str, folder: Path) -> None:
    computed, stored = rows(experiment, folder)
    drawn = stored["outcome"].isin(DRAWN)
    assert drawn.sum() >= 60
    # The training sets are the same, so the differences are of the drawing alone.
    gap = (computed["errors"] - stored["errors"])[drawn] / stored["n_test"][drawn]
    for _, each in gap.groupby(["fitter", "m"]):
        if len(each) > 1:
            assert abs(each.mean()) <= 4 * each.sem() + 1e-12
