"""Reports on texts without ratings: comparisons of systems and of two runs."""
