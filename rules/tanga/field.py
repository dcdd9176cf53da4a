"""What lies open on the map: who stands where, who sees whom, what a stack fires with (TA-0.2, TA-H.3 to TA-H.9).

Everything here is read of a state and of nothing hidden.
"""

from collections.abc import Iterable, Sequence

from rules.core.hexboard.hexes import Hex
from rules.core.hexboard.stacks import hexes_of, units_at
from rules.core.hexboard.victory import VictoryHexes

from .maps import VICTORY_KINDS, Board, board_from, house_board
from .model import BRITISH, GERMAN, Arm, Condition, Kind, TangaState, TangaUnit
from .options import TangaOptions

ACTING = (Arm.ARTILLERY, Arm.INFANTRY, Arm.MACHINE_GUN)


def board_of(state: TangaState) -> Board:
    """The map of a game: the house map, or that of the player's own box; made once and kept."""
    return house_board() if state.own is None else board_from(state.own)


def foe(side: str) -> str:
    """The other side."""
    return GERMAN if side == BRITISH else BRITISH


def is_held_by(state: TangaState, hex_: Hex, side: str) -> bool:
    """Whether a good-order combat unit of a side is in the hex."""
    return any(unit.side == side and unit.is_good and unit.is_combat for unit in units_at(state, hex_))


VICTORY: VictoryHexes[TangaState] = VictoryHexes(
    attacker=BRITISH,
    defender=GERMAN,
    words={kind: kind.replace("european", "European") for kind in VICTORY_KINDS},
    board=board_of,
    holds=is_held_by,
)
"""Who wins (TA-H.11): victory hexes are held by a combat unit in good order (TA-9.B, row 1)."""


def of_formation(state: TangaState, formation: str) -> tuple[TangaUnit, ...]:
    """Units of a formation, wherever they are."""
    return tuple(unit for unit in state.units.values() if unit.formation == formation)


def protection(state: TangaState, hex_: Hex) -> int:
    """What a hex takes off an attacker's factor: its terrain, and an improved position (TA-H.2)."""
    bonus = state.options.improved_protection if hex_ in state.improved else 0
    return board_of(state).protection(hex_) + bonus


def acting_order(state: TangaState, unit: TangaUnit) -> tuple[object, ...]:
    """Key of the order in which units act: companies A to H then MG; of a staff artillery, infantry, MG (TA-2)."""
    if unit.is_leader:
        return (9, unit.id)
    if state.formation(unit.formation).kind is Kind.STAFF:
        return (ACTING.index(unit.arm) if unit.arm in ACTING else len(ACTING), unit.id)
    return (0 if unit.arm is Arm.INFANTRY else 1, unit.letter, unit.id)


def reach_of(state: TangaState, unit: TangaUnit) -> int:
    """Range of a unit in hexes (TA-H.5); 0 for one that fires nothing."""
    return reach_by(state.options, unit)


def reach_by(options: TangaOptions, unit: TangaUnit) -> int:
    """The same, by the options of a game."""
    if unit.arm is Arm.INFANTRY:
        return options.black_powder_range if unit.black_powder else options.rifle_range
    if unit.arm is Arm.MACHINE_GUN:
        return options.machine_gun_range
    return options.artillery_range if unit.arm is Arm.ARTILLERY and unit.rounds != 0 else 0


def strength_order(unit: TangaUnit) -> tuple[object, ...]:
    """Key that puts the firing unit of a stack first: an MG whenever possible, then the best CF (TA-4, TA-9)."""
    return (unit.arm is not Arm.MACHINE_GUN, -unit.cf, unit.black_powder, unit.id)


def firing_unit(units: Iterable[TangaUnit]) -> TangaUnit | None:
    """The firing unit of a stack: of its combat units in good order, else of its disrupted ones; None without any."""
    combat = sorted((unit for unit in units if unit.is_combat), key=strength_order)
    return next((unit for unit in combat if unit.is_good), combat[0] if combat else None)


def able_to_fire(state: TangaState, units: Iterable[TangaUnit], distance: int) -> tuple[TangaUnit, ...]:
    """Good-order combat units of a stack that have not fired and reach so far, the firing unit first."""
    ready = (unit for unit in units if unit.is_good and unit.is_combat and not unit.fired)
    return tuple(sorted((unit for unit in ready if reach_of(state, unit) >= distance), key=strength_order))


def may_fire_at(state: TangaState, shooter: Hex, target: Hex, units: Sequence[TangaUnit] = ()) -> bool:
    """Whether the stack in `shooter` (or those `units` of it) has a target hex in range and line of sight."""
    ready = able_to_fire(state, units or units_at(state, shooter), shooter.distance(target))
    return bool(ready) and shooter != target and board_of(state).sees(shooter, target)


def reaches(state: TangaState, side: str) -> tuple[tuple[Hex, int], ...]:
    """Hexes of a side that can still fire this turn, each with the range of the farthest; looked up once a state."""
    found: dict[str, tuple[tuple[Hex, int], ...]] = state.stacks.found
    if side not in found:
        far = ((hex_, able_to_fire(state, units_at(state, hex_), 1)) for hex_ in hexes_of(state, side))
        found[side] = tuple((hex_, max(reach_of(state, unit) for unit in able)) for hex_, able in far if able)
    return found[side]


def leader_bonus(units: Iterable[TangaUnit]) -> int:
    """The best EB among leaders of a stack; 0 without one."""
    return max((unit.eb for unit in units if unit.is_leader), default=0)


def losses(state: TangaState, formation: str) -> int:
    """FBL: its combat units now disrupted or eliminated; a staff's HQ company does not count (TA-H.9)."""
    return sum(
        1
        for unit in of_formation(state, formation)
        if unit.is_combat and not unit.headquarters and unit.condition is not Condition.GOOD
    )


def has_room(state: TangaState, hex_: Hex, formation: str, coming: Sequence[TangaUnit]) -> bool:
    """Whether units of a formation may end in a hex: no friends of another, and within the stacking limit (TA-H.3).

    Command officers are nobody's hindrance. An MG turned up in the hex may stay there over the limit, and so may who is
    there already (TA-1).
    """
    side, ids = state.formation(formation).side, {unit.id for unit in coming}
    there = [unit for unit in units_at(state, hex_) if unit.side == side and unit.id not in ids]
    if any(unit.formation != formation and unit.arm is not Arm.COMMANDER for unit in there):
        return False
    if not any(unit.is_combat for unit in coming):
        return True
    stay = all(unit.at == hex_ for unit in coming)
    return within_limit(state, [unit for unit in (*there, *coming) if not (stay and unit.turned_up)])


def within_limit(state: TangaState, units: Iterable[TangaUnit]) -> bool:
    """Whether so many may stand in one hex (TA-H.3)."""
    return sum(unit.is_combat for unit in units) <= state.options.stack_limit
