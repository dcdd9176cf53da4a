"""Whether a state from outside hangs together: what it refers to exists, and its map can be played on."""

from collections import Counter
from collections.abc import Iterable

from rules.core.ruleset import Refused

from .field import board_of
from .model import GunMarker, Kind, TangaState, TangaUnit
from .own.reading import map_faults
from .progress import Ask, Asked, March
from .questions import WORDS

MOST_UNITS = 400
MOST_TRACES = 5000
"""Decisions, and ways drawn, that a state may carry."""


def check(state: TangaState) -> None:
    """Raises Refused with the place of what contradicts itself."""
    _must(len(state.units) <= MOST_UNITS, "units", f"there are {MOST_UNITS} at most")
    for name, found in (("decisions", state.decisions), ("trails", state.trails)):
        _must(len(found) <= MOST_TRACES, name, f"there are {MOST_TRACES} at most")
    for place, why in map_faults(state.own) if state.own is not None else ():
        raise Refused(f"own {place}: {why}.")
    beaches, entries = board_of(state).beaches, board_of(state).spec.entries
    for key, formation in state.formations.items():
        _must(formation.id == key, f"formations.{key}", "it has another id")
        _must(formation.side in {side.id for side in state.sides}, f"formations.{key}", "there is no such side")
        _must(formation.beach in ("", *beaches), f"formations.{key}.beach", "the map has no such beach")
        _must(formation.kind is not Kind.BATTALION or bool(entries), f"formations.{key}", "the map has no entry hexes")
    for unit in state.units.values():
        _check_unit(state, unit)
    for hex_, stack in state.stacks.by_hex.items():
        _must(len({unit.side for unit in stack}) == 1, hex_.label, "both sides stand in it")
    for key, marker in state.markers.items():
        _must(marker.id == key, f"markers.{key}", "it has another id")
    _check_markers(state, state.markers.values())
    _check_progress(state)
    if state.before_last is not None:
        _must(state.before_last.before_last is None, "before_last", "it has one of its own")
        check(state.before_last)


def _check_unit(state: TangaState, unit: TangaUnit) -> None:
    where = f"units.{unit.id}"
    formation = state.formations.get(unit.formation)
    _must(formation is not None and formation.side == unit.side, f"{where}.formation", "its side has no such one")
    for name, hex_ in (("at", unit.at), ("ro", unit.ro)):
        _must(hex_ is None or hex_ in board_of(state).land, f"{where}.{name}", "it is no land hex of the map")
    _must(unit.condition.value != "eliminated" or unit.at is None, f"{where}.at", "it is eliminated")


def _check_markers(state: TangaState, markers: Iterable[GunMarker]) -> None:
    real = Counter[str]()
    for marker in markers:
        where = f"markers.{marker.id}"
        company = state.units.get(marker.company)
        _must(marker.formation in state.formations, f"{where}.formation", "there is no such formation")
        _must(company is not None and company.formation == marker.formation, f"{where}.company", "it has no such one")
        real[marker.formation] += marker.real is True
    for formation, guns in real.items():
        _must(guns <= 1, f"markers of {formation}", "they hide more than one machine gun")


def _check_progress(state: TangaState) -> None:
    british = state.british
    march = british.march.units if british.march else ()
    asked = (british.asked.unit,) if british.asked else ()
    for unit in (*british.acted, *march, *british.offered, *asked):
        _must(unit in state.units, "british", f"there is no unit “{unit[:40]}”")
    for formation in (*british.done, *((british.formation,) if british.formation is not None else ())):
        _must(formation in state.formations, "british", f"there is no formation “{formation[:40]}”")
    if british.march is not None:
        _check_march(state, british.march)
    if british.asked is not None:
        _check_asked(state, british.asked)


def _check_march(state: TangaState, march: March) -> None:
    _must(bool(march.units and march.way), "british.march", "nobody is on any way")
    _must({march.goal, *march.way} <= board_of(state).land, "british.march", "it leaves the land of the map")
    _must(state.british.formation is not None, "british.march", "no formation acts")


def _check_asked(state: TangaState, asked: Asked) -> None:
    where = "british.asked"
    here, marching = state.units[asked.unit].at, state.british.march is not None
    _must({word for word, _ in asked.answers} <= WORDS[asked.ask], where, "it has answers that mean nothing")
    _must(bool(asked.answers) and here is not None, where, "nobody could answer it")
    _must(asked.at in board_of(state).land, where, "it is about no land hex of the map")
    _must(marching or asked.ask is not Ask.OPPORTUNITY_FIRE, where, "nobody marches who could be fired at")


def _must(holds: bool, where: str, why: str) -> None:
    if not holds:
        raise Refused(f"{where}: {why}.")
