"""The shipped English n-gram models: `python -m training.language CORPORA --work DIR`."""
