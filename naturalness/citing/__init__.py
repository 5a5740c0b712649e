"""How to cite the package, the papers whose methods it has, and what its models learned from."""
