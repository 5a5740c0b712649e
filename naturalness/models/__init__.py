"""What was learned, or counts as a judge."""
