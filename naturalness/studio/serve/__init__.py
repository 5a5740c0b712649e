"""Serve a model over HTTP: an API and a web page."""
