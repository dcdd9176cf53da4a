"""Melee, and what hits do when a simultaneous phase ends (BE-2, BE-5)."""
