"""Scripts that rebuild each shipped asset; run from the repository root."""
