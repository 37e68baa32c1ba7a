"""Readers of file formats: bytes in, columns out."""
