"""A run whose columns, labels and file name try to be markup."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import quiet

from gdcurves import plan
from gdcurves.config import load_text
from gdcurves.plan.asked import Asked
from gdcurves.run import reading
from gdcurves.store.files import Run

SCRIPT = "<script>document.title='taken'</script>"
LABELS = ('"><img src=http://example.org/x onerror=alert(1)>', "a & b &lt; ]]> '$x$")
COLUMNS = ("</svg></style>" + SCRIPT, "{{ 7 * 7 }} {% raw %}", "plain")


def run(folder: Path) -> Run:
    """Rows of two classes, with hostile names of all kinds."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 80)
    frame = pd.DataFrame({name: (rng.normal(size=80) + y).round(3) for name in COLUMNS})
    frame["<b>target</b>"] = [LABELS[each] for each in y]
    path = folder / "<i>x&y<i>.csv"
    frame.to_csv(path, index=False)
    made = Asked(str(path), "<b>target</b>", sizes=(4, 12, 40)).draft()
    planned = plan.make(load_text(made.text, folder / f"{made.name}.yaml"), splits=30)
    quiet.run(planned, folder / "run", made.name)
    return reading.read(folder / "run")
