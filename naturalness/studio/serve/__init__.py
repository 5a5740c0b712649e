"""A model behind HTTP, with a page."""
