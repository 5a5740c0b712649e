"""`naturalness report`: explain where a model and raters disagree, or how systems or runs differ."""
