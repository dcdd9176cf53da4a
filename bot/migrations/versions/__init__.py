"""Migrations, oldest first: one file per change of the tables."""
