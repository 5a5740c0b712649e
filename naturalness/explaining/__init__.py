"""Why a text has its score, where, and what would raise it; plain data, drawn elsewhere."""
