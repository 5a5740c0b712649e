"""Reports on where a model and the raters of a table disagree, and why."""
