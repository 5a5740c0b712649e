"""Reports on texts without ratings: systems compared, and one run with another."""
