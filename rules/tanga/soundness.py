"""Whether a state from outside hangs together: what it refers to exists, and its map can be played on."""

from collections import Counter
from collections.abc import Iterable

from rules.core.ruleset import Refused

from .field import board_of, standing
from .model import GunMarker, Kind, TangaState, TangaUnit
from .own.ground import map_faults

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
    beaches, entries = board_of(state).beaches, board_of(state).entries
    for key, formation in state.formations.items():
        _must(formation.id == key, f"formations.{key}", "it has another id")
        _must(formation.side in {side.id for side in state.sides}, f"formations.{key}", "there is no such side")
        _must(formation.beach in ("", *beaches), f"formations.{key}.beach", "the map has no such beach")
        _must(formation.kind is not Kind.BATTALION or bool(entries), f"formations.{key}", "the map has no entry hexes")
    for unit in state.units.values():
        _check_unit(state, unit)
    for hex_, stack in standing(state).stacks.items():
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
    for formation in (*british.done, *((british.formation,) if british.formation else ())):
        _must(formation in state.formations, "british", f"there is no formation “{formation[:40]}”")


def _must(holds: bool, where: str, why: str) -> None:
    if not holds:
        raise Refused(f"{where}: {why}.")
