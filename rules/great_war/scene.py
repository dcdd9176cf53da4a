"""Pictures and cards of a game: the map with wire, counters, the last moves and shots, and dice."""

from collections.abc import Iterable

from rules.core.hexboard.hex_scene import Counter, HexNote, HexScene, NoteKind
from rules.core.hexboard.hexes import Hex
from rules.core.hexboard.stacks import scene_with_stacks
from rules.core.scene import StatusMarker, Symbol, write_alt_text
from rules.core.turn_events import Holding, UnitFacts
from rules.core.wording import count_of

from .ground import board_of, terrain_of
from .model import Arm, Bogged, GreatWarState, GreatWarUnit
from .scenarios import SCENARIOS
from .shared import strength_in_words
from .tables import chart_number, dice_at_range, farthest_range

SYMBOLS = {
    Arm.INFANTRY: Symbol.INFANTRY,
    Arm.MACHINE_GUN: Symbol.MACHINE_GUN,
    Arm.MORTAR: Symbol.MORTAR,
    Arm.FIELD_ARTILLERY: Symbol.ARTILLERY,
    Arm.MALE: Symbol.MALE_TANK,
    Arm.FEMALE: Symbol.FEMALE_TANK,
    Arm.A7V: Symbol.A7V,
}


def scene(state: GreatWarState) -> HexScene:
    """Return the map as everybody sees it: nothing is hidden."""
    title, on_map = heading(state), [unit for unit in state.units.values() if unit.on_map]
    unit_lines = [(unit.side, f"{unit.name} ({strength_in_words(unit)}) in {unit.at}") for unit in on_map]
    return scene_with_stacks(
        state,
        board_of(state),
        title,
        lambda hex_: counters_in_hex(state, hex_),
        subtitle=state.over.why if state.over else tally(state),
        notes=tuple(HexNote(hex=hex_, kind=NoteKind.WIRE) for hex_ in sorted(state.wire)),
        tracks=state.tracks,
        left_is="figures",
        dice=state.faces,
        alt=write_alt_text(state.sides, f"{title}.", unit_lines),
    )


def heading(state: GreatWarState) -> str:
    """Return the heading of a picture: `The village — turn 3 of 24, British, moves`."""
    scenario = SCENARIOS.all.get(state.scenario)
    title = scenario.title if scenario else state.scenario
    now = f"turn {state.shown_turn} of {state.turns}, {state.side(state.active).name}, {state.phase}"
    return state.heading(title, now)


def tally(state: GreatWarState) -> str:
    """Return the score in words: `Medals of 6: British 2, Germans 1. HQ tokens: British 1.`."""
    had = ", ".join(f"{side.name} {state.medals.get(side.id, 0)}" for side in state.sides)
    tokens = ", ".join(f"{side.name} {state.tokens[side.id]}" for side in state.sides if state.tokens.get(side.id))
    return f"Medals of {state.medals_to_win}: {had}.{f' HQ tokens: {tokens}.' if tokens else ''}"


def counters_in_hex(state: GreatWarState, hex_: Hex) -> Iterable[Counter]:
    """Yield the counters of a hex. Each shows the figures left, the range, and the hexes that the unit moves."""
    for unit in state.stacks.by_hex[hex_]:
        now = unit.this_turn
        marks = {
            StatusMarker.BOGGED: unit.bogged is Bogged.BOGGED,
            StatusMarker.DITCHED: unit.bogged is Bogged.DITCHED,
            StatusMarker.FIRED: now.has_battled and unit.side == state.active,
            StatusMarker.ORDERED: now.is_ordered and not now.has_battled and unit.side == state.active,
        }
        yield Counter(
            unit=unit.id,
            name=unit.name,
            side=unit.side,
            symbol=SYMBOLS[unit.arm],
            left=str(unit.figures),
            middle=str(farthest_range(unit.arm)),
            right=str(chart_number(unit.arm, "hexes")),
            markers=tuple(marker for marker, lies in marks.items() if lies),
        )


def unit_details(state: GreatWarState, unit: GreatWarUnit) -> Iterable[tuple[str, str]]:
    """Yield the labels and details of a unit's card."""
    yield "Arm", unit.arm
    yield "Strength", strength_in_words(unit)
    yield "Moves", count_of(chart_number(unit.arm, "hexes"), "hex", "hexes")
    ranges = range(1, farthest_range(unit.arm) + 1)
    yield "Dice from 1 hex on", "/".join(str(dice_at_range(unit.arm, hexes)) for hexes in ranges)
    yield "Stands on", terrain_of(state, unit).name


def medals_held(state: GreatWarState) -> Iterable[Holding]:
    """Yield the medals of each side."""
    for side, medals in state.medals.items():
        yield Holding(side, "medal", medals, "medals", gained="won")


UNIT_FACTS: UnitFacts[GreatWarUnit] = UnitFacts(
    strength=lambda _state, unit: unit.figures,
    fates={
        "gone": lambda unit: not unit.on_map,
        "ditched": lambda unit: unit.bogged is Bogged.DITCHED,
        "bogged": lambda unit: unit.bogged is Bogged.BOGGED,
    },
    place=lambda unit: unit.at,
    noun="figure",
)
"""A unit's strength, fate and place, for the headline of a turn."""
