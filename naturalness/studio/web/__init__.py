"""Code shared by both servers: a guard, tokens, refusals, connections; needs the extra `web`."""
