"""Options of Tanga 1914: rulings and house values, which `/umpire option` changes for one game."""

from enum import StrEnum

from rules.core.options import Options, house, printed, ruling


class Resolution(StrEnum):
    """Method of resolving fire, melee and rally: house rules, or the tables of the player's own box."""

    HOUSE = "house"
    OWN = "own"


class TangaOptions(Options):
    """All rulings and house values of Tanga."""

    resolution: Resolution = house(Resolution.HOUSE, "TA-H", "Fire, melee and rally by house rules or your own box.")
    stack_limit: int = house(3, "TA-H.3", "Combat units to a hex, beside leaders.", 1, 6)
    rifle_range: int = house(3, "TA-H.5", "Hexes that rifles reach.", 1, 10)
    black_powder_range: int = house(2, "TA-H.5", "Hexes that black powder rifles reach.", 1, 10)
    machine_gun_range: int = house(4, "TA-H.5", "Hexes that machine guns reach.", 1, 10)
    artillery_range: int = house(10, "TA-H.5", "Hexes that artillery reaches.", 1, 30)
    support: int = house(1, "TA-H.5", "What each other good-order combat unit of the stack adds to TCF.", 0, 5)
    most_support: int = house(2, "TA-H.5", "Units that may so add.", 0, 5)
    improved_protection: int = house(1, "TA-H.2", "What an improved position adds to its hex's protection.", 0, 5)
    double_hit: int = house(2, "TA-H.5", "A natural throw of this or less on 2D6 hits twice.", 1, 12)
    standing_within: int = house(2, "TA-H.6", "Hexes within which Germans fire unless ordered otherwise.", 1, 10)
    retreat_hexes: int = ruling(3, "TA-9", "Hexes a disrupted unit, or the loser of a melee, retreats.", 1, 10)
    rout_hexes: int = house(6, "TA-H.9", "Hexes the units of a collapsed formation rout.", 1, 12)
    least_tcf: int = printed(2, "TA-4", "The British do not fire with a TCF under this.", 0, 12)
    least_melee: int = printed(7, "TA-5", "The British retreat from a melee with a hit chance under this.", 0, 30)
    begins_melee: int = house(7, "TA-H.7", "Nobody begins a melee with a melee factor under this.", 0, 30)
    advance_on: int = house(4, "TA-H.7", "D6 and EB with which the winner of a melee advances.", 1, 12)
    rally_with_leader: int = house(6, "TA-H.8", "2D6 at or under this and EB rallies a unit with a leader.", 1, 12)
    rally_alone: int = house(4, "TA-H.8", "2D6 at or under this rallies a unit without one.", 1, 12)
    wave: int = printed(4, "TA-3", "Combat units of a landing wave.", 1, 12)
    ro_kept_beyond: int = ruling(3, "TA-9.C", "An RO hex is chosen anew when a German is within so many hexes.", 0, 10)
    entry_throws: int = ruling(12, "TA-9.A", "Throws for an entry hex; then the nearest without a marker.", 1, 36)
    near_a_beach: int = printed(5, "TA-9.B", "Companies G and H go for Germans within so many hexes of a beach.", 0, 30)
