"""Reports on rated texts: where a model and the raters disagree, and why."""
