"""Pages in the browser: rate sentences, and use a model; needs the extra `web`."""
