"""Reports: on raters, on systems, on metrics."""
