"""Learning curves from a notebook or a script, as `gdcurves run --data` makes them.

asking      the function that is called, and its options
values      options as values -> what is asked, as the command line asks it
answered    a run as an object: its answer, its tables and pictures
page        what a notebook shows of it
picture     a figure that shows itself
watching    how far a run is, below the cell
arguments   messages that name options, in Python's words
"""

from gdcurves.notebook.answered import LearningCurves, load
from gdcurves.notebook.asking import learning_curves
from gdcurves.notebook.picture import Picture

__all__ = ["LearningCurves", "Picture", "learning_curves", "load"]
