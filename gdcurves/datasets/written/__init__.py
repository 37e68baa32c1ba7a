"""How numbers are written, and what texts of them say."""
