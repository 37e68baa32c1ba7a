"""Time the batched kernels on another array namespace: numpy, or cupy on a GPU.

The modules of `gdcurves.logistic` that hold the kernels are loaded with `import numpy as np`
replaced, unchanged otherwise, so this also shows that they hold no hidden NumPy.

    python scripts/bench_namespace.py numpy
    python scripts/bench_namespace.py cupy
"""

from __future__ import annotations

import importlib
import json
import platform
import sys
import time
import types
from pathlib import Path
from typing import Any

PACKAGE = Path(__file__).resolve().parent.parent
KERNELS = ("batched", "certificates", "newton", "cone")
N_TRAJECTORIES = 10


def main(namespace: str) -> None:
    """Print one JSON object with the rates."""
    sys.path.insert(0, str(PACKAGE))
    modules = {name: load(name, namespace) for name in KERNELS}
    xp = importlib.import_module(namespace)
    scale = 1 if namespace == "numpy" else 16  # a GPU wants larger batches
    modules["cone"].SLICE_ENTRIES *= 8 * scale
    result: dict[str, Any] = {"namespace": namespace, "device": device(xp, namespace)}
    for d, m, batch in ((8, 60, 2000), (41, 150, 400)):
        result[f"fits per second, d = {d}, m = {m}"] = fits(modules, xp, d, m, batch * scale)
    for d, m, batch in ((8, 20, 2000), (60, 102, 250)):
        rate = trajectories(modules, xp, d, m, batch * scale)
        result[f"trajectories per second, d = {d}, m = {m}"] = rate
    print(json.dumps(result, indent=2))


def load(name: str, namespace: str) -> types.ModuleType:
    """Import a kernel module with another array namespace."""
    full = f"gdcurves.logistic.{name}"
    source = (PACKAGE / "gdcurves" / "logistic" / f"{name}.py").read_text(encoding="utf-8")
    module = types.ModuleType(full)
    sys.modules[full] = module
    parent = importlib.import_module("gdcurves.logistic")
    setattr(parent, name, module)
    code = source.replace("import numpy as np", f"import {namespace} as np")
    exec(compile(code, f"{name}.py", "exec"), module.__dict__)
    if name == "certificates":
        # CuPy takes no enum members as fill values.
        members = {each.name: int(each) for each in module.Outcome}
        module.Outcome = types.SimpleNamespace(**members)  # type: ignore[attr-defined]
    return module


def device(xp: Any, namespace: str) -> str:
    """Name of what computes."""
    if namespace == "numpy":
        return f"{platform.machine()}, one thread"
    return str(xp.cuda.runtime.getDeviceProperties(0)["name"].decode())


def signed_rows(xp: Any, d: int, m: int, batch: int, noise: float) -> tuple[Any, Any]:
    """Training sets with labels by a hyperplane and logistic noise, and that hyperplane."""
    rng = xp.random.default_rng(0)
    inputs = rng.random((batch, m, d)) - 0.5
    rows = xp.concatenate([xp.ones((batch, m, 1)), inputs], axis=2)
    w = rng.standard_normal((batch, d + 1)) * (12 / d) ** 0.5
    w[:, 0] = 0.0
    uniform = rng.random((batch, m))
    score = xp.matmul(rows, w[:, :, None])[:, :, 0] + noise * xp.log(uniform / (1 - uniform))
    return rows * xp.where(score > 0, 1.0, -1.0)[:, :, None], w


def fits(modules: dict[str, types.ModuleType], xp: Any, d: int, m: int, batch: int) -> float:
    """Maximum likelihood fits of overlapping training sets, certificates included."""
    rows, _ = signed_rows(xp, d, m, batch, noise=1.0)
    once = xp.ones(rows.shape[:2])
    start = xp.zeros((batch, d + 1))
    ascent = modules["newton"].ascend(rows, once, start, 1)
    overlap = ascent.outcome == 1
    rows, once, start = rows[overlap], once[overlap], start[overlap]
    return rate(xp, len(rows), lambda: modules["newton"].ascend(rows, once, start, 1))


def trajectories(
    modules: dict[str, types.ModuleType], xp: Any, d: int, m: int, batch: int
) -> float:
    """Quarter periods of the dynamics in the cone, the search for its centre included."""
    rows, w = signed_rows(xp, d, m, batch, noise=0.0)
    rng = xp.random.default_rng(1)
    sample = modules["cone"].sample
    return rate(xp, batch * N_TRAJECTORIES, lambda: sample(rows, w, [N_TRAJECTORIES], rng))


def rate(xp: Any, n: int, work: Any) -> float:
    """Things per second, the best of three runs after a first one."""
    best = float("inf")
    for run in range(4):
        began = time.perf_counter()
        work()
        if hasattr(xp, "cuda"):
            xp.cuda.Device().synchronize()
        if run:
            best = min(best, time.perf_counter() - began)
    return round(n / best)


if __name__ == "__main__":
    main(sys.argv[1])
