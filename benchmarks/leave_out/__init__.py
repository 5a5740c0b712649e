"""The default model judged on rated sets that it never saw."""
