"""Magdala to Mafeking, assembled: one deed a kind of action."""
