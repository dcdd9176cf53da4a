"""Casualties and the tests they bring: morale, reaction, generals (MM-5, MM-6)."""
