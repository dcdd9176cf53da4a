"""Shared parts of games on a table in inches, independent of any rule system."""
