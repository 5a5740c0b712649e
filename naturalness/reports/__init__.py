"""Reports that compare raters, systems or metrics."""
