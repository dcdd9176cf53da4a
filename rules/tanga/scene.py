"""The map of a game as a scene to draw. Nothing in it tells what is under an MG marker (TA-1)."""

from collections.abc import Iterable

from rules.core.hexboard.hex_scene import Counter, HexNote, HexScene, HexStack, NoteKind, Track
from rules.core.hexboard.hexes import Hex
from rules.core.model import Viewer
from rules.core.scene import Marker, SceneSide, Symbol

from .field import VICTORY, board_of, is_held_by, strength_order
from .in_words import MARKER_NAME, alt, clock, short_name, waiting
from .model import BRITISH, GERMAN, Arm, Condition, Phase, TangaState, TangaUnit
from .setup import scenarios

SYMBOLS = {
    Arm.INFANTRY: Symbol.INFANTRY,
    Arm.MACHINE_GUN: Symbol.MACHINE_GUN,
    Arm.ARTILLERY: Symbol.ARTILLERY,
    Arm.LEADER: Symbol.GENERAL,
    Arm.COMMANDER: Symbol.GENERAL,
    Arm.STEVEDORES: Symbol.PACK,
}
MISSED = "no hit"
"""What is written of a shot that hit nothing."""


def scene(state: TangaState, viewer: Viewer, before: TangaState | None) -> HexScene:  # noqa: ARG001
    """The map, which lies open to all alike, with the ways and shots of the last action."""
    heading = title(state)
    return HexScene(
        board=board_of(state).drawn,
        title=heading,
        subtitle=state.over.why if state.over else VICTORY.tally(state),
        sides=tuple(SceneSide(id=side.id, name=side.name, index=side.index) for side in state.sides),
        stacks=tuple(HexStack(hex=hex_, counters=tuple(counters(state, hex_))) for hex_ in sorted(state.stacks.by_hex)),
        notes=tuple(notes(state)),
        tracks=tuple(tracks(state)),
        off_map=tuple(waiting(state)),
        alt=alt(state, heading),
    )


def title(state: TangaState) -> str:
    """`The Initial Assault — turn 3 of 10, Germans, movement, 3 November 1914, 07:00`."""
    listed = scenarios().get(state.scenario)
    scenario = (state.own.title if state.own else "") or (listed.title if listed else state.scenario)
    phase = "" if state.phase == Phase.BRITISH.value else state.phase
    now = (f"turn {state.turn} of {state.turns}", state.side(state.active).name, phase, clock(state))
    return f"{scenario} — {', '.join(word for word in now if word)}"


def counters(state: TangaState, hex_: Hex) -> Iterable[Counter]:
    """The counters of a hex from the top: combat units, the firing unit first, leaders, markers face down."""
    stack = sorted(
        state.stacks.by_hex[hex_], key=lambda unit: (not unit.is_combat, not unit.is_good, strength_order(unit))
    )
    for unit in stack:
        yield counter(state, unit)
    ids = {unit.id for unit in stack}
    for marker in state.markers.values():
        if marker.company in ids:
            yield Counter(unit=marker.id, name=MARKER_NAME, side=BRITISH, face_down=True)


def counter(state: TangaState, unit: TangaUnit) -> Counter:
    """A unit's counter: CF, or a leader's bonus, on the left, MF on the right."""
    return Counter(
        unit=unit.id,
        name=short_name(state, unit),
        side=unit.side,
        symbol=SYMBOLS[unit.arm],
        left=f"+{unit.eb}" if unit.is_leader else str(unit.cf or ""),
        right=str(unit.mf),
        formation=state.formation(unit.formation).short,
        markers=tuple(markers(state, unit)),
    )


def markers(state: TangaState, unit: TangaUnit) -> Iterable[Marker]:
    """What lies on a counter."""
    if unit.condition is Condition.DISRUPTED:
        yield Marker.DISRUPTED
    if state.formation(unit.formation).collapsed:
        yield Marker.ROUTED
    elif unit.retreating:
        yield Marker.RETREATING
    if unit.fired:
        yield Marker.FIRED
    if unit.rounds == 0:
        yield Marker.NO_AMMUNITION


def notes(state: TangaState) -> Iterable[HexNote]:
    """Marks on the ground: entry hexes with what is thrown for them, beaches, victory hexes, works, entry markers."""
    board = board_of(state)
    for total, hex_ in board.spec.entries.items():
        yield HexNote(hex=hex_, kind=NoteKind.ENTRY_HEX, text=str(total))
    for letter, beach in board.beaches.items():
        yield HexNote(hex=beach.beach, kind=NoteKind.BEACH, text=letter)
    for hex_ in sorted(VICTORY.hexes(state)):
        holder = next((side for side in (BRITISH, GERMAN) if is_held_by(state, hex_, side)), "")
        yield HexNote(hex=hex_, kind=NoteKind.VICTORY, side=holder)
    for hex_ in state.improved:
        yield HexNote(hex=hex_, kind=NoteKind.IMPROVED)
    for formation in state.formations.values():
        if formation.entry is not None:
            yield HexNote(hex=formation.entry, kind=NoteKind.ENTRY, text=formation.short, side=formation.side)


def tracks(state: TangaState) -> Iterable[Track]:
    """The ways and shots of the last action; a shot that hit nothing as a miss; a way that a question holds up."""
    march = state.british.march
    if march is not None and len(march.way) > 1:
        yield Track(hexes=march.way, kind="retreat" if march.retreats else "move", side=BRITISH)
    for trail in state.trails:
        kind = "miss" if trail.kind == "fire" and trail.text == MISSED else trail.kind
        yield Track(hexes=trail.hexes, kind=kind, side=trail.side, text=trail.text)
