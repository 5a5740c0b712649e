"""Labelling many texts: shards of rows, worker processes, work that is never lost."""
