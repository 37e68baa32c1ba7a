"""Learning curves of generative and discriminative classifiers."""

__version__ = "0.1.0"
