"""Melee, and the effects of hits when a simultaneous phase ends (BE-2, BE-5)."""
