"""Moves and detachments: orders that bring units together, or apart (MM-1, MM-2)."""
