"""A model behind an interface of HTTP, with a page."""
