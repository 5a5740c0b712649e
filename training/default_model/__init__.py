"""Train the default model on pooled ratings, and on real sentences with damaged versions."""
