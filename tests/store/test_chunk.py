"""A chunk: its words, its file, and its place among others."""

from __future__ import annotations

from gdcurves.store.chunk import Chunk


def test_a_chunk_in_words_numbers_and_as_a_file() -> None:
    chunk = Chunk("votes", 100, 200)
    assert str(chunk) == "splits 100 to 199"
    assert chunk.n_splits == 100
    assert list(chunk.splits)[::99] == [100, 199]
    assert chunk.file == "000100-000199.csv"


def test_chunks_are_in_order_of_experiment_and_split() -> None:
    """By number: the file of split 1,000,000 comes before that of 999,900 by its name."""
    late = Chunk("votes", 1_000_000, 1_000_100)
    early = Chunk("votes", 999_900, 1_000_000)
    assert sorted([late, early, Chunk("liver", 0, 8)]) == [Chunk("liver", 0, 8), early, late]
    assert late.file < early.file
