"""The army lists and what is shown of a game: scenarios, cards, scenes, the umpire's chair (MM-1, MM-A)."""
