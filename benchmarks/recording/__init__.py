"""Record the output of the command line on sentences of our own, and compare it with an earlier recording."""
