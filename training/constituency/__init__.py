"""The constituency parser and the grammar: treebanks, network, training, packaging."""
