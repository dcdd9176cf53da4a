"""Options of Battles for Empire: a changed default changes every new game."""

from rules.core.tests.listing import list_options, list_stored_bounds
from rules.empire.options import EmpireOptions
from rules.empire.ruleset import Empire

LISTED = """
the umpire house hidden_troops False
the umpire house deploy_in_secret False
the umpire house sight 0 0 to 240
the umpire house marker_move 8 0 to 72
BE-1 house reinforcements_by_dice True
BE-1 house fixing_bayonets True
BE-1 house initiative_by_dice True
BE-1 ruling low_ammo_by_supply True
BE-1 ruling supply_within 1 0 to 12
BE-2.3 ruling kills_foot_mounted 4 1 to 20
BE-2.3 ruling kills_crews 2 1 to 20
BE-3 ruling dice_of_each_gun True
BE-3 ruling covers_add_up False
BE-3 house guns_fire_after_moving False
BE-4 house fire_arc 90 10 to 360
BE-4 ruling dice_of_each_machine_gun True
BE-4 ruling jam_by_dice_chosen True
BE-4 ruling jammed_hits_count True
BE-4 ruling contact_by_firer True
BE-4.4 house friends_in_line warn
BE-5 ruling doubling_supports False
BE-5 ruling opponent_by_primary True
BE-5 ruling defending_if_charged True
BE-5 ruling works_are_obstacles True
BE-5 house shaken_may_support False
BE-5 ruling support_within 1 0 to 12
BE-5 ruling flank_beyond 90 0 to 180
BE-6 ruling gave_way_in_4a_alone True
BE-6 text command_radius 12 0 to 72
BE-6 text fanatics_within 12 0 to 72
BE-6 text recoil 3 0 to 24
BE-6 text theatre all types
BE-6a ruling theatre_charts_win True
BE-6a ruling theatre_names_nations True
BE-M.2 house change_costs 1/2 0 to 1
BE-M.2 house free_turn 45 0 to 180
BE-M.6 house commander_move 18 1 to 72
BE-M.6 house supply_move 9 1 to 72
BE-M.4 house ground_within 1 0 to 12
BE-7 ruling exposed_by_kills True
BE-7 ruling wagons_exposed False
BE-V house broken_at 1/2 0 to 1
"""
STORED = """
EmpireState turn usually 1
EmpireState width usually 72.0
EmpireState height usually 48.0
Arrival_EmpireUnit_ turn 0 to 99 usually 0
Arrival_EmpireUnit_ at_most 1 to 99 usually 99
Contact rounds 0 to 9999 usually 0
EmpireUnit stands 1 to 30 usually 4
EmpireUnit formations to 200
EmpireUnit brigade to 60
EmpireUnit kills 0 to 99 usually 0
EmpireUnit clearing 0 to 99 usually 0
EmpireUnit out_until 0 to 9999 usually 0
Reserve turn 1 to 99
Reserve score 1 to 6 usually 1
Reserve facing usually 0.0
UnitTurn spent usually 0.0
UnitTurn moved usually 0.0
UnitTurn turned usually 0.0
UnitTurn kills usually 0
Fire range 0 to 1000
Fire dice 1 to 99
Event text 1 to 300
TerrainAdd at to 500
TerrainAdd width 0.1 to 240.0
TerrainAdd turned -360 to 360 usually 0.0
TerrainTurn degrees -360 to 360
Muster lines to 4000
Muster choices to 10
LayOut terrain to 4000
LayOut armies to 2
PutMarker facing usually 0.0
"""


def test_be_rules_defaults_and_bounds_of_options() -> None:
    assert list_options(EmpireOptions) == LISTED.strip()


def test_be_bounds_and_defaults_of_stored_numbers() -> None:
    assert list_stored_bounds(Empire()) == STORED.strip()
