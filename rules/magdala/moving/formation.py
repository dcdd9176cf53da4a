"""What a unit does besides marching: orders, squares, lying down, mounting, limbering, cover and works."""

from collections.abc import Callable, Mapping
from typing import Any

from rules.core.model import Cite, Mark
from rules.core.ruleset import Refused
from rules.core.scene import Feature
from rules.core.tabletop import table
from rules.core.tabletop.placement import standing_on
from rules.core.wording import inches
from rules.magdala.arms import is_infantry
from rules.magdala.model import MagdalaState, MagdalaUnit, Order, Troop, Works
from rules.magdala.placement import COVERING, ROUGH_GOING, base, within

from .allowance import GUNS, rate

SKIRMISH, CLOSE = "skirmish order", "close order"
FORM_SQUARE, LEAVE_SQUARE = "form square", "leave square"
LIE_DOWN, STAND_UP = "lie down", "stand up"
MOUNT, DISMOUNT = "mount", "dismount"
LIMBER, UNLIMBER = "limber", "unlimber"
TAKE_COVER, ROUGH, LEAVE_COVER = "take cover", "enter rough going", "leave cover"
OCCUPY = {
    "occupy zareba": Works.ZAREBA,
    "occupy sandbags": Works.SANDBAGS,
    "occupy earthworks": Works.EARTHWORKS,
    "occupy sangar": Works.SANGAR,
}
FEATURES = {
    Works.ZAREBA: Feature.ZAREBA,
    Works.SANDBAGS: Feature.SANDBAGS,
    Works.EARTHWORKS: Feature.EARTHWORKS,
    Works.SANGAR: Feature.SANGAR,
}
ORDER_WORDS = (SKIRMISH, CLOSE, FORM_SQUARE, LEAVE_SQUARE)
"""Changes of order (MM-2.1)."""
ON_ITS_FEET = (STAND_UP, FORM_SQUARE)
"""Changes by which a unit that lies down gets up."""
HALF_TURN = (MOUNT, DISMOUNT)
WHOLE_TURN = (LIMBER, UNLIMBER)
BEFORE = (LEAVE_SQUARE, STAND_UP, SKIRMISH, CLOSE, LEAVE_COVER, MOUNT, *WHOLE_TURN)
AFTER = (DISMOUNT, FORM_SQUARE, LIE_DOWN, TAKE_COVER, ROUGH, *OCCUPY)
WORDS = (*BEFORE, *AFTER)
WHERE_IT_HALTS = (TAKE_COVER, ROUGH, *OCCUPY)
"""Changes that depend on where the move ends."""

UNDER_WAY: Mapping[str, Any] = {"works": Works.NONE, "building_sangar": 0, "prone": False}
"""A unit on the move: it has left its works and its half-built sangar, and got up (MM-3.4, MM-7)."""

ORDERS = Cite(rule="MM-2.1", mark=Mark.RULING)
MOUNTING = Cite(rule="MM-2.3")
LIMBERING = Cite(rule="MM-2.4")
WORKS = Cite(rule="MM-7", mark=Mark.RULING)

Update = Mapping[str, Any]


def change(state: MagdalaState, unit: MagdalaUnit, word: str) -> MagdalaUnit:
    """The unit after one change. Raises Refused where it cannot be made, or would change nothing."""
    changed = unit.model_copy(update=CHANGES[word](state, unit))
    if changed == unit:
        raise Refused(f"“{word}” would change nothing: {unit.name} is so already.", ORDERS)
    return changed


def on_foot(unit: MagdalaUnit, what: str) -> None:
    """Only troops on foot skirmish and lie down. Raises Refused."""
    if not is_infantry(unit):
        raise Refused(f"{unit.name} cannot {what}: that is for troops on foot.", ORDERS)


def _skirmish(_state: MagdalaState, unit: MagdalaUnit) -> Update:
    on_foot(unit, f"take {SKIRMISH}")
    if unit.in_square:
        raise Refused(f"{unit.name} is in square. Say “leave square” first.", ORDERS)
    return {"order": Order.SKIRMISH}


def _close(_state: MagdalaState, unit: MagdalaUnit) -> Update:
    on_foot(unit, f"take {CLOSE}")
    return {"order": Order.CLOSE}


def _form_square(_state: MagdalaState, unit: MagdalaUnit) -> Update:
    if unit.troop is not Troop.REGULAR_INFANTRY or unit.order is not Order.CLOSE:
        raise Refused(f"{unit.name} cannot form square: regular infantry in close order does.", ORDERS)
    return {"in_square": True, "prone": False}


def _leave_square(_state: MagdalaState, _unit: MagdalaUnit) -> Update:
    return {"in_square": False}


def _lie_down(_state: MagdalaState, unit: MagdalaUnit) -> Update:
    on_foot(unit, LIE_DOWN)
    if unit.in_square:
        raise Refused(f"{unit.name} is in square and stands.", ORDERS)
    return {"prone": True}


def _stand_up(_state: MagdalaState, _unit: MagdalaUnit) -> Update:
    return {"prone": False}


def _mount(state: MagdalaState, unit: MagdalaUnit) -> Update:
    """Regulars fall in as they mount: there is no skirmish order on horseback (ruling)."""
    if not unit.has_horses or unit.mounted:
        why = "is mounted" if unit.mounted else "has no horses to mount"
        raise Refused(f"{unit.name} {why}.", MOUNTING)
    away = horses_away(unit)
    if away is not None and away > state.options.at_hand:
        raise Refused(f"The horses of {unit.name} stand {inches(away)} off. Move to “horses” first.", MOUNTING)
    order = Order.CLOSE if unit.regular else unit.order
    return {"mounted": True, "horses_at": None, "prone": False, "order": order}


def horses_away(unit: MagdalaUnit) -> float | None:
    """Inches from a unit to the horses it left; None where they are with it, or positions unknown."""
    here = base(unit)
    if here is None or unit.horses_at is None:
        return None
    return table.away(here, unit.horses_at.point)


def _dismount(_state: MagdalaState, unit: MagdalaUnit) -> Update:
    if not unit.has_horses or not unit.mounted:
        why = "is on foot" if unit.has_horses else "does not fight on foot"
        raise Refused(f"{unit.name} {why}.", MOUNTING)
    return {"mounted": False, "horses_at": unit.place}


def _limber(state: MagdalaState, unit: MagdalaUnit) -> Update:
    _has_a_limber(state, unit, limbered=True)
    return {"limbered": True}


def _unlimber(state: MagdalaState, unit: MagdalaUnit) -> Update:
    _has_a_limber(state, unit, limbered=False)
    return {"limbered": False}


def _has_a_limber(state: MagdalaState, unit: MagdalaUnit, *, limbered: bool) -> None:
    if not needs_limber(state, unit):
        raise Refused(f"{unit.name} has no limber: that is for field guns, heavy guns and pom-poms.", LIMBERING)
    if unit.limbered is limbered:
        raise Refused(f"{unit.name} is {'limbered' if limbered else 'unlimbered'} already.", LIMBERING)


def needs_limber(state: MagdalaState, unit: MagdalaUnit) -> bool:
    """Guns that limber up to move (MM-2.4)."""
    return unit.troop in GUNS and rate(unit, state.options).limbers


def _take_cover(state: MagdalaState, unit: MagdalaUnit) -> Update:
    return _ground(state, unit, Works.COVER, tuple(COVERING))


def _rough(state: MagdalaState, unit: MagdalaUnit) -> Update:
    return _ground(state, unit, Works.ROUGH, tuple(ROUGH_GOING))


def _ground(state: MagdalaState, unit: MagdalaUnit, works: Works, features: tuple[Feature, ...]) -> Update:
    """Where positions are unknown the umpire knows the ground; else the unit must stand on it."""
    if unit.place is not None and standing_on(state, unit, features) is None:
        kinds = " or ".join(features)
        raise Refused(f"{unit.name} does not stand in {kinds}. Move there, or ask the umpire for cover.", WORKS)
    return {"works": works}


def _leave_cover(_state: MagdalaState, _unit: MagdalaUnit) -> Update:
    return {"works": Works.NONE}


def _occupies(works: Works) -> Callable[[MagdalaState, MagdalaUnit], Update]:
    def occupy(state: MagdalaState, unit: MagdalaUnit) -> Update:
        here = base(unit)
        at_hand = state.options.at_hand
        near = here is not None and any(
            piece.feature is FEATURES[works] and table.reach(piece, here) <= at_hand for piece in state.terrain
        )
        wagons = [other for other in state.of_side(unit.side) if other.troop is Troop.WAGON and other.id != unit.id]
        behind_wagon = works is Works.SANDBAGS and bool(within(unit, wagons, at_hand))
        if here is not None and not near and not behind_wagon:
            raise Refused(f"{unit.name} is not within {inches(at_hand)} of any {FEATURES[works]}.", WORKS)
        return {"works": works}

    return occupy


CHANGES: Mapping[str, Callable[[MagdalaState, MagdalaUnit], Update]] = {
    SKIRMISH: _skirmish,
    CLOSE: _close,
    FORM_SQUARE: _form_square,
    LEAVE_SQUARE: _leave_square,
    LIE_DOWN: _lie_down,
    STAND_UP: _stand_up,
    MOUNT: _mount,
    DISMOUNT: _dismount,
    LIMBER: _limber,
    UNLIMBER: _unlimber,
    TAKE_COVER: _take_cover,
    ROUGH: _rough,
    LEAVE_COVER: _leave_cover,
    **{word: _occupies(works) for word, works in OCCUPY.items()},
}
