"""Files: whole or not there, checked before they are read."""
