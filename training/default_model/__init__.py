"""The default model: pooled ratings, and damaged beside real sentences."""
