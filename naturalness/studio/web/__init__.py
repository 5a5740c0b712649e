"""Code shared by both servers: request checks, tokens, refusals and connections; requires the extra `web`."""
