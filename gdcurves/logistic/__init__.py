"""Logistic likelihoods, without a penalty and with one.

Without, there may be no maximum: `limit` decides by certificate between overlap, separable and
quasi-separable training sets, `newton` climbs the likelihood, a function of `margins`, `programs`
is the linear program of last resort, and `cone` draws uniformly from the separating hyperplanes.
All work on batches of signed rows: the rows x_i with the intercept's 1 in front, multiplied by +1
for the second class and by -1 for the first.

With: `penalised` has the likelihoods with a squared penalty and their minima, `lasso` those with
absolute values (`shrinkage` is its quadratic model), `margin` the limit for penalties that vanish.
`folds` are those of a cross-validation, `path` chooses a strength by them, and `quasi_newton` is
how the fits of all folds share their work. All work on rows and the classes' scores, `softmax`.
"""
