"""What naive Bayes adds to variances, and whether it hides what inputs tell."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import norm
from sklearn.naive_bayes import GaussianNB

from gdcurves import config
from gdcurves.plan import added, loading, plan

N = 400


def test_how_far_normal_laws_are_apart() -> None:
    """Against the integral of which Bhattacharyya's distance is minus the logarithm."""
    means, variances = np.array([0.0, 0.5, 0.1]), np.array([1.0, 2.0, 0.25])
    found = added._apart(means, variances)
    for i, one in enumerate(zip(means, variances, strict=True)):
        for j, other in enumerate(zip(means, variances, strict=True)):
            laws = [norm(mean, np.sqrt(variance)) for mean, variance in (one, other)]
            overlap = quad(lambda x, a=laws[0], b=laws[1]: np.sqrt(a.pdf(x) * b.pdf(x)), -9, 9)[0]
            assert found[i, j] == pytest.approx(-np.log(overlap), abs=1e-8)


def noted(folder: Path, x: np.ndarray, y: np.ndarray, fitter: str, options: str = "") -> bool:
    rows = [f"{value!r},{'np'[label]}" for value, label in zip(x.tolist(), y, strict=True)]
    (folder / "my.csv").write_text("\n".join(["x,y", *rows]) + "\n")
    (folder / "my.yaml").write_text(
        f"splits: 2\nsizes: [4]\nfitters: [{fitter}]\n"
        f"experiments: [{{name: e, data: my.csv, target: y{options}}}]\n"
    )
    problems, _ = loading.load(plan.make(config.load(folder / "my.yaml")), "packaged", None)
    return any(
        "hides much of how classes differ in 'x'," in note for note in loading.notes(problems)
    )


OWN = "{type: naive_bayes, variance: per_class}"


def drawn(law: str) -> tuple[np.ndarray, np.ndarray]:
    """An input (N,) that tells the class, and the class (N,)."""
    rng = np.random.default_rng(1)
    y = np.arange(N) % 2
    z = rng.normal(size=N) + 1.5 * y
    return {"normal": z, "people": np.exp(2 * z), "leak": y + 1e-9 * z}[law], y


def test_inputs_of_few_large_values_are_told(tmp_path: Path) -> None:
    """As numbers of people, of which most are small beside a few."""
    people = drawn("people")
    assert noted(tmp_path, *people, OWN)
    assert not noted(tmp_path, np.log(people[0]), people[1], OWN)
    assert not noted(tmp_path, *people, OWN.replace("}", ", epsilon: 1.0e-7}"))
    assert not noted(tmp_path, *people, "{type: penalised_logistic}")
    for law in ("normal", "leak"):
        assert not noted(tmp_path, *drawn(law), OWN)


def test_what_is_advised_makes_errors_smaller() -> None:
    """By another package's classifier, with as much added to variances, on the training rows."""
    x, y = drawn("people")
    scaled = ((x - x.min()) / np.ptp(x))[:, None]
    errors = [
        1 - GaussianNB(var_smoothing=epsilon / scaled.var()).fit(each, y).score(each, y)
        for each, epsilon in (
            (scaled, 1e-3),
            (scaled, 1e-7),
            (np.log(x)[:, None], 1e-9),
        )
    ]
    assert errors[0] > errors[1] + 0.05
    assert errors[0] > errors[2] + 0.05
