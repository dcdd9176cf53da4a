"""Ids of the kinds of prompt that a side may answer beforehand."""

FIRST = "initiative"
FIRE = "fire"
BURST = "machine gun dice"
CLEARING = "clearing a jam"
BAYONETS = "bayonets"
SUPPORT = "support"
END_OF_PHASE = "end of phase"
