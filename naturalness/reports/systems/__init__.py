"""Reports on unrated texts that compare systems, or two runs of the same systems."""
