"""What may stand under `simulate`, how it comes back, and what is said about wrong values."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from gdcurves.config import Document, RunConfig
from gdcurves.config.source import read_file
from gdcurves.errors import UserError
from gdcurves.simulators import Gaussian, SimulationConfig, as_mapping


def parse(tmp_path: Path, text: str) -> SimulationConfig:
    """Check what an experiment file holds under `simulate`."""
    path = tmp_path / "my.yaml"
    text = text.replace("PLANE", "gaussian: {means: [[0, 0], [1, 1]], covariances:")
    path.write_text(f"experiments:\n- simulate: {text}\n")
    source = read_file(path)
    document = Document(path, source.data, source.lines, RunConfig.model_construct())
    written = as_mapping(source.data["experiments"][0]["simulate"])
    return document.parse(SimulationConfig, written, "experiments", 0, "simulate")


@pytest.mark.parametrize(
    ("text", "rows", "classes"),
    [
        ("ce_diag", (500, 500), ("1", "2")),
        ("{name: be_full, rows: 1e2, classes: [no, 7], draw: each}", (50, 50), ("no", "7")),
        ("{bernoulli: [{a: 0}, {a: 1}, {a: 0.5}], rows: [1, 2, 3]}", (1, 2, 3), ("1", "2", "3")),
        ("{PLANE [[1, 0.5], [0.5, 1]]}}", (500, 500), ("1", "2")),
        (
            "{PLANE [[[1, 0], [0, 1]], [[2, 1], [1, 2]]], features: [u, v]}}",
            (500, 500),
            ("1", "2"),
        ),
    ],
)
def test_what_is_written_comes_back(tmp_path, text, rows, classes):
    simulation = parse(tmp_path, text)
    assert (simulation.rows_per_class, simulation.classes) == (rows, classes)
    again = SimulationConfig.model_validate(simulation.model_dump(mode="json"))
    assert again == simulation
    assert again.law == simulation.law


def test_named_and_written_laws_are_the_same(tmp_path):
    named = parse(tmp_path, "cu_full").law
    assert isinstance(named, Gaussian)
    written = SimulationConfig.model_validate({"gaussian": named.model_dump(mode="json")})
    assert written.law == named
    shared = Gaussian.model_validate({"means": [[0], [1]], "covariances": [[4]]})
    each = Gaussian.model_validate({"means": [[0], [1]], "covariances": [[[4]], [[4]]]})
    np.testing.assert_array_equal(shared.moments()[1], each.moments()[1])
    assert shared.features == ("x1",)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ce_dig", ".name: no law 'ce_dig'; did you mean 'ce_diag'?"),
        (
            "{rows: 10}",
            ": found none of name, gaussian, bernoulli, poisson, cells, blocks; write exactly one",
        ),
        ("{name: ce_diag, bernoulli: [{a: 0}, {a: 1}]}", ": found name and bernoulli of name,"),
        ("{nme: ce_diag}", ".nme: unknown key; did you mean 'name'?"),
        ("{name: ce_diag, rows: 7}", ".rows: found 7, which 2 classes cannot share evenly"),
        ("{name: ce_diag, rows: [7]}", ".rows: found 1 number; write 2, one for each class"),
        ("{name: ce_diag, rows: [7, 0]}", ".rows[1]: found 0; write 1 or more"),
        (
            "{name: ce_diag, rows: 1000000000000}",
            ".rows: found 1000000000000; write 10000000 or less",
        ),
        (
            "{gaussian: {means: [[0], [1e5]], covariances: [[1]]}}",
            ".means[1]: mean 1 is 100000, more than 10,000 standard deviations from zero",
        ),
        ("{gaussian: {means: [[0], [1e99]], covariances: [[1]]}}", ".means[1][0]: found 1e+99;"),
        ("{name: ce_diag, rows: many}", ".rows: found 'many'; write a whole number of rows"),
        ("{name: ce_diag, classes: [a]}", ".classes: found 1 of them; write 2, one for each"),
        ("{name: ce_diag, classes: [a, a]}", ".classes: 'a' stands here 2 times"),
        ("{name: ce_diag, draw: twice}", ".draw: found 'twice'; write 'once' or 'each'"),
        ("{PLANE [[1, 0], [0]]}}", ".covariances: the matrix has a row or column of 1 number;"),
        (
            "{PLANE [[1]]}}",
            ".covariances: the matrix has a row or column of 1 number; write 2 x 2",
        ),
        ("{PLANE []}}", ".covariances: the list is empty; write at least one item"),
        ("{PLANE [[1, 0], []]}}", ".covariances[1]: the list is empty; write at least one item"),
        ("{PLANE 1}}", ".covariances: found 1; write a matrix as a list of"),
        ("{PLANE [[1, x], [0, 1]]}}", ".covariances[0][1]: found 'x'; write a number"),
        ("{PLANE [[1, .nan], [0, 1]]}}", ".covariances[0][1]: found nan; write a finite number"),
        (
            "{PLANE [[[1, 0], [0, 1]]]}}",
            ".covariances: found 1 matrices; write one for all classes",
        ),
        (
            "{PLANE [[[1, 0], [0, 1]], [[1, 0.5], [0.2, 1]]]}}",
            ".covariances[1]: matrix 2 is not symmetric: 0.5 in row 1, column 2, and 0.2 in row 2,",
        ),
        (
            "{PLANE [[[1, 0], [0, 1]], [[1, 1.5], [1.5, 1]]]}}",
            ".covariances[1]: matrix 2 is not positive definite: the least eigenvalue of its"
            " correlations is -0.5;",
        ),
        (
            "{PLANE [[1, 1], [1, 1]]}}",
            ".covariances: the matrix is not positive definite: the least",
        ),
        (
            "{PLANE [[1, 0], [0, -1]]}}",
            ".covariances: the matrix is not positive definite: variance 2",
        ),
        ("{gaussian: {means: [[0]], covariances: [[1]]}}", ".means: found 1 of them; write the"),
        ("{gaussian: {means: [[0, 1], [1]], covariances: [[1]]}}", ".means[1]: found 1 number;"),
        ("{gaussian: {means: [[0], [1]], covariances: [[1]], features: [a, b]}}", ".features: fo"),
        (
            "{gaussian: {means: [[0, 1], [1, 2]], covariances: [[1]], features: [a, a]}}",
            ".features: 'a' stands here 2 times; give each its name",
        ),
        ("{bernoulli: [{a: 1.2}, {a: 0}]}", "[0].a: found 1.2; write 1 or less"),
        ("{bernoulli: [{a: x}, {a: 0}]}", "[0].a: found 'x'; write a probability, or"),
        ("{bernoulli: {a: 1}}", ": found a mapping; write a list"),
        ("{bernoulli: [{a: 1}]}", ": found 1 mapping; write one for each of two classes"),
        ("{bernoulli: [{}, {}]}", "[0]: the mapping is empty; write a probability for each"),
        (
            "{bernoulli: [{a: 1, b: 1}, {b: 0, a: 0}]}",
            "[1]: found the features b, a; write those of the first class, in its order: a, b",
        ),
        (
            "{bernoulli: [{a: 1, b: {given: c, if_1: 0, if_0: 0}}, {a: 1, b: 1}]}",
            "[0].b.given: no feature 'c'; choose from a",
        ),
        (
            "{bernoulli: [{a: 1, b: 1}, {a: 1, b: {given: b, if_1: 0, if_0: 0}}]}",
            "[1].b.given: a circle: b given b; write one of them as a probability",
        ),
        (
            "{bernoulli: [{a: {given: b, if_1: 0, if_0: 0}, b: {given: a, if_1: 0, if_0: 0}}, {}]}",
            "[0].a.given: a circle: a given b given a; write one of them as a probability",
        ),
        (
            "{bernoulli: [{a: 1, b: {given: a, if_1: 0, if_0: -1}}, {a: 1, b: 1}]}",
            "[0].b.if_0: found -1; write 0 or more",
        ),
        (
            "{bernoulli: [{a: 1, b: {given: a, if1: 0}}, {a: 1, b: 1}]}",
            "[0].b.if1: unknown key; did you mean 'if_1'?",
        ),
    ],
)
def test_wrong_parameters(tmp_path, text, message):
    location = f"{tmp_path}/my.yaml:2: experiments[0].simulate"
    location += ".bernoulli" * text.startswith("{bernoulli")
    location += ".gaussian" * ("gaussian" in text or "PLANE" in text)
    with pytest.raises(UserError) as caught:
        parse(tmp_path, text)
    assert str(caught.value).startswith(location + message)
    assert "\n" not in str(caught.value)
