"""Saved games of every version, kept permanently, and their tests."""
