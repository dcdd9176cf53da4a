"""Checks that a state loaded from outside is consistent and can be played."""

from collections import Counter

from rules.core.refusal import require_that

from .field import board_of
from .model import Condition, Kind, TangaState, TangaUnit
from .own.reading import map_faults
from .progress import QuestionKind
from .questions import ANSWER_WORDS

MOST_UNITS = 400
MAX_TRACES = 5000
"""Maximum number of decisions, and of trails, in a state."""


def check_state(state: TangaState) -> None:
    """Raise Refused, with the field at fault, if the state contradicts itself."""
    require_that(len(state.units) <= MOST_UNITS, "units", f"there are {MOST_UNITS} at most")
    for name, records in (("decisions", state.decisions), ("retreats", state.retreats), ("trails", state.trails)):
        require_that(len(records) <= MAX_TRACES, name, f"there are {MAX_TRACES} at most")
    for place, why in map_faults(state.own) if state.own is not None else ():
        require_that(False, f"own {place}", why)
    _check_formations(state)
    for unit in state.units.values():
        _check_unit(state, unit)
    for hex_, stack in state.stacks.by_hex.items():
        require_that(len({unit.side for unit in stack}) == 1, hex_.label, "both sides stand in it")
    _check_markers(state)
    _check_progress(state)
    if state.before_last is not None:
        require_that(state.before_last.before_last is None, "before_last", "it has one of its own")
        check_state(state.before_last)


def _check_formations(state: TangaState) -> None:
    """Raise Refused if a formation has an unknown side or beach, or the map lacks entry hexes for a battalion."""
    board, sides = board_of(state), {side.id for side in state.sides}
    for key, formation in state.formations.items():
        path = f"formations.{key}"
        require_that(formation.id == key, path, "it has another id")
        require_that(formation.side in sides, path, "there is no such side")
        require_that(formation.beach in ("", *board.beaches), f"{path}.beach", "the map has no such beach")
        lacks_entries = formation.kind is Kind.BATTALION and not board.spec.entries
        require_that(not lacks_entries, path, "the map has no entry hexes")


def _check_unit(state: TangaState, unit: TangaUnit) -> None:
    """Raise Refused if a unit has no formation of its side, stands off the land, or is eliminated but has a hex."""
    path, formation, land = f"units.{unit.id}", state.formations.get(unit.formation), board_of(state).land
    require_that(formation is not None and formation.side == unit.side, f"{path}.formation", "its side has no such one")
    for name, hex_ in (("at", unit.at), ("ro", unit.ro)):
        require_that(hex_ is None or hex_ in land, f"{path}.{name}", "it is no land hex of the map")
    require_that(unit.condition is not Condition.ELIMINATED or unit.at is None, f"{path}.at", "it is eliminated")


def _check_markers(state: TangaState) -> None:
    """Raise Refused if an MG marker has an unknown company or formation, or two markers of a formation hide an MG."""
    for key, marker in state.markers.items():
        path, company = f"markers.{key}", state.units.get(marker.company)
        require_that(marker.id == key, path, "it has another id")
        require_that(marker.formation in state.formations, f"{path}.formation", "there is no such formation")
        belongs = company is not None and company.formation == marker.formation
        require_that(belongs, f"{path}.company", "it has no such one")
    real = Counter(marker.formation for marker in state.markers.values() if marker.real)
    for formation, guns in real.items():
        require_that(guns <= 1, f"markers of {formation}", "they hide more than one machine gun")


def _check_progress(state: TangaState) -> None:
    """Raise Refused if the British turn names unknown units or formations, or has an impossible march or question."""
    now, land = state.british, board_of(state).land
    march, question, path = now.march, now.asked, "british.asked"
    marching, asking = march.units if march else (), (question.unit,) if question else ()
    for unit in (*now.acted, *marching, *now.offered, *asking):
        require_that(unit in state.units, "british", f"there is no unit “{unit[:40]}”")
    for formation in (*now.done, *(() if now.formation is None else (now.formation,))):
        require_that(formation in state.formations, "british", f"there is no formation “{formation[:40]}”")
    if march is not None:
        require_that(bool(march.units and march.way), "british.march", "nobody is on any way")
        require_that({march.goal, *march.way} <= land, "british.march", "it leaves the land of the map")
        require_that(now.formation is not None, "british.march", "no formation acts")
    if question is not None:
        words = {word for word, _ in question.answers}
        require_that(words <= ANSWER_WORDS[question.ask], path, "it has answers that mean nothing")
        require_that(bool(question.answers) and state.units[question.unit].on_map, path, "nobody could answer it")
        require_that(question.at in land, path, "it is about no land hex of the map")
        fired_at = march is not None or question.ask is not QuestionKind.OPPORTUNITY_FIRE
        require_that(fired_at, path, "nobody marches who could be fired at")
