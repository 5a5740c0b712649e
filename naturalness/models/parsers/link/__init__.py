"""Link Grammar (Sleator & Temperley 1993): words joined by links that a dictionary allows."""
