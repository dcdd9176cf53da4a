"""Conduct charts, destruction at once, and critical hits (BE-6, BE-7)."""
