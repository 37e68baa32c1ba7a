"""One run, from its start to its end, and what its folder tells afterwards."""
