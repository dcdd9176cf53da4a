"""What a game on hexes needs, whatever its rules."""
