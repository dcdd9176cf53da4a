"""The actions on games, one service a module: start, act, undo, seats, opponents, clock, photographs."""
