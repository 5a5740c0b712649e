"""Checks of the training code that need no torch."""
