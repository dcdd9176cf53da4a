"""Words for counters, map and clock: short names, hexes of units, units off the map, time of day."""

from collections.abc import Iterable, Sequence
from datetime import timedelta

from rules.core.hexboard.hexes import Hex

from .field import formation_units
from .model import BRITISH, Arm, Condition, Formation, TangaState, TangaUnit

MARKER_NAME = "MG marker"


def short_name(state: TangaState, unit: TangaUnit) -> str:
    """Return the unit's name without its formation: `A`, `MG`, `Leader 1`, `1st Platoon`, `Tighe`."""
    formation, name = state.formation(unit.formation), unit.name
    for formation_name in (formation.name, formation.short):
        name = name.removesuffix(f" {formation_name}").removeprefix(f"{formation_name} ")
    return unit.letter or name


def formations_in_order(state: TangaState) -> Sequence[Formation]:
    """Return all formations: the British in the sequence of play, then the Germans."""
    return sorted(
        state.formations.values(), key=lambda formation: (formation.side != BRITISH, formation.order, formation.id)
    )


def awaited_formations(state: TangaState) -> Iterable[str]:
    """Yield each formation still to come: `61 Pio: 8 aboard`, `16. FK: turn 3, from the west`."""
    for formation in formations_in_order(state):
        units = [unit for unit in formation_units(state, formation.id) if is_coming(state, unit)]
        if units and formation.side == BRITISH:
            yield f"{formation.short}: {len(units)} aboard"
        elif units:
            how = "by train" if formation.by_train else "from the west"
            yield f"{formation.short}: turn {formation.arrives}, {how}"


def is_coming(state: TangaState, unit: TangaUnit) -> bool:
    """Whether the unit is aboard ship or due to arrive. An MG under a marker does not count."""
    return not unit.on_map and unit.condition is Condition.GOOD and not is_under_marker(state, unit)


def is_under_marker(state: TangaState, unit: TangaUnit) -> bool:
    """Whether the unit is an MG hidden by one of its formation's markers (TA-1)."""
    hidden = unit.arm is Arm.MACHINE_GUN and not unit.on_map and unit.condition is not Condition.ELIMINATED
    return hidden and any(marker.formation == unit.formation for marker in state.markers.values())


def positions_in_words(state: TangaState, *, fully: bool) -> Iterable[tuple[str, str]]:
    """Yield each formation on the map with its side: `13 Raj 3307 A, B disrupted, 3308 C`, or `13 Raj 3307, 3308`."""
    for formation in formations_in_order(state):
        stacks: dict[Hex, list[str]] = {}
        for unit in formation_units(state, formation.id):
            if unit.at is not None:
                word = f"{short_name(state, unit)}{' disrupted' if unit.is_disrupted else ''}"
                stacks.setdefault(unit.at, []).append(word)
        hexes = (f"{hex_} {' '.join(stacks[hex_])}" if fully else hex_.label for hex_ in sorted(stacks))
        if stacks:
            state_word = " in rout" if formation.collapsed else ""
            yield formation.side, f"{formation.short}{state_word} {', '.join(hexes)}"


def clock_in_words(state: TangaState) -> str:
    """Return the date and time at which the present turn begins: `3 November 1914, 07:00`; empty without hours."""
    if (hours := state.hours) is None:
        return ""
    days, turns = divmod(state.turn - 1, hours.turns_a_day) if hours.turns_a_day else (0, state.turn - 1)
    time = hours.first + timedelta(days=days, minutes=turns * hours.minutes)
    return f"{time.day} {time:%B %Y, %H:%M}"
