"""The army lists and what is shown of a game: scenarios, cards, scenes (MM-1, MM-A)."""
