"""Queries of the position: hexes of units, lines of sight, firing units (TA-0.2, TA-H.3 to TA-H.9).

No function uses hidden information.
"""

from collections.abc import Iterable, Sequence

from rules.core.hexboard.hexes import Hex
from rules.core.hexboard.stacks import hexes_of_side, units_at

from .maps import Board, board_of_map, house_board
from .model import BRITISH, GERMAN, Arm, Condition, Kind, TangaState, TangaUnit
from .options import TangaOptions

ACTING = (Arm.ARTILLERY, Arm.INFANTRY, Arm.MACHINE_GUN)


def board_of(state: TangaState) -> Board:
    """Return the game's map: the house map, or the map of the player's own box. Boards are cached."""
    return house_board() if state.own is None else board_of_map(state.own)


def opposing_side(side: str) -> str:
    """Return the opposing side."""
    return GERMAN if side == BRITISH else BRITISH


def is_held_by(state: TangaState, hex_: Hex, side: str) -> bool:
    """Whether a good-order combat unit of the side is in the hex."""
    return any(unit.side == side and unit.is_in_good_order and unit.is_combat for unit in units_at(state, hex_))


def formation_units(state: TangaState, formation: str) -> tuple[TangaUnit, ...]:
    """Return a formation's units, on and off the map."""
    return tuple(unit for unit in state.units.values() if unit.formation == formation)


def hex_protection(state: TangaState, hex_: Hex) -> int:
    """Return the protection of a hex, which lowers factors of attackers: terrain plus improved position (TA-H.2)."""
    bonus = state.options.improved_protection if hex_ in state.improved else 0
    return board_of(state).protection(hex_) + bonus


def acting_order_key(state: TangaState, unit: TangaUnit) -> tuple[object, ...]:
    """Return a sort key by which a formation's units act (TA-2).

    In a battalion, companies A to H come first, then the MG; in a staff, artillery, infantry and MG. Leaders come last.
    """
    if unit.is_leader:
        return (9, unit.id)
    if state.formation(unit.formation).kind is Kind.STAFF:
        return (ACTING.index(unit.arm) if unit.arm in ACTING else len(ACTING), unit.id)
    return (0 if unit.arm is Arm.INFANTRY else 1, unit.letter, unit.id)


def firing_range(options: TangaOptions, unit: TangaUnit) -> int:
    """Return the unit's range in hexes by the game's options, 0 if the unit cannot fire (TA-H.5)."""
    if unit.arm is Arm.INFANTRY:
        return options.black_powder_range if unit.black_powder else options.rifle_range
    if unit.arm is Arm.MACHINE_GUN:
        return options.machine_gun_range
    return options.artillery_range if unit.arm is Arm.ARTILLERY and unit.rounds != 0 else 0


def firing_order_key(unit: TangaUnit) -> tuple[object, ...]:
    """Return a sort key by which units of a stack fire and are hit: MGs first, then units by CF (TA-4, TA-9)."""
    return (unit.arm is not Arm.MACHINE_GUN, -unit.cf, unit.black_powder, unit.id)


def firing_unit(units: Iterable[TangaUnit]) -> TangaUnit | None:
    """Return the combat unit that fires first and is hit first: one in good order, if possible. None without one."""
    combat = sorted((unit for unit in units if unit.is_combat), key=firing_order_key)
    return next((unit for unit in combat if unit.is_in_good_order), combat[0] if combat else None)


def units_able_to_fire(state: TangaState, units: Iterable[TangaUnit], distance: int) -> tuple[TangaUnit, ...]:
    """Return the good-order combat units that have not fired and reach `distance` hexes, the firing unit first."""
    ready = (unit for unit in units if unit.is_in_good_order and unit.is_combat and not unit.fired)
    in_range = (unit for unit in ready if firing_range(state.options, unit) >= distance)
    return tuple(sorted(in_range, key=firing_order_key))


def can_fire_at(state: TangaState, shooter: Hex, target: Hex, units: Sequence[TangaUnit] = ()) -> bool:
    """Whether `units` in hex `shooter`, by default the whole stack, can fire at the target hex by range and sight."""
    ready = units_able_to_fire(state, units or units_at(state, shooter), shooter.distance(target))
    return bool(ready) and shooter != target and board_of(state).sees(shooter, target)


def firing_hexes_with_range(state: TangaState, side: str) -> tuple[tuple[Hex, int], ...]:
    """Return a side's hexes with units that can still fire this turn, each with the longest range; cached per state."""
    cache: dict[str, tuple[tuple[Hex, int], ...]] = state.stacks.found
    if side not in cache:
        stacks = ((hex_, units_able_to_fire(state, units_at(state, hex_), 1)) for hex_ in hexes_of_side(state, side))
        ranges = ((hex_, [firing_range(state.options, unit) for unit in able]) for hex_, able in stacks)
        cache[side] = tuple((hex_, max(distances)) for hex_, distances in ranges if distances)
    return cache[side]


def leader_bonus(units: Iterable[TangaUnit]) -> int:
    """Return the best EB among the stack's leaders, 0 without leaders."""
    return max((unit.eb for unit in units if unit.is_leader), default=0)


def count_losses(state: TangaState, formation: str) -> int:
    """Return the FBL: disrupted and eliminated combat units, without a staff's HQ company (TA-H.9)."""
    units = (unit for unit in formation_units(state, formation) if unit.is_combat and not unit.headquarters)
    return sum(unit.condition is not Condition.GOOD for unit in units)


def has_space_for(state: TangaState, hex_: Hex, formation: str, coming: Sequence[TangaUnit]) -> bool:
    """Whether a hex has space for the units `coming`, by stacking limit and friends of other formations (TA-H.3).

    For units already in the hex, a revealed MG may exceed the limit (TA-1).
    """
    side, ids = state.formation(formation).side, {unit.id for unit in coming}
    friends = [unit for unit in units_at(state, hex_) if unit.side == side and unit.id not in ids]
    if any(unit.formation != formation and unit.arm is not Arm.COMMANDER for unit in friends):
        return False
    if not any(unit.is_combat for unit in coming):
        return True
    stay = all(unit.at == hex_ for unit in coming)
    return fits_stacking_limit(state, [unit for unit in (*friends, *coming) if not (stay and unit.turned_up)])


def fits_stacking_limit(state: TangaState, units: Iterable[TangaUnit]) -> bool:
    """Whether the number of combat units among `units` is within the stacking limit of a hex (TA-H.3)."""
    return sum(unit.is_combat for unit in units) <= state.options.stack_limit
