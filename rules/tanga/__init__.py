"""Tanga 1914: the British by the printed solitaire card, and a house game to play them in."""
