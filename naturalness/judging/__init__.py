"""A model at work: its folder, opened; what it says of texts."""
