"""Tanga 1914: the printed solitaire card plays the British, in house rules for the whole battle."""
