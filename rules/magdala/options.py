"""Rulings and house values of Magdala to Mafeking, changed for one game by `/umpire option`."""

from fractions import Fraction
from typing import Any

from pydantic import Field

from rules.core.state import Options


def ruling(default: Any, rule: str, description: str) -> Any:
    """An option that settles what the source leaves open."""
    return Field(default=default, description=description, json_schema_extra={"rule": rule, "mark": "ruling"})


class MagdalaOptions(Options):
    """Every ruling of MM that has a value."""

    foot_gun_move: int = ruling(6, "MM-2.4", "Inches a field gun of foot artillery moves in good going.")
    light_gun_move: int = ruling(8, "MM-2.4", "Inches a light field gun moves in good going.")
    horse_gun_move: int = ruling(12, "MM-2.4", "Inches a horse artillery gun moves in good going.")
    dismounted_kommando_move: int = ruling(8, "MM-2.7a", "Inches a kommando moves on foot.")
    heavy_weapon_move: int = ruling(6, "MM-2.7a", "Inches a machine gun, rocket or heavy gun moves.")
    mountain_gun_move: int = ruling(8, "MM-2.7a", "Inches a mountain gun moves.")
    boat_move: int = ruling(12, "MM-2.7a", "Inches the riverboat moves, on the river.")
    charge_after_move: bool = ruling(True, "MM-2.2", "Cavalry charges only if it also moved in its last own turn.")
    detachment_leash_foot: int = ruling(18, "MM-2.8", "Inches a detachment of dice-moving foot works from its parent.")
    detachment_leash_mounted: int = ruling(32, "MM-2.8", "The same for dice-moving mounted troops.")
    going: Fraction = ruling(Fraction(1, 2), "MM-2.9", "What bad going makes of a formed regular unit's move.")
    magazine_artillery: bool = ruling(False, "MM-3.3", "Whether the magazine bonus is for more than small arms.")
    poor_shots: Fraction = ruling(Fraction(3, 4), "MM-3.6", "What poor shots make of the number of dice.")
    heavy_gun_least_range: int = ruling(12, "MM-3.6", "Inches under which a heavy gun cannot fire.")
    sharpshooter_bonus: int = ruling(6, "MM-3.6", "Inches sharpshooters and snipers add to the outer limit of range.")
    refill_irregulars: bool = ruling(False, "MM-3.9", "Whether wagons and mules also refill irregulars.")
    machine_guns_as_small_arms: bool = ruling(True, "MM-7", "What covers from small arms covers from machine guns.")
    refill_within: int = ruling(6, "MM-3.9", "Inches within which a wagon or mules refill a unit.")
    flank_counts_defenders: bool = ruling(True, "MM-4.2", "In a flank attack every defender touching counts.")
    lancer_bonus: bool = ruling(True, "MM-4.3", "Lancers fight the first round at +1.")
    overlap_by: float = ruling(0.5, "MM-4.4", "Inches by which a front must reach beyond a flank to overlap it.")
    stopped_short: float = ruling(1, "MM-5.1", "Inches from the enemy at which attackers halted by fire stand.")
    reaches_supports: float = ruling(2, "MM-5.9", "Inches from its supports at which a unit has reached them.")
    risk_hits: int = ruling(2, "MM-6", "A unit's general is at risk when it takes more hits than this at once.")
