"""Options of Magdala to Mafeking: a changed default changes every new game."""

from rules.core.tests.listing import list_options, list_stored_bounds
from rules.magdala.options import MagdalaOptions
from rules.magdala.ruleset import Magdala

LISTED = """
the umpire house hidden_troops False
the umpire house deploy_in_secret False
the umpire house sight 0 0 to 240
the umpire house marker_move 8 0 to 72
MM-1 text most_generals 2 0 to 100
MM-1 ruling rejoins_within 6 0 to 72
MM-2.4 ruling foot_gun_move 6 1 to 36
MM-2.4 ruling light_gun_move 8 1 to 36
MM-2.4 ruling horse_gun_move 12 1 to 36
MM-2.7a ruling dismounted_kommando_move 8 1 to 36
MM-2.7a ruling heavy_weapon_move 6 1 to 36
MM-2.7a ruling mountain_gun_move 8 1 to 36
MM-2.7a ruling general_move 12 1 to 36
MM-2.7a ruling boat_move 12 1 to 36
MM-2.1 ruling one_change_of_order True
MM-2.2 ruling charge_after_move True
MM-2.2 ruling least_trot 6 0 to 12
MM-2.3 ruling at_hand 1 0 to 12
MM-2.8 ruling detachment_leash_foot 18 0 to 144
MM-2.8 ruling detachment_leash_mounted 32 0 to 144
MM-2.9 ruling going 1/2 0 to 1
MM-3.11 house friends_in_line warn
MM-3.3 ruling magazine_artillery False
MM-3.4 ruling prone_takes_the_move True
MM-3.6 ruling poor_shots 3/4 0 to 1
MM-3.6 ruling heavy_gun_least_range 12 0 to 72
MM-3.6 ruling sharpshooter_bonus 6 0 to 36
MM-3.9 ruling refill_irregulars False
MM-7 ruling machine_guns_as_small_arms True
MM-3.9 ruling refill_within 6 0 to 72
MM-4.2 ruling flank_beyond 90 0 to 180
MM-4.2 text flank_counts_defenders True
MM-4.3 ruling lancer_bonus True
MM-4.4 ruling overlap_by 0.5 0 to 12
MM-4.4 ruling covers_flank 1 0 to 12
MM-5.1 ruling stopped_short 1 0 to 12
MM-5.9 ruling reaches_supports 2 0 to 24
MM-6 ruling risk_hits 2 0 to 100
MM-V house broken_at 1/2 0 to 1
"""
STORED = """
MagdalaState turn usually 1
MagdalaState width usually 72.0
MagdalaState height usually 48.0
MagdalaState events usually 0
Arrival_MagdalaUnit_ turn 0 to 99 usually 0
Arrival_MagdalaUnit_ at_most 1 to 99 usually 99
MagdalaUnit figures 1 to 500
MagdalaUnit casualties 0 to 9999 usually 0
MagdalaUnit quality -2 to 0 usually 0
MagdalaUnit secret_quality -2 to 2 usually 0
MagdalaUnit building_sangar 0 to 99 usually 0
MagdalaUnit ammunition 0.0 to 99.0
MagdalaUnit ammunition_full 0.0 to 99.0
MagdalaUnit held_turns 0 to 9999 usually 0
MagdalaUnit retreats_in_a_row 0 to 9999 usually 0
MagdalaUnit pursuit_moves 0 to 9999 usually 0
MagdalaUnit melee_round 0 to 9999 usually 0
MagdalaUnit melee_lost_in_a_row 0 to 9999 usually 0
StoredPrompt lost_in_a_row usually 0
StoredPrompt hits usually 0
UnitTurn moved usually 0.0
UnitTurn fire_casualties usually 0
UnitTurn figures_at_start usually 0
UnitTurn tested_casualties usually 0
Fire range 0 to 1000
Melee contact 1 to
BugOut range 0 to 1000
Detach figures 1 to
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


def test_mm_rules_defaults_and_bounds_of_options() -> None:
    assert list_options(MagdalaOptions) == LISTED.strip()


def test_mm_bounds_and_defaults_of_stored_numbers() -> None:
    assert list_stored_bounds(Magdala()) == STORED.strip()
