"""What servers of pages share: a guard, tokens, refusals; needs the extra `web`."""
