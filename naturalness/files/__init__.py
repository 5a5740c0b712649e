"""Write files completely or not at all, and check them before reading."""
