"""`naturalness report`: where a model and raters disagree, or systems and runs differ, and why."""
