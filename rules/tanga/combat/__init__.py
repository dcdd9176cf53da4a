"""The house game's fire, melee, retreat and rally (TA-H)."""
