"""Rate texts in a browser."""
