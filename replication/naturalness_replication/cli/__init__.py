"""The commands of the replications."""
