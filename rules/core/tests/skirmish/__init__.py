"""A small rule system on a table measured in inches."""
