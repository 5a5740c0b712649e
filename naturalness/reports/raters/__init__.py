"""Where a model and the raters of a table disagree, and why: plain data, and its page."""
