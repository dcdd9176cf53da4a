"""A system on a map of hexes, small enough to be read at once."""
