"""What the command line says about sentences of our own, recorded and compared."""
