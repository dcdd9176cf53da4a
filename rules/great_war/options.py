"""House values of The Great War, changed for one game by `/umpire option`."""

from enum import StrEnum

from rules.core.options import Options, house, ruling


class Scores(StrEnum):
    """When the enemy gets the medal for a ditched tank."""

    AT_ONCE = "at once"
    DESTROYED = "when destroyed"


class GreatWarOptions(Options):
    """House values and rulings that no chart has."""

    orders: int = house(4, "GW-1.1", "Units that a side may order in a turn, where no card says so.", 1, 30)
    hit_by_guns: int = house(3, "GW-1.6", "A hit on a tank by field artillery is confirmed on this or more.", 2, 6)
    hit_close: int = house(5, "GW-1.6", "So is one by other soldiers in close combat.", 2, 6)
    hit_else: int = house(6, "GW-1.6", "So is any other.", 2, 6)
    lost_for_a_flag: int = house(1, "GW-1.4", "Figures lost for each hex of retreat that cannot be made.", 0, 4)
    most_tokens: int = house(3, "GW-3.4", "HQ tokens that one recovery may take.", 0, 6)
    weaker_when_bogged: int = house(1, "GW-3.3", "Dice fewer for a tank whose recovery failed this turn.", 0, 4)
    ditched_scores: Scores = ruling(Scores.DESTROYED, "GW-3.4", "When a ditched tank brings the enemy its medal.")
