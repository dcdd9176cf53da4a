"""Values by which the bot opponent judges a position, each with its weight and label."""

from rules.core.value import Worth

from . import position_values

VALUES = (
    Worth("strength", 1, position_values.strength),
    Worth("formations about to break", -3, position_values.closeness_to_collapse),
    Worth("hexes that decide", 30, position_values.ground),
    Worth("hexes barred", 0.5, position_values.barred_victory_hexes),
    Worth("standing together", 0.7, position_values.stacked_units),
    Worth("assaults to come", 1.5, position_values.assaults, ahead=True),
    Worth("fire to come", 0.4, position_values.fire),
    Worth("danger", -0.5, position_values.danger),
    Worth("way to the hexes that decide", -0.1, position_values.nearness),
    Worth("way to the enemy", -0.3, position_values.distance),
    Worth("chances used", 0.2, position_values.used_chances),
    Worth("cover", 0.3, position_values.cover),
    Worth("leaders' care", 0.3, position_values.units_with_leaders),
)
