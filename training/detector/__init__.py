"""The damage detector: an encoder that learned to tell text as it was written from damage."""
