"""Pipelines from texts to features, and from rated texts to models that score texts."""
