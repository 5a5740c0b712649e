"""Tests of the benchmarks' samples, splits and figures."""
