"""Write files completely or not at all, and check files before they are read."""
