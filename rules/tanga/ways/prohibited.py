"""Hexes that are prohibited to a stack: to pass, or to stay in (TA-3, TA-9.5)."""

from collections.abc import Iterable, Sequence

from rules.core.hexboard.hexes import Hex
from rules.core.hexboard.ways import around, without
from rules.core.model import Cite, Mark
from rules.tanga.field import barred_by, board_of, foe, has_room, hex_of, units_at
from rules.tanga.model import BRITISH, Arm, Kind, TangaState, TangaUnit

MOVING = Cite(rule="TA-9.5")
ASHORE = Cite(rule="TA-3")
SEA = Cite(rule="TA-H.2", mark=Mark.HOUSE)


def prohibited(state: TangaState, units: Sequence[TangaUnit], hex_: Hex, *, ending: bool) -> Cite | None:
    """The rule that keeps a stack out of a hex, or with `ending` from staying in it; None where it may."""
    board = board_of(state)
    enemies = barred_by(state, foe(units[0].side))
    if hex_ not in board.land:
        return SEA
    if hex_ in enemies or (is_shy(units) and hex_ in around(enemies)):
        return MOVING
    if hex_ in closed_beaches(state, units):
        return ASHORE
    return MOVING if ending and not may_stay(state, units, hex_) else None


def open_to(state: TangaState, units: Sequence[TangaUnit]) -> frozenset[Hex]:
    """Every hex a stack may pass through; equal for equal positions of the enemy, and looked up."""
    enemies = barred_by(state, foe(units[0].side))
    beside = around(enemies) if is_shy(units) else frozenset()
    return without(board_of(state).land, enemies | beside | closed_beaches(state, units))


def may_stay(state: TangaState, units: Sequence[TangaUnit], hex_: Hex) -> bool:
    """Whether a stack has room in a hex: within the stacking limit, beside nobody of another formation (TA-9.5).

    Command officers stand with any formation of theirs (TA-9.6).
    """
    return all(unit.arm is Arm.COMMANDER for unit in units) or has_room(state, hex_, units[0].formation, units)


def is_shy(units: Sequence[TangaUnit]) -> bool:
    """Whether a stack is British machine guns, with leaders perhaps: they go next to no German (TA-9.5)."""
    arms = {unit.arm for unit in units if unit.is_combat}
    return arms == {Arm.MACHINE_GUN} and units[0].side == BRITISH


def stays_behind(state: TangaState, units: Sequence[TangaUnit], hex_: Hex) -> tuple[TangaUnit, ...]:
    """The machine guns of a British stack that may not follow it into a hex, and leave it therefore (TA-9.5)."""
    if units[0].side != BRITISH or hex_ not in around(barred_by(state, foe(BRITISH))):
        return ()
    return tuple(unit for unit in units if unit.arm is Arm.MACHINE_GUN)


def closed_beaches(state: TangaState, units: Iterable[TangaUnit]) -> frozenset[Hex]:
    """Beach and beachhead hexes that a stack may not enter (TA-3).

    None for staffs; for who has left his own all of them, until then those of the other beaches.
    """
    closed = frozenset[Hex]()
    for unit in units:
        formation = state.formation(unit.formation)
        if unit.side != BRITISH or formation.kind is Kind.STAFF:
            continue
        board = board_of(state)
        own = None if unit.inland else board.beaches.get(formation.beach)
        closed |= board.landing - ({own.beach, own.head} if own else set())
    return closed


def friends_to_shun(state: TangaState, units: Sequence[TangaUnit]) -> frozenset[Hex]:
    """What routers keep out of while there is another path: friendly combat units neither retreating nor collapsed.

    Leaders and stevedores alone bar nothing (TA-9.5).
    """
    routing = {unit.id for unit in units}
    friends = (unit for hex_ in barred_by(state, units[0].side) for unit in units_at(state, hex_) if unit.is_combat)
    firm = (unit for unit in friends if not unit.retreating and not state.formation(unit.formation).collapsed)
    return frozenset(hex_of(unit) for unit in firm if unit.id not in routing)
