"""Compare metrics with ratings: correlations with intervals, tests, subsets, agreement of raters, and an HTML page."""
