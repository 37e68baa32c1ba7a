"""The logistic likelihood without penalty: whether it has a maximum, where, and what replaces it.

`limit` decides by certificate between overlap, separable and quasi-separable training sets,
`newton` climbs the likelihood, a function of `margins`, `programs` is the linear program of last
resort, and `cone` draws uniformly from the separating hyperplanes. All work on batches of signed
rows: the rows x_i with the intercept's 1 in front, multiplied by +1 for the second class and by -1
for the first.
"""
