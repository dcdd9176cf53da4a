"""The conduct charts, what destroys at once, and critical hits (BE-6, BE-7)."""
