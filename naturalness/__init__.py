"""How natural an English sentence sounds, and why."""

__version__ = "0.1.0.dev0"
