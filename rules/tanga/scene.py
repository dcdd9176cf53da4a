"""Map picture, counters and unit cards, which are equal for all viewers: MG markers keep their secret (TA-1)."""

from collections.abc import Iterable, Mapping, Sequence

from rules.core.hexboard.hex_scene import Counter, HexNote, HexScene, NoteKind, Track
from rules.core.hexboard.hexes import Hex
from rules.core.hexboard.stacks import scene_with_stacks, units_at
from rules.core.scene import StatusMarker, Symbol, write_alt_text
from rules.core.turn_events import UnitFacts

from . import victory
from .descriptions import (
    MARKER_NAME,
    awaited_formations,
    clock_in_words,
    formations_in_order,
    is_coming,
    is_under_marker,
    positions_in_words,
    short_name,
)
from .field import board_of, count_losses, firing_order_key, firing_range, is_held_by
from .model import BRITISH, GERMAN, Arm, Condition, FireOrder, Phase, TangaState, TangaUnit
from .scenarios import SCENARIOS

SYMBOLS = {
    Arm.INFANTRY: Symbol.INFANTRY,
    Arm.MACHINE_GUN: Symbol.MACHINE_GUN,
    Arm.ARTILLERY: Symbol.ARTILLERY,
    Arm.LEADER: Symbol.GENERAL,
    Arm.COMMANDER: Symbol.GENERAL,
    Arm.STEVEDORES: Symbol.PACK,
}
MISSED = "no hit"
"""Label of a shot without hits."""
STANDING = {FireOrder.WITHIN: "fires within {} hexes", FireOrder.HOLD: "holds its fire", FireOrder.ASK: "asks"}
"""Standing orders for opportunity fire, in words (TA-H.6)."""


def scene(state: TangaState) -> HexScene:
    """Return the map picture, with moves and shots of the last action."""
    heading = picture_title(state)
    return scene_with_stacks(
        state,
        board_of(state),
        heading,
        lambda hex_: hex_counters(state, hex_),
        subtitle=state.over.why if state.over else victory.tally_held_hexes(state),
        notes=tuple(hex_notes(state)),
        tracks=tuple(movement_tracks(state)),
        off_map=tuple(awaited_formations(state)),
        alt=write_alt_text(
            state.sides, f"{heading}.", positions_in_words(state, fully=True), positions_in_words(state, fully=False)
        ),
    )


def picture_title(state: TangaState) -> str:
    """Return the title: `The Initial Assault — turn 3 of 10, Germans, movement, 3 November 1914, 07:00`."""
    entry = SCENARIOS.all.get(state.scenario)
    scenario = (state.own.title if state.own else "") or (entry.title if entry else state.scenario)
    phase = "" if state.phase == Phase.BRITISH.value else state.phase
    now = (f"turn {state.turn} of {state.turns}", state.side(state.active).name, phase, clock_in_words(state))
    return state.heading(scenario, ", ".join(word for word in now if word))


def hex_counters(state: TangaState, hex_: Hex) -> Iterable[Counter]:
    """Yield a hex's counters from the top: combat units (firing unit first), leaders, face-down markers."""
    stack = units_at(state, hex_)
    for unit in sorted(stack, key=lambda unit: (not unit.is_combat, not unit.is_in_good_order, firing_order_key(unit))):
        routs = state.formation(unit.formation).collapsed
        markers = {
            StatusMarker.DISRUPTED: unit.condition is Condition.DISRUPTED,
            StatusMarker.ROUTED: routs,
            StatusMarker.RETREATING: unit.retreating and not routs,
            StatusMarker.FIRED: unit.fired,
            StatusMarker.NO_AMMUNITION: unit.rounds == 0,
            StatusMarker.BLACK_POWDER: unit.black_powder,
        }
        yield Counter(
            unit=unit.id,
            name=short_name(state, unit),
            side=unit.side,
            symbol=SYMBOLS[unit.arm],
            left=f"+{unit.eb}" if unit.is_leader else str(unit.cf or ""),
            right=str(unit.mf),
            middle=str(firing_range(state.options, unit) or ""),
            formation=state.formation(unit.formation).short,
            markers=tuple(marker for marker, lies in markers.items() if lies),
        )
    ids = {unit.id for unit in stack}
    for marker in state.markers.values():
        if marker.company in ids:
            yield Counter(unit=marker.id, name=MARKER_NAME, side=BRITISH, face_down=True)


def hex_notes(state: TangaState) -> Iterable[HexNote]:
    """Yield notes on hexes: entry hexes with totals, beaches, victory hexes, improved positions, entry markers."""
    board = board_of(state)
    for total, hex_ in board.spec.entries.items():
        yield HexNote(hex=hex_, kind=NoteKind.ENTRY_HEX, text=str(total))
    for letter, beach in board.beaches.items():
        yield HexNote(hex=beach.beach, kind=NoteKind.BEACH, text=letter)
    for hex_ in sorted(victory.victory_hexes(state)):
        holder = next((side for side in (BRITISH, GERMAN) if is_held_by(state, hex_, side)), "")
        yield HexNote(hex=hex_, kind=NoteKind.VICTORY, side=holder)
    for hex_ in state.improved:
        yield HexNote(hex=hex_, kind=NoteKind.IMPROVED)
    for formation in state.formations.values():
        if formation.entry is not None:
            yield HexNote(hex=formation.entry, kind=NoteKind.ENTRY, text=formation.short, side=formation.side)


def movement_tracks(state: TangaState) -> Iterable[Track]:
    """Yield tracks of an interrupted march, and of the last action's moves and shots."""
    march = state.british.march
    if march is not None and len(march.way) > 1:
        yield Track(hexes=march.way, kind="retreat" if march.retreats else "move", side=BRITISH)
    for trail in state.trails:
        kind = "miss" if trail.kind == "fire" and trail.text == MISSED else trail.kind
        yield Track(hexes=trail.hexes, kind=kind, side=trail.side, text=trail.text)


def units_in_battle_order(state: TangaState) -> Sequence[TangaUnit]:
    """Return all units in order of battle. Eliminated units come last in their formation."""
    rank = {formation.id: rank for rank, formation in enumerate(formations_in_order(state))}
    return sorted(state.units.values(), key=lambda unit: (rank[unit.formation], unit.condition is Condition.ELIMINATED))


def unit_summary(state: TangaState, unit: TangaUnit) -> str:
    """Return a unit's summary: `CF 5, MF 4 · 2609 · disrupted`; for an eliminated unit only `eliminated`."""
    if unit.condition is Condition.ELIMINATED:
        return unit.condition.value
    return " · ".join((factors_in_words(unit), whereabouts_in_words(state, unit), *condition_in_words(state, unit)))


def factors_in_words(unit: TangaUnit) -> str:
    """Return the factors in words: `CF 5, MF 4`, `EB 1, MF 6`."""
    return f"{f'EB {unit.eb}' if unit.is_leader else f'CF {unit.cf}'}, MF {unit.mf}"


def whereabouts_in_words(state: TangaState, unit: TangaUnit) -> str:
    """Return in words the unit's hex, or where a unit off the map is."""
    if unit.at is not None:
        return board_of(state).title(unit.at)
    if is_under_marker(state, unit):
        return "under one of its formation's MG markers"
    if not is_coming(state, unit):
        return "off the map"
    return "aboard" if unit.side == BRITISH else f"arrives in turn {state.formation(unit.formation).arrives}"


def condition_in_words(state: TangaState, unit: TangaUnit) -> Iterable[str]:
    """Return words for each condition that a unit is in, the most serious first."""
    routs = unit.on_map and state.formation(unit.formation).collapsed
    conditions = {
        unit.condition.value: unit.condition is not Condition.GOOD,
        "in rout": routs,
        "retreating": unit.retreating and not routs,
        "has fired": unit.fired,
        MARKER_NAME: any(marker.company == unit.id for marker in state.markers.values()),
    }
    return (words for words, holds in conditions.items() if holds)


def card_details(state: TangaState, unit: TangaUnit) -> Mapping[str, str]:
    """Return the details of a unit's card by label."""
    formation, title, reach = state.formation(unit.formation), board_of(state).title, firing_range(state.options, unit)
    breaks = f"breaks at {formation.fbn}{', collapsed' if formation.collapsed else ''}"
    entered = ", entered" if formation.entered else ""
    orders = unit.side == GERMAN and not unit.is_leader
    return {
        "Kind": f"{unit.arm.value}{', black powder' if unit.black_powder else ''}",
        "Factors": factors_in_words(unit),
        "Range": f"{reach} hexes" if reach else "",
        "Rounds": "" if unit.rounds is None else f"{unit.rounds} of {unit.rounds_full}",
        "Place": whereabouts_in_words(state, unit),
        "State": ", ".join(condition_in_words(state, unit)) or unit.condition.value,
        "RO hex": "" if unit.ro is None else title(unit.ro),
        "Standing order": STANDING[unit.standing].format(unit.fires_within) if orders else "",
        "Formation": f"{formation.name}: losses {count_losses(state, formation.id)}, {breaks}",
        "Beach": formation.beach,
        "Entry hex": "" if formation.entry is None else f"{title(formation.entry)}{entered}",
    }


UNIT_FACTS: UnitFacts[TangaUnit] = UnitFacts(
    strength=lambda _state, _unit: 0,
    fates={
        "eliminated": lambda unit: unit.condition is Condition.ELIMINATED,
        "disrupted": lambda unit: unit.condition is Condition.DISRUPTED,
    },
    place=lambda unit: unit.at,
)
"""How the headline of a turn reads a unit's fate and place."""
