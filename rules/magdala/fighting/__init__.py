"""Melee and pursuit (MM-4)."""
