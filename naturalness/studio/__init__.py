"""The servers: rating in the browser (`annotate`), a model over HTTP (`serve`), and the web code both share (`web`)."""
