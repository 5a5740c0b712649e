"""Tests of LanguageTool as a checker; most talk to a fake server."""
