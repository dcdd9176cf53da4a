"""Moves, formations, works (MM-2, MM-7)."""
