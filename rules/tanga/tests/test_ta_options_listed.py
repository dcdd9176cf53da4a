"""Tests that list the options and stored numbers of Tanga 1914; a changed default changes every new game."""

from rules.core.tests.listing import list_options, list_stored_bounds
from rules.tanga.options import TangaOptions
from rules.tanga.ruleset import Tanga

LISTED = """
TA-H house resolution house
TA-H.3 house stack_limit 3 1 to 6
TA-H.5 house rifle_range 3 1 to 10
TA-H.5 house black_powder_range 2 1 to 10
TA-H.5 house machine_gun_range 4 1 to 10
TA-H.5 house artillery_range 10 1 to 30
TA-H.5 house support 1 0 to 5
TA-H.5 house most_support 2 0 to 5
TA-H.2 house improved_protection 1 0 to 5
TA-H.5 house double_hit 2 1 to 12
TA-H.6 house standing_within 2 1 to 10
TA-9 ruling retreat_hexes 3 1 to 10
TA-H.9 house rout_hexes 6 1 to 12
TA-4 text least_tcf 2 0 to 12
TA-5 text least_melee 7 0 to 30
TA-H.7 house begins_melee 7 0 to 30
TA-H.7 house advance_on 4 1 to 12
TA-H.8 house rally_with_leader 6 1 to 12
TA-H.8 house rally_alone 4 1 to 12
TA-3 text wave 4 1 to 12
TA-9.C ruling ro_kept_beyond 3 0 to 10
TA-9.A ruling entry_throws 12 1 to 36
TA-9.B text near_a_beach 5 0 to 30
"""
STORED = """
TangaState turn usually 1
TangaState turns 1 to 99 usually 10
BritishTurn count usually 0
Formation short to 12
Formation fbn 1 to 20
Formation order usually 0
Formation arrives usually 1
Hours minutes 1 to 1440 usually 60
Hours turns_a_day 1 to 99
OpenQuestion answers 2 to 2
OwnMap road_cost 1 to 12 usually 1
TangaUnit letter to 2
TangaUnit cf 0 to 20 usually 0
TangaUnit mf 0 to 12 usually 0
TangaUnit eb 0 to 6 usually 0
TangaUnit rounds 0 to 99
TangaUnit rounds_full 0 to 99
TangaUnit moved 0 to 99 usually 0
TangaUnit fires_within 1 to 10 usually 2
StandingOrder hexes 1 to 10
Event text 1 to 300
"""


def test_ta_rules_defaults_and_bounds_of_options() -> None:
    assert list_options(TangaOptions) == LISTED.strip()


def test_ta_bounds_and_defaults_of_stored_numbers() -> None:
    assert list_stored_bounds(Tanga()) == STORED.strip()
