"""Standard statistics for ratings and scores."""
