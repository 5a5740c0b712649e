"""Code shared by both servers: request checks, tokens and refusals; requires the extra `web`."""
