"""Battles for Empire, the quick reference: stands, inches, nine phases, conduct charts (BE)."""
