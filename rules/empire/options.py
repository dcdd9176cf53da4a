"""Rulings and house values of Battles for Empire, which `/umpire option` changes for one game."""

from enum import StrEnum
from fractions import Fraction

from rules.core.model import Exact
from rules.core.options import house, printed, ruling
from rules.core.tabletop.line_of_fire import FriendsInLine, friends_in_line_option
from rules.core.tabletop.options import TableOptions


class Theatre(StrEnum):
    """A theatre of war with its own conduct charts. `ALL_TYPES` stands for the general charts (BE-6)."""

    ALL_TYPES = "all types"
    ZULU_WAR = "Zulu War"
    SUDAN = "Sudan"
    FRONTIER = "North West Frontier and Afghanistan"


class EmpireOptions(TableOptions):
    """Options of Battles for Empire: rulings, house rules, and printed distances that an umpire may change."""

    reinforcements_by_dice: bool = house(True, "BE-1", "Reinforcements throw a D6 against the score of their scenario.")
    fixing_bayonets: bool = house(True, "BE-1", "Bayonets are fixed in phase 2; without it none count as unfixed.")
    initiative_by_dice: bool = house(True, "BE-1", "A D6 a side for initiative; else the scenario's side moves first.")
    low_ammo_by_supply: bool = ruling(True, "BE-1", "Phase 5 clears low ammunition only of units with mules or wagon.")
    supply_within: float = ruling(1, "BE-1", "Inches from mules or a wagon at which a unit is supplied by them.", 0, 12)
    kills_foot_mounted: int = ruling(4, "BE-2.3", "The kill with which foot or mounted are gone.", 1, 20)
    kills_crews: int = ruling(2, "BE-2.3", "The kill with which artillery or machine guns are gone.", 1, 20)
    dice_of_each_gun: bool = ruling(True, "BE-3", "Every gun of a unit throws its dice; else it throws those of one.")
    covers_add_up: bool = ruling(False, "BE-3", "Whether cover, skirmish order and gone to ground count one each.")
    guns_fire_after_moving: bool = house(False, "BE-3", "Whether guns that moved more than a pivot may fire that turn.")
    fire_arc: float = house(90, "BE-4", "Degrees about its front into which a formed unit or gun fires.", 10, 360)
    dice_of_each_machine_gun: bool = ruling(
        True, "BE-4", "Every machine gun of a unit throws the dice chosen; else the unit throws those of one."
    )
    jam_by_dice_chosen: bool = ruling(True, "BE-4", "Jamming compares the dice chosen, before any are removed.")
    jammed_hits_count: bool = ruling(True, "BE-4", "The hits of the burst that jams count.")
    contact_by_firer: bool = ruling(True, "BE-4", "Fire into contact goes by the firer's quality; else the target's.")
    friends_in_line: FriendsInLine = friends_in_line_option("BE-4.4")
    doubling_supports: bool = ruling(False, "BE-5", "Whether a flank or rear charge also doubles its supports' dice.")
    opponent_by_primary: bool = ruling(
        True, "BE-5", "The opponent's order, crew and mass are those of its primary; else of any unit of its side."
    )
    defending_if_charged: bool = ruling(True, "BE-5", "An obstacle or terrain counts only for a unit charged there.")
    works_are_obstacles: bool = ruling(True, "BE-5", "Field works count as an obstacle in melee.")
    shaken_may_support: bool = house(False, "BE-5", "Whether a shaken unit may support a friend in melee.")
    support_within: float = ruling(1, "BE-5", "Inches from a friend in melee at which a unit can support it.", 0, 12)
    flank_beyond: float = ruling(90, "BE-5", "Degrees off a unit's facing at which its flank begins.", 0, 180)
    gave_way_in_4a_alone: bool = ruling(
        True, "BE-6", "An opponent that gave way counts in 4a alone; else in what is thrown after it in 4B, too."
    )
    command_radius: int = printed(12, "BE-6", "Inches at which the army commander counts.", 0, 72)
    fanatics_within: int = printed(12, "BE-6", "Inches at which friends in fanatic charge count.", 0, 72)
    recoil: int = printed(3, "BE-6", "Inches of a recoil.", 0, 24)
    theatre: Theatre = printed(Theatre.ALL_TYPES, "BE-6", "The theatre, whose conduct charts are read.")
    theatre_charts_win: bool = ruling(True, "BE-6a", "Where a theatre's chart differs from the general one it wins.")
    theatre_names_nations: bool = ruling(
        True, "BE-6a", "A theatre's charts are for the nations that their headings name; else for all of a class."
    )
    change_costs: Exact = house(Fraction(1, 2), "BE-M.2", "The part of a move a new formation or facing costs.", 0, 1)
    free_turn: float = house(45, "BE-M.2", "Degrees a formed unit turns without its being a change of facing.", 0, 180)
    commander_move: int = house(18, "BE-M.6", "Inches a commander or leader rides.", 1, 72)
    supply_move: int = house(9, "BE-M.6", "Inches mules or a wagon go.", 1, 72)
    ground_within: float = house(
        1, "BE-M.4", "Inches at which a unit may use works, obstacles and other ground.", 0, 12
    )
    exposed_by_kills: bool = ruling(
        True, "BE-7", "Those attached to a unit that took a kill this turn are exposed; else all attached."
    )
    wagons_exposed: bool = ruling(False, "BE-7", "Whether wagons are exposed to critical hits as mules are.")
    broken_at: Exact = house(Fraction(1, 2), "BE-V", "The part of an army's units that, destroyed, breaks it.", 0, 1)
