"""What a results folder holds, and how it gets there whole."""
