"""Rules applied to the rows that they have not seen, and what is counted of them there."""

from gdcurves.scoring.judged import TIE, Judged
from gdcurves.scoring.scores import Scores, score

__all__ = ["TIE", "Judged", "Scores", "score"]
