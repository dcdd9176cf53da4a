"""A system on a table in inches, small enough to be read at once."""
