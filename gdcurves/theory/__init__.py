"""What Ng & Jordan (2001) and Efron (1975) prove or claim, with numbers in place of O( ).

`odds` has the log odds of the population version of naive Bayes as a random variable, and so alpha
and G; `estimates` Lemma 3, by the proof's constants and exactly; `guarantees` the bounds of Theorem
4 and Proposition 2; `efron` the constants that m times the excess error tends to. `table` collects
them for the experiments of a plan, or for data.
"""
