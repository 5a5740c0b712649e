"""Reports on raters, on systems and on metrics."""
