"""A second language, worked through: French (`python -m benchmarks.french HANDBOOK`)."""
