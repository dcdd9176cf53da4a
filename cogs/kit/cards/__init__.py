"""Cards: the messages that show reports, turns, order sheets, armies and the end of a game."""
