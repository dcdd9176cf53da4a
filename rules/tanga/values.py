"""What an opponent counts at Tanga, each with a word for it."""

from rules.core.worth import Worth

from . import worths

VALUES = (
    Worth("strength", 1, worths.strength),
    Worth("formations about to break", -3, worths.breaking),
    Worth("hexes that decide", 30, worths.ground),
    Worth("hexes barred", 0.5, worths.barred),
    Worth("standing together", 0.7, worths.together),
    Worth("assaults to come", 1.5, worths.assaults, ahead=True),
    Worth("fire to come", 0.4, worths.fire),
    Worth("danger", -0.5, worths.danger),
    Worth("way to the hexes that decide", -0.1, worths.nearness),
    Worth("way to the enemy", -0.3, worths.distance),
    Worth("chances used", 0.2, worths.used),
    Worth("cover", 0.3, worths.cover),
    Worth("leaders' care", 0.3, worths.care),
)
