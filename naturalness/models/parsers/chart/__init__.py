"""Charts over spans, which give the exact log-sum over all trees of a sentence and the k best trees."""
