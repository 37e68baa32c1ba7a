"""What curves tend to as m grows: exact risks under the law that the data are drawn from.

Two normal classes: a rule's score is a quadratic form (`quadratic`), whose error and expected log
loss are contour integrals (`contour`, `risk`), and so are the derivatives that lead to the best
combination of given scores (`least_loss`). Binary features: sums over all cells, and more normal
classes: means over quasi-random `points` (`weighted`). `table` collects the limits of a plan.
"""
