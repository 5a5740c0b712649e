"""Train the head that tells how acceptable a sentence is."""
