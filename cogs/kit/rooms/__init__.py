"""Rooms: the private threads of the sides of a game."""
