"""Runs as one HTML file that can be mailed: nothing in it asks for anything from elsewhere.

content   what a run says, in the words of the terminal
picture   its figure, as SVG within the page
layout    content -> HTML, by the template that is beside it
"""

from gdcurves.page.content import Content
from gdcurves.page.layout import write

__all__ = ["Content", "write"]
