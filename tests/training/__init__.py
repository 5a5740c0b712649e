"""Tests of the training code; those that need torch say so."""
