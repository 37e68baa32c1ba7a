"""What mkdocs does beside building docs/: pages from the code, and what pages link to.

Pages link to files of the repository as they do on a forge. What is not in docs/ gets a place
below project/ in the site, with all that it links to in turn.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
sys.path.insert(0, str(ROOT / "scripts"))

import reference  # noqa: E402 (beside this file, which mkdocs reads by its path)
from links import LINK, links  # noqa: E402


def on_startup(**_: Any) -> None:
    """Make the pages of the reference anew."""
    reference.write()


def on_files(files: Files, *, config: Any) -> Files:
    """Add the files out of docs/ to which pages lead."""
    waiting = [DOCS / page.src_uri for page in files.documentation_pages()]
    while waiting:
        page = waiting.pop()
        for link in links(page.read_text(encoding="utf-8")):
            path = Path(os.path.normpath(page.parent / link.path))
            if path.is_file() and files.get_file_from_path(place(path)) is None:
                files.append(File.generated(config, place(path), abs_src_path=str(path)))
                if path.suffix == ".md":
                    waiting.append(path)
    return files


def on_page_markdown(markdown: str, *, page: Any, **_: Any) -> str:
    """Let links lead to where files are in the site."""
    at = Path(page.file.abs_src_path).parent

    def placed(found: re.Match[str]) -> str:
        written, sharp, anchor = found["to"].partition("#")
        path = Path(os.path.normpath(at / written))
        if not written or not path.is_file():
            return found[0]
        there = os.path.relpath(place(path), Path(page.file.src_uri).parent)
        return f"{found['before']}{Path(there).as_posix()}{sharp}{anchor})"

    return LINK.sub(placed, markdown)


def place(path: Path) -> str:
    """Where a file of the repository is in the site."""
    if path.is_relative_to(DOCS):
        return path.relative_to(DOCS).as_posix()
    return f"project/{path.relative_to(ROOT).as_posix()}"
