"""A small rule system on a map of hexes."""
