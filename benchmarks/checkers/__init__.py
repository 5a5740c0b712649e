"""What `check` and other checkers flag in the same sentences."""
