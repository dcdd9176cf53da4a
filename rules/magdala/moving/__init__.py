"""What a move is made of: rates, formations, marches, works (MM-2, MM-7)."""
