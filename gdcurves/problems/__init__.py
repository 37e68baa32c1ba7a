"""Classification problems: numbers and class indices, from a table or from a law."""
