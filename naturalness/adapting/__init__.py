"""A model for texts of one kind, learned from such texts by people, without ratings."""
