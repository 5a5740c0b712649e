"""Rating texts in a browser."""
