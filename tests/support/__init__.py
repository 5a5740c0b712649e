"""Helpers that several tests share: small models, documents and tables of our own."""
