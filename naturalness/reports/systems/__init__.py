"""Reports on unrated texts, which compare systems, or two runs of the same systems."""
