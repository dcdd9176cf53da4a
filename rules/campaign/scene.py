"""Map pictures and column cards of a campaign in a viewer's view."""

from collections.abc import Iterable, Mapping, Sequence

from rules.core.hexboard.hex_scene import Counter, HexScene, HexStack
from rules.core.hexboard.hexes import Hex
from rules.core.model import UMPIRE, Viewer
from rules.core.scene import StatusMarker, Symbol, write_alt_text
from rules.core.sightings import EnemySighting
from rules.core.state import Side
from rules.core.turn_events import Holding, UnitFacts
from rules.core.wording import count_of

from .columns import Column, Pace, slowest_pace
from .day import held_value_by_power, is_entrenched
from .ground import board_of
from .intelligence import EnemySize, Sighting
from .knowledge import viewers_of_orders
from .map_marks import map_notes, march_tracks
from .model import CampaignState
from .orders import orders_in_words
from .scenarios import SCENARIOS
from .supply import is_apparently_supplied, supply_capacity

SYMBOLS = {Pace.FOOT: Symbol.INFANTRY, Pace.MOUNTED: Symbol.CAVALRY, Pace.WHEELED: Symbol.ARTILLERY}
DOTS = {EnemySize.PARTY: 1, EnemySize.FORCE: 2, EnemySize.ARMY: 3}
"""Number of dots on the counter of enemies seen from afar, by size."""


def scene(state: CampaignState, before: CampaignState | None = None) -> HexScene:
    """Return the map picture of a viewer's view `state`; after a day's end, with the marches since `before`."""
    title = picture_heading(state)
    stacks = {hex_: [*_column_counters(state, hex_)] for hex_ in state.stacks.by_hex}
    columns = [
        (column.side, f"{column.name} ({count_of(column.figures, 'figure')}) in {column.at}")
        for column in state.columns
    ]
    sightings: list[tuple[str, str]] = []
    for hex_, sighting, side in _newest_sightings(state):
        age = "" if sighting.day == state.turn else f", day {sighting.day}"
        stacks.setdefault(hex_, []).append(_sighting_counter(hex_, sighting, side, age))
        sightings.append((side, f"{sighting.in_words}{age} in {hex_}"))
    return HexScene(
        board=board_of(state).hex_board,
        title=title,
        subtitle=state.over.why if state.over else held_points_in_words(state),
        sides=state.sides,
        legend=tuple(Side(id=power.chief, name=power.name, index=at) for at, power in enumerate(state.powers)),
        stacks=tuple(HexStack(hex=hex_, counters=tuple(stacks[hex_])) for hex_ in sorted(stacks)),
        notes=tuple(map_notes(state)),
        tracks=tuple(march_tracks(state, before)),
        left_is="figures",
        alt=write_alt_text(state.sides, f"{title}.", (*columns, *sightings), columns),
    )


def picture_heading(state: CampaignState) -> str:
    """Return the heading of a picture: `Suakin 1884 — day 3 of 14`."""
    scenario = SCENARIOS.all.get(state.scenario)
    title = state.title or (scenario.title if scenario else state.scenario)
    return state.heading(title, f"day {state.shown_turn} of {state.days}")


def held_points_in_words(state: CampaignState) -> str:
    """Return the total value of each power's points in words: `Points held: British 4, Mahdists 9.`."""
    values = held_value_by_power(state)
    return f"Points held: {', '.join(f'{power.name} {values[power.id]}' for power in state.powers)}."


def _column_counters(state: CampaignState, hex_: Hex) -> Iterable[Counter]:
    for column in state.stacks.by_hex[hex_]:
        marks = {StatusMarker.MELEE: not state.is_free(column), StatusMarker.IMPROVED: is_entrenched(state, column)}
        yield Counter(
            unit=column.id,
            name=column.name,
            side=column.side,
            symbol=SYMBOLS[column.pace],
            left=str(column.figures),
            right=str(column.supply),
            markers=tuple(marker for marker, lies in marks.items() if lies),
        )


def _newest_sightings(state: CampaignState) -> Iterable[tuple[Hex, Sighting, str]]:
    """Yield each hex where enemies were sighted, the newest sighting there, and the chief of the enemy's power.

    Yield nothing to a viewer who knows the columns of both powers.
    """
    if len({state.power_of(column.side).id for column in state.columns}) > 1:
        return
    newest: dict[Hex, tuple[Sighting, str]] = {}
    for command, sightings in state.sightings.items():
        enemy = state.enemy_of(state.power_of(command).id).chief
        for hex_, sighting in sightings.items():
            if hex_ not in newest or sighting.day > newest[hex_][0].day:
                newest[hex_] = (sighting, enemy)
    yield from ((hex_, sighting, chief) for hex_, (sighting, chief) in sorted(newest.items()))


def _sighting_counter(hex_: Hex, sighting: Sighting, side: str, age: str) -> Counter:
    return Counter(
        unit=f"seen-{hex_.label}",
        name=f"{sighting.in_short}{age}",
        side=side,
        symbol=SYMBOLS[pace] if (pace := slowest_pace(sighting.paces)) else None,
        pips=0 if sighting.paces else DOTS[sighting.size],
        left="" if sighting.figures is None else f"{'' if sighting.columns else '~'}{sighting.figures}",
        is_old=bool(age),
    )


def column_card(state: CampaignState, column: Column, viewer: Viewer) -> tuple[str, Mapping[str, str]]:
    """Return a column's summary line and details, with its orders if `viewer` may read them (CA-1.1)."""
    may_read_orders = viewer == UMPIRE or state.over is not None or viewer in viewers_of_orders(state, column.side)
    orders = orders_in_words(state, column.orders) if may_read_orders else ""
    if column.at is None:
        facts = [f"comes on day {column.arrives.day if column.arrives is not None else state.turn}"]
    else:
        facts = [board_of(state).title(column.at), f"supply {column.supply}", orders]
    line = ", ".join(filter(None, (count_of(column.figures, "figure"), *facts)))
    supply = f"{count_of(column.supply, 'day')} of {supply_capacity(state, column)}"
    return line, {
        "Orders": orders,
        "Marches as": column.pace.value,
        "Supply": f"{supply}, {_supply_in_words(state, column)}",
        "Works": "entrenched" if is_entrenched(state, column) else "",
        "Units": "; ".join(f"{unit.name} {unit.figures}/{unit.start}" for unit in column.troops),
    }


def _supply_in_words(state: CampaignState, column: Column) -> str:
    """Return how a column is supplied, in words, as far as the viewer of `state` knows (CA-4.4)."""
    if column.side not in state.sightings:  # another command's column: the viewer lacks its sightings
        return "carried"
    return "in supply as far as it knows" if is_apparently_supplied(state, column) else "no way to a depot"


def list_holdings(state: CampaignState) -> Iterable[Holding]:
    """Yield each power with the total value of its points."""
    values = held_value_by_power(state)
    for power in state.powers:
        yield Holding(power.chief, "point", values[power.id], "points", holder=f"the {power.name}")


UNIT_FACTS: UnitFacts[Column] = UnitFacts(
    strength=lambda _state, unit: unit.figures, fates={}, place=lambda unit: unit.at, noun="figure"
)
"""How the headline of a day reads a column's strength and place."""


def list_enemies_seen(state: CampaignState, command: Viewer) -> Sequence[EnemySighting]:
    """Return a command's sightings of enemies in words, newest first (CA-3.4)."""
    title = board_of(state).title
    sightings = sorted(state.sightings.get(command, {}).items(), key=lambda pair: (-pair[1].day, pair[0]))
    return [EnemySighting(sighting.in_words, sighting.day, title(hex_)) for hex_, sighting in sightings]
