"""The large body: an encoder of twelve layers that learns from damage, as the detector does."""
