"""Checks of what the benchmarks draw, split and test."""
