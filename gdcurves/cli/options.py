"""Options that say what a command works on, the same for every one that takes them."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

_CONFIG = typer.Option(
    metavar="FILE", help="A YAML file, or the name of a config shipped with gdcurves."
)
ConfigFile = Annotated[str, _CONFIG]
ConfigIfAny = Annotated[str | None, _CONFIG]
Data = Annotated[
    str | None,
    typer.Option(
        metavar="DATA",
        help="Instead of a config: a file, openml:ID, openml:NAME, uci:ID or catalogue name.",
    ),
]
Target = Annotated[
    str | None,
    typer.Option(metavar="COLUMN", help="The column to predict.", show_default="the source's own"),
]
Cut = Annotated[
    str | None,
    typer.Option(
        metavar="median|NUMBER|none",
        help="For a number as target: classes are above it and not; or none, a class of each.",
    ),
]
ClassesOf = Annotated[
    str | None,
    typer.Option(
        "--classes",
        metavar="a,b,...",
        help="Labels that are a class each; or {NAME: [LABEL, ...], ...}, which merges labels."
        " Rows with others are left out.",
        show_default="every label",
    ),
]
Fitters = Annotated[
    str | None,
    typer.Option(
        metavar="a,b,...",
        help="Classifiers by their names, or by those of classes of scikit-learn, such as"
        " sklearn.svm.SVC; or paper, for those of Ng & Jordan.",
        show_default="naive_bayes,penalised_logistic,majority",
    ),
]
Allowed = Annotated[
    list[str] | None,
    typer.Option(
        "--allow",
        metavar="PACKAGE",
        help="Another package than scikit-learn whose classifiers may be named; its code is run.",
    ),
]
Sizes = Annotated[
    str | None,
    typer.Option(
        metavar="a,b,...",
        help="Training sizes; or START:STOP:STEP.",
        show_default="twelve up to nine tenths of the rows",
    ),
]
Drop = Annotated[
    list[str] | None,
    typer.Option(metavar="COLUMN", help="A column that is no input; repeat it, or write a,b."),
]
Groups = Annotated[
    list[str] | None,
    typer.Option(
        metavar="COLUMN",
        help="Rows with the same value here stay together, as those of one patient; sizes count"
        " these groups. Where it takes several columns, as center and id, write a,b.",
        show_default="none",
    ),
]
Continuous = Annotated[
    list[str] | None,
    typer.Option(metavar="COLUMN", help="A column of numbers; repeat it, or write a,b."),
]
Discrete = Annotated[
    list[str] | None,
    typer.Option(metavar="COLUMN", help="A column of levels; repeat it, or write a,b."),
]
Encoding = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Of a text: cp1252, latin-1, utf-16 and so on.",
        show_default="UTF-8, or as its mark says",
    ),
]
Sheet = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="Of an .xlsx workbook.", show_default="the first not hidden"),
]
NoHeader = Annotated[
    bool,
    typer.Option(
        "--no-header",
        help="The first row of a text or a sheet is none of names; columns are called c1, c2, ...",
    ),
]
MissingRule = Annotated[
    list[str] | None,
    typer.Option(
        metavar="RULE",
        help="What becomes of missing values: drop_rows, mean, level, mean,level or error.",
        show_default="drop_rows",
    ),
]
MissingText = Annotated[
    list[str] | None,
    typer.Option(metavar="TEXT", help="A text that is a missing value too; repeat it."),
]
Decimal = Annotated[
    Literal[".", ","] | None,
    typer.Option(
        help="What stands before decimals, where no column shows it.",
        show_default="as columns show",
    ),
]
Thousands = Annotated[
    Literal[".", ","] | None,
    typer.Option(help="Instead: what stands between thousands.", show_default="as columns show"),
]
Rescaled = Annotated[
    Literal["dataset", "train", "none"] | None,
    typer.Option(
        help="Rows over which numbers are brought to [0, 1].", show_default="train for own data"
    ),
]
Stratified = Annotated[
    bool, typer.Option("--stratified", help="As many training rows of each class.")
]
FigureName = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="What is drawn.", show_default="learning_curves"),
]
