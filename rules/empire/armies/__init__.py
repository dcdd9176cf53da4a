"""Troops and scenarios, and what is shown of a game: cards, scenes, the umpire's tools."""
