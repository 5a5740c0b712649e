"""Compare metrics with ratings: correlations with intervals, tests, figures on subsets, agreement of raters."""
