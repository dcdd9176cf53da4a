"""`/game`: start, join, show, undo, export and end a channel's game."""
