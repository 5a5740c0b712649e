"""Label many texts in shards of rows with worker processes; an interrupted job can be resumed."""
