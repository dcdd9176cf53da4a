"""The army lists and what is shown of a game: scenarios, cards, scenes, the umpire's tools (MM-1, MM-A)."""
