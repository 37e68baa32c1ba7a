"""What a run depends on by its order: it is not gone on with in another one."""

from __future__ import annotations

import pytest

CONFIG = """
splits: 4
sizes: [8]
experiments:
  - {{name: radar, data: ionosphere, inputs: continuous, classes: {classes}}}
  - name: tree
    simulate: {{bernoulli: [{{{first}}}, {{{second}}}], rows: 40}}
fitters: [{{type: naive_bayes, epsilon: 0.1, laplace: 2}}]
"""
GOOD = {"classes": "[b, g]", "first": "x1: 0.2, x2: 0.7", "second": "x1: 0.6, x2: 0.4"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("other", "said"),
    [
        (
            {"classes": "[g, b]"},
            'order of experiments[radar].classes was ["b", "g"], is ["g", "b"]',
        ),
        ({"classes": "{one: [b], two: [g]}"}, "experiments[radar].classes.one"),
        (
            {"first": "x2: 0.7, x1: 0.2", "second": "x2: 0.4, x1: 0.6"},
            "order of experiments[tree].simulate.bernoulli",
        ),
    ],
)
def test_another_order_is_another_run(call, tmp_path, other: dict[str, str], said: str) -> None:
    path = tmp_path / "my.yaml"
    path.write_text(CONFIG.format(**GOOD))
    assert call("run", "--config", "my.yaml", "--jobs", "1").code == 0
    path.write_text(CONFIG.format(**GOOD | other))
    ended = call("run", "--config", "my.yaml", "--jobs", "1", "--resume")
    assert ended.code == 2
    assert said in ended.err


@pytest.mark.slow
def test_the_order_of_options_is_none(call, tmp_path) -> None:
    path = tmp_path / "my.yaml"
    path.write_text(CONFIG.format(**GOOD))
    assert call("run", "--config", "my.yaml", "--jobs", "1").code == 0
    path.write_text(
        CONFIG.format(**GOOD).replace("epsilon: 0.1, laplace: 2", "laplace: 2, epsilon: 0.1")
    )
    assert call("run", "--config", "my.yaml", "--jobs", "1", "--resume").code == 0
