"""Training of n-gram models, from texts to a folder, and mixing of several."""
