"""Battles for Empire, after its quick reference: stands, inches, nine phases, conduct charts (BE)."""
