"""Saved games of every version, which stay for good, and what is asked of them."""
