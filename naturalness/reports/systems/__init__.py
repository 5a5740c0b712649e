"""Reports on texts without ratings, which compare systems or two runs."""
