"""Playing with one's own boxed game: its map and counters, its tables on the player's board."""
