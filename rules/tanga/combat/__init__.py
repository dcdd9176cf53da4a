"""House rules for fire, melee, retreat and rally (TA-H)."""
