"""Textbook statistics of ratings and scores."""
