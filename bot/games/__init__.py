"""The services of a game, one subject a module: start, act, undo, seats, opponents, clock, photographs."""
