"""What a game on a table in inches needs, whatever its rules."""
