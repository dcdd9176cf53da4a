"""Units as lists, cards and pictures show them."""

from collections.abc import Iterable, Mapping
from fractions import Fraction

from typing_extensions import override

from rules.core.memo import cache_by_identity
from rules.core.model import UMPIRE, Viewer
from rules.core.scene import Arrow, StatusMarker, Symbol
from rules.core.tabletop.battle import CACHE_SIZE, Place
from rules.core.tabletop.table_scenes import Drawing, UnitLook, move_arrows, place_behind
from rules.core.turn_events import UnitFacts
from rules.core.wording import number_text
from rules.magdala.arms import CREWED, LEADERS
from rules.magdala.model import Health, MagdalaState, MagdalaUnit, Morale, Order, Troop, Weapon, Works
from rules.magdala.placement import LINES, base_size, troop_bases

FLAGS = {
    "regular": "regulars",
    "european": "Europeans",
    "british_equivalent": "equal to British",
    "sharpshooter": "sharpshooters",
    "sniper": "snipers",
    "fanatic": "fanatics",
    "fierce": "fierce",
    "lancer": "lancers",
    "poor_shots": "poor shots",
    "pre_maxim": "pre-Maxim",
    "camels": "on camels",
    "afloat": "on the riverboat",
    "may_detach_half": "may detach half",
}


def strength_in_words(unit: MagdalaUnit) -> str:
    """Return the unit's strength in words, such as `24 figures, 3 lost`: for guns the crew, for leaders the health."""
    if unit.troop in LEADERS:
        return unit.health.value
    noun = "crew" if unit.troop in CREWED else "figures"
    losses = f", {unit.casualties} lost" if unit.casualties else ""
    return f"{unit.figures} {noun}{losses}"


def condition_in_words(unit: MagdalaUnit) -> tuple[str, ...]:
    """Return the unit's condition in words: order, mount, works, morale, melee, jam."""
    if unit.troop in LEADERS:
        return (unit.morale.value,) if unit.morale is Morale.OFF_TABLE else ()
    drill = unit.troop in (Troop.REGULAR_INFANTRY, Troop.NATIVE_FOOT, Troop.KOMMANDO, Troop.MOUNTED_INFANTRY)
    conditions = {
        "in square": unit.in_square,
        f"{unit.order.value} order": drill and not unit.mounted and not unit.in_square,
        "mounted" if unit.mounted else "dismounted": unit.has_horses,
        "limbered": unit.limbered,
        "prone": unit.prone,
        unit.works.value: unit.works is not Works.NONE,
        unit.morale.value: unit.morale is not Morale.STEADY,
        f"melee round {unit.melee_round}": unit.melee_with is not None,
        "jammed": unit.jammed,
    }
    return tuple(words for words, is_so in conditions.items() if is_so) if unit.on_table else (Morale.OFF_TABLE.value,)


def rounds_in_words(ammunition: Fraction) -> str:
    """Return ammunition in words: `6 rounds`, `½ round`; a volley at full effect costs one round."""
    return f"{number_text(ammunition)} {'round' if ammunition <= 1 else 'rounds'}"


def ammunition_in_words(unit: MagdalaUnit) -> str:
    """Return ammunition left, such as `4½ rounds`; empty for detachments and units that do not fire (MM-3.9)."""
    if unit.weapon is Weapon.MELEE or unit.is_detachment or not unit.on_table:
        return ""
    return rounds_in_words(unit.ammunition) if unit.ammunition else "out of ammunition"


def unit_summary(unit: MagdalaUnit) -> str:
    """Return the unit's line in lists: `24 figures, 3 lost · close order · pinned · 4½ rounds`."""
    parts = (strength_in_words(unit), *condition_in_words(unit), ammunition_in_words(unit))
    return " · ".join(filter(None, parts))


def card_details(state: MagdalaState, unit: MagdalaUnit, viewer: Viewer) -> Mapping[str, str]:
    """Return the entries of a unit's card by label; a secret quality only for the umpire, or once revealed."""
    flags = ", ".join(words for field, words in FLAGS.items() if getattr(unit, field))
    weapon = f"magazine {unit.weapon.value}" if unit.magazine else unit.weapon.value
    secret = "Umpire's modifier" if unit.secret_known else "Secret quality"
    return {
        "Troops": f"{unit.nation.value} {unit.troop.value}",
        "Strength": f"{unit.strength} of {unit.figures}",
        "Weapon": weapon if unit.troop not in LEADERS else "",
        "Known for": flags,
        "Quality": f"{unit.quality}" if unit.quality else "",
        secret: f"{unit.secret_quality:+d}" if unit.secret_quality and (viewer == UMPIRE or unit.secret_known) else "",
        "Ammunition": ammunition_in_words(unit),
        "State": ", ".join(condition_in_words(unit)),
        "In melee with": _unit_name(state, unit.melee_with),
        "General": _unit_name(state, unit.general),
        "Detached from": _unit_name(state, unit.parent),
        "Health": unit.health.value if unit.health is not Health.WELL else "",
    }


def _unit_name(state: MagdalaState, unit_id: str | None) -> str:
    """Return a unit's name, or an empty string."""
    unit = state.units.get(unit_id or "")
    return "" if unit is None else unit.name


class MagdalaDrawing(Drawing[MagdalaUnit]):
    """Pictures of units with strength and morale; leaders stand just behind the units they lead."""

    lines = LINES

    @override
    def unit_look(self, state: MagdalaState, unit: MagdalaUnit, place: Place) -> UnitLook:
        led_unit = _unit_by_leader(state.units).get(unit.id)
        symbol = Symbol.CAMELRY if unit.camels else troop_bases()[unit.troop].symbol
        return UnitLook(
            place if led_unit is None else place_behind(place, base_size(led_unit)[1], base_size(unit)[1]),
            symbol=Symbol.BOAT if unit.afloat else symbol,
            strength="" if unit.troop in LEADERS else str(unit.strength),
            markers=self._markers(state, unit),
            words=self._label(unit),
        )

    def _markers(self, state: MagdalaState, unit: MagdalaUnit) -> Iterable[StatusMarker]:
        if unit.morale is not Morale.STEADY:
            yield StatusMarker(unit.morale.value)
        if unit.weapon is not Weapon.MELEE and not unit.is_detachment and unit.ammunition <= 1:
            yield StatusMarker.LOW_AMMUNITION if unit.ammunition else StatusMarker.NO_AMMUNITION
        markers = {
            StatusMarker.JAMMED: unit.jammed,
            StatusMarker.SQUARE: unit.in_square,
            StatusMarker.MELEE: unit.melee_with is not None,
            StatusMarker.SKIRMISH: unit.order is Order.SKIRMISH and unit.troop not in LEADERS,
            StatusMarker.FIRED: unit.this_turn.has_fired,
            StatusMarker.LIMBERED: unit.limbered,
            StatusMarker.OWES_TEST: any(prompt.unit == unit.id for prompt in state.prompts),
        }
        yield from (marker for marker, is_so in markers.items() if is_so)

    @override
    def arrows(self, state: MagdalaState, before: MagdalaState) -> Iterable[Arrow]:
        """Return the arrows for moves and retreats."""
        fleeing = (Morale.RETREATING, Morale.ROUTED)
        return move_arrows(state, before, lambda _, unit: "retreat" if unit.morale in fleeing else "move")

    def _label(self, unit: MagdalaUnit) -> str | None:
        if unit.troop in LEADERS:
            return None
        morale = f" {unit.morale.value}" if unit.morale is not Morale.STEADY else ""
        return f"{unit.strength}{morale}{' in melee' if unit.melee_with else ''}"


def _find_led_units(units: Mapping[str, MagdalaUnit]) -> Mapping[str, MagdalaUnit]:
    """Return the first unit that each leader leads, by the leader's id."""
    led_units: dict[str, MagdalaUnit] = {}
    for unit in units.values():
        if unit.general is not None and unit.on_table:
            led_units.setdefault(unit.general, unit)
    return led_units


_unit_by_leader = cache_by_identity(_find_led_units, CACHE_SIZE)
DRAWING = MagdalaDrawing(base_size)


UNIT_FACTS: UnitFacts[MagdalaUnit] = UnitFacts(
    strength=lambda _state, unit: 0 if unit.troop in LEADERS else unit.strength,
    fates={
        "killed": lambda unit: unit.health is Health.KILLED,
        "wounded": lambda unit: unit.health is Health.WOUNDED,
        "gone": lambda unit: not unit.on_table,
        "routed": lambda unit: unit.morale is Morale.ROUTED,
        "retreating": lambda unit: unit.morale is Morale.RETREATING,
        "pinned": lambda unit: unit.morale is Morale.PINNED,
        "halted": lambda unit: unit.morale is Morale.HALTED,
    },
    place=lambda unit: unit.place and unit.place.point,
    is_beaten=lambda unit: unit.this_turn.lost_round,
)
"""Strength, fates and places of units, for the headline of a turn."""
