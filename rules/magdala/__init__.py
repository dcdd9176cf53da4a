"""Magdala to Mafeking: figures, inches, alternate turns, an umpire."""
