"""Counters as lists and cards show them, formation by formation."""

from collections.abc import Iterable

from rules.core.model import Viewer
from rules.core.state import UnitCard

from .field import board_of, losses, of_formation, reach_of
from .in_words import MARKER_NAME, in_order, is_coming, is_under_marker
from .model import BRITISH, GERMAN, Condition, Formation, Standing, TangaState, TangaUnit


def roster(state: TangaState, viewer: Viewer) -> tuple[UnitCard, ...]:  # noqa: ARG001
    """Every unit in order of battle, the lost ones last of their formation; all of it lies open."""
    cards = []
    for formation in in_order(state):
        units = of_formation(state, formation.id)
        for unit in sorted(units, key=lambda unit: unit.condition is Condition.ELIMINATED):
            line, more = " · ".join(said(state, unit)), tuple(details(state, formation, unit))
            cards.append(UnitCard(id=unit.id, name=unit.name, side=unit.side, line=line, details=more))
    return tuple(cards)


def factors(unit: TangaUnit) -> str:
    """`CF 5, MF 4`, `EB 1, MF 6`."""
    strength = f"EB {unit.eb}" if unit.is_leader else f"CF {unit.cf}"
    return f"{strength}, MF {unit.mf}"


def whereabouts(state: TangaState, unit: TangaUnit) -> str:
    """Its hex, or where it is instead."""
    if unit.at is not None:
        return board_of(state).title(unit.at)
    if is_under_marker(state, unit):
        return "under one of its formation's MG markers"
    if not is_coming(state, unit):
        return "off the map"
    return "aboard" if unit.side == BRITISH else f"arrives in turn {state.formation(unit.formation).arrives}"


def condition(state: TangaState, unit: TangaUnit) -> Iterable[str]:
    """Its state, the gravest first."""
    if unit.condition is not Condition.GOOD:
        yield unit.condition.value
    if unit.on_map and state.formation(unit.formation).collapsed:
        yield "in rout"
    elif unit.retreating:
        yield "retreating"
    if unit.fired:
        yield "has fired"
    if any(marker.company == unit.id for marker in state.markers.values()):
        yield MARKER_NAME


def said(state: TangaState, unit: TangaUnit) -> Iterable[str]:
    """`CF 5, MF 4 · 2609 · disrupted`; of a lost one only that."""
    if unit.condition is Condition.ELIMINATED:
        return (unit.condition.value,)
    return (factors(unit), whereabouts(state, unit), *condition(state, unit))


def details(state: TangaState, formation: Formation, unit: TangaUnit) -> Iterable[tuple[str, str]]:
    """Label and value pairs of a unit's card."""
    if formation.entry is not None:
        entry = f"{board_of(state).title(formation.entry)}{', entered' if formation.entered else ''}"
    else:
        entry = ""
    rounds = f"{unit.rounds} of {unit.rounds_full}" if unit.rounds is not None else ""
    reach = reach_of(state, unit)
    collapsed = ", collapsed" if formation.collapsed else ""
    pairs = {
        "Kind": f"{unit.arm.value}{', black powder' if unit.black_powder else ''}",
        "Factors": factors(unit),
        "Range": f"{reach} hexes" if reach else "",
        "Rounds": rounds,
        "Place": whereabouts(state, unit),
        "State": ", ".join(condition(state, unit)) or unit.condition.value,
        "RO hex": board_of(state).title(unit.ro) if unit.ro is not None else "",
        "Standing order": standing_order(unit) if unit.side == GERMAN and not unit.is_leader else "",
        "Formation": f"{formation.name}: losses {losses(state, formation.id)}, breaks at {formation.fbn}{collapsed}",
        "Beach": formation.beach,
        "Entry hex": entry,
    }
    return ((label, value) for label, value in pairs.items() if value)


def standing_order(unit: TangaUnit) -> str:
    """Its standing order for opportunity fire (TA-H.6)."""
    if unit.standing is Standing.WITHIN:
        return f"fires within {unit.fires_within} hexes"
    return "holds its fire" if unit.standing is Standing.HOLD else "asks"
