"""Rulings and house values of Magdala to Mafeking, changed for one game by `/umpire option`."""

from fractions import Fraction

from rules.core.model import Exact
from rules.core.options import house, printed, ruling
from rules.core.tabletop.line_of_fire import FriendsInLine, friends_in_line_option
from rules.core.tabletop.options import TableOptions


class MagdalaOptions(TableOptions):
    """Values of rulings and house rules of Magdala to Mafeking, and printed values that an umpire may change."""

    most_generals: int = printed(2, "MM-1", "Generals and native commanders that an army may have at a time.", 0, 100)
    rejoins_within: int = ruling(6, "MM-1", "Inches from its parent at which a detachment may rejoin it.", 0, 72)
    foot_gun_move: int = ruling(6, "MM-2.4", "Inches a field gun of foot artillery moves in good going.", 1, 36)
    light_gun_move: int = ruling(8, "MM-2.4", "Inches a light field gun moves in good going.", 1, 36)
    horse_gun_move: int = ruling(12, "MM-2.4", "Inches a horse artillery gun moves in good going.", 1, 36)
    dismounted_kommando_move: int = ruling(8, "MM-2.7a", "Inches a kommando moves on foot.", 1, 36)
    heavy_weapon_move: int = ruling(6, "MM-2.7a", "Inches a machine gun, rocket or heavy gun moves.", 1, 36)
    mountain_gun_move: int = ruling(8, "MM-2.7a", "Inches a mountain gun moves.", 1, 36)
    general_move: int = ruling(12, "MM-2.7a", "Inches a general rides.", 1, 36)
    boat_move: int = ruling(12, "MM-2.7a", "Inches the riverboat moves, on the river.", 1, 36)
    one_change_of_order: bool = ruling(
        True, "MM-2.1", "One change of order a turn, none after firing, and no full fire in the turn of it."
    )
    charge_after_move: bool = ruling(True, "MM-2.2", "Cavalry charges only if it also moved in its last own turn.")
    least_trot: float = ruling(6, "MM-2.2", "Inches cavalry must have moved in its last turn to charge in this.", 0, 12)
    at_hand: float = ruling(1, "MM-2.3", "Inches from its horses, or from works, at which a unit is with them.", 0, 12)
    detachment_leash_foot: int = ruling(18, "MM-2.8", "Inches detached dice-moving foot works from its parent.", 0, 144)
    detachment_leash_mounted: int = ruling(32, "MM-2.8", "The same for dice-moving mounted troops.", 0, 144)
    going: Exact = ruling(Fraction(1, 2), "MM-2.9", "What bad going makes of a formed regular unit's move.", 0, 1)
    friends_in_line: FriendsInLine = friends_in_line_option("MM-3.11")
    magazine_artillery: bool = ruling(False, "MM-3.3", "Whether the magazine bonus is for more than small arms.")
    prone_takes_the_move: bool = ruling(
        True, "MM-3.4", "Lying down or getting up on the spot takes the place of the unit's move of that turn."
    )
    poor_shots: Exact = ruling(Fraction(3, 4), "MM-3.6", "What poor shots make of the number of dice.", 0, 1)
    heavy_gun_least_range: int = ruling(12, "MM-3.6", "Inches under which a heavy gun cannot fire.", 0, 72)
    sharpshooter_bonus: int = ruling(6, "MM-3.6", "Inches sharpshooters and snipers add to their outer range.", 0, 36)
    refill_irregulars: bool = ruling(False, "MM-3.9", "Whether wagons and mules also refill irregulars.")
    machine_guns_as_small_arms: bool = ruling(True, "MM-7", "What covers from small arms covers from machine guns.")
    refill_within: int = ruling(6, "MM-3.9", "Inches within which a wagon or mules refill a unit.", 0, 72)
    flank_beyond: float = ruling(90, "MM-4.2", "Degrees off a unit's facing at which its flank begins.", 0, 180)
    flank_counts_defenders: bool = printed(True, "MM-4.2", "In flank or rear every defender touching counts.")
    lancer_bonus: bool = ruling(True, "MM-4.3", "Lancers fight the first round at +1.")
    overlap_by: float = ruling(0.5, "MM-4.4", "Inches by which a front must reach beyond a flank to overlap it.", 0, 12)
    covers_flank: float = ruling(1, "MM-4.4", "Inches from a unit at which a friend beside it covers its flank.", 0, 12)
    stopped_short: float = ruling(1, "MM-5.1", "Inches from the enemy at which attackers halted by fire stand.", 0, 12)
    reaches_supports: float = ruling(2, "MM-5.9", "Inches from its supports at which a unit has reached them.", 0, 24)
    risk_hits: int = ruling(2, "MM-6", "A unit's general is at risk when it takes more hits than this at once.", 0, 100)
    broken_at: Exact = house(Fraction(1, 2), "MM-V", "The part of an army that, gone or flying, breaks it.", 0, 1)
