"""Code shared by both servers: a guard, tokens, refusals; needs the extra `web`."""
