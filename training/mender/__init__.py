"""The mender: a head on the detector that proposes edits, learned from damage and checked on edited sentences."""
