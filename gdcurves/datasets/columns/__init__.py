"""What a column is: its cells, its kind, its role, and what is to be looked at in it."""
