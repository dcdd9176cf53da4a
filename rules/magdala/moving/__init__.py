"""Parts of a move: rates, formations, marches, works (MM-2, MM-7)."""
