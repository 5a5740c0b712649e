"""Read and write tables whose rows are plain Python values."""

from naturalness.data.batch import Batch
from naturalness.data.reading import read_batches
from naturalness.data.writing import open_writer

__all__ = ["Batch", "open_writer", "read_batches"]
