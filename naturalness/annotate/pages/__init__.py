"""The page on which sentences are rated, and what runs behind it."""
