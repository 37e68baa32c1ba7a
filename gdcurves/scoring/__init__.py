"""Rules applied to the rows that they have not seen, and what is counted of them there."""

from gdcurves.scoring.scores import TIE, Judged, Scores, score

__all__ = ["TIE", "Judged", "Scores", "score"]
