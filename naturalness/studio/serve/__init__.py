"""Serve a model over HTTP, with a page."""
