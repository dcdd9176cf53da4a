"""Debarkation: four combat units a wave, half on the beach and half on the beachhead (TA-3)."""

from collections.abc import Sequence

from rules.core.hexboard.hexes import Hex
from rules.core.model import Cite, Mark
from rules.core.play import Play
from rules.core.report import Step
from rules.tanga.combat import reveal as revealing
from rules.tanga.decisions import Decision, Question
from rules.tanga.entering import entered, gone_into
from rules.tanga.field import board_of, of_formation, units_at
from rules.tanga.maps import Beach
from rules.tanga.model import BRITISH, Arm, Condition, Kind, TangaState, TangaUnit

from . import marching
from .stepped import Stepped, ids, in_order, mark, names, plural

LANDING = Cite(rule="TA-3")
PLACES = Cite(rule="TA-3", mark=Mark.RULING)
A_PLACE = 2
"""Combat units of a wave to a place: two on the beachhead, two on the beach."""


def aboard(state: TangaState, formation: str) -> list[TangaUnit]:
    """Units of a formation that have still to land, as they land; a hidden MG comes under its marker (TA-1)."""
    here = state.formation(formation)
    if here.arrives > state.turn:
        return []
    hidden = Arm.MACHINE_GUN if here.kind is Kind.BATTALION else None
    units = of_formation(state, formation)
    waiting = (one for one in units if not one.on_map and one.condition is Condition.GOOD and one.arm is not hidden)
    return in_order(state, waiting)


def debark(play: Play[TangaState], formation: str, forced: Hex | None) -> Stepped | None:
    """Lands one stack of the wave: on the beachhead, then the beach; a staff on the beach first.

    A battalion draws its beach with its first wave.
    """
    state = play.state
    waiting = aboard(state, formation)
    here = state.formation(formation)
    ashore = [state.units[unit] for unit in state.british.acted]
    room = state.options.wave - sum(unit.is_combat for unit in ashore)
    if not waiting or here.collapsed or room <= 0 or (not ashore and _waits(state, formation)):
        return None
    decision = None if here.beach else _draw(play, formation, forced)
    here = play.state.formation(formation)
    beach = board_of(state).beaches[here.beach]
    if not ashore and (here.beach in state.british.waved or not _open(state, beach, formation)):
        return None
    used = {unit.at for unit in ashore}
    inland_first = here.kind is Kind.BATTALION
    for place in (beach.head, beach.beach) if inland_first else (beach.beach, beach.head):
        free = _room(state, place, formation)
        if place not in used and free:
            return _land(play, _group(waiting, min(A_PLACE, free, room)), place, decision)
    return None


def _waits(state: TangaState, formation: str) -> bool:
    """A staff lets the battalions that have come land first; who has no beach yet waits while every beach is held."""
    here = state.formation(formation)
    others = (one for one in state.formations.values() if one.side == BRITISH and one.kind is Kind.BATTALION)
    if here.kind is Kind.STAFF and any(aboard(state, one.id) for one in others if not one.collapsed):
        return True
    return not here.beach and not _free(state, formation)


def _free(state: TangaState, formation: str) -> list[Beach]:
    """Beaches where a formation may land a wave now, by letter."""
    beaches = board_of(state).beaches
    may = (beach for letter, beach in beaches.items() if letter not in state.british.waved)
    return sorted((beach for beach in may if _open(state, beach, formation)), key=lambda beach: beach.letter)


def _open(state: TangaState, beach: Beach, formation: str) -> bool:
    """Whether no other formation holds the beach; a staff that stays in the beach hex leaves the beachhead."""
    return bool(_room(state, beach.head, formation)) and not any(
        unit.formation != formation and state.formation(unit.formation).kind is not Kind.STAFF
        for unit in units_at(state, beach.beach)
        if not unit.is_leader
    )


def _room(state: TangaState, place: Hex, formation: str) -> int:
    """How many combat units of a formation a place takes now; none where another's are. Leaders alone hold nothing."""
    there = units_at(state, place)
    if any(unit.formation != formation and not unit.is_leader for unit in there):
        return 0
    return max(0, state.options.stack_limit - sum(unit.is_combat for unit in there))


def _draw(play: Play[TangaState], formation: str, forced: Hex | None) -> Decision:
    """Draws beach markers until one is free; it is kept for the formation's later waves."""
    state = play.state
    free = {beach.letter: beach for beach in _free(state, formation)}
    here, cup = state.formation(formation), sorted(board_of(state).beaches)
    letter = ""
    while letter not in free:
        if len(cup) == 1:
            letter = cup.pop()
            play.say(Step(text=f"{here.name}: the last beach marker", cite=LANDING, verdict=f"beach {letter}"))
        else:
            throw = play.throw(1, len(cup), f"{here.name}: beach marker, one of {', '.join(cup)}", side=BRITISH)
            letter = cup.pop(throw.total - 1)
            verdict = f"beach {letter}" if letter in free else f"beach {letter} is held: again"
            play.say(Step(text=throw.label, cite=LANDING, throws=(throw,), verdict=verdict))
    decision = Decision(
        question=Question.LANDING,
        units=ids(aboard(state, formation)[: state.options.wave]),
        candidates=tuple(sorted(beach.beach for beach in free.values())),
        chosen=free[letter].beach,
        why=f"beach {letter}, by the draw",
        cite=LANDING,
    ).by_word(forced)
    letter = next(one for one, beach in free.items() if beach.beach == decision.chosen)
    play.state = state.with_formation(here.model_copy(update={"beach": letter}))
    return decision


def _group(waiting: Sequence[TangaUnit], room: int) -> tuple[TangaUnit, ...]:
    """Who lands together: so many combat units, one leader or all that are left with the last of them, stevedores."""
    combat = tuple(unit for unit in waiting if unit.is_combat)[:room]
    leaders = tuple(unit for unit in waiting if unit.is_leader)
    bearers = tuple(unit for unit in waiting if unit.arm is Arm.STEVEDORES)
    last = len(combat) == sum(unit.is_combat for unit in waiting)
    return (*combat, *(leaders if last else leaders[:1]), *bearers)


def _land(play: Play[TangaState], group: Sequence[TangaUnit], place: Hex, decision: Decision | None) -> Stepped:
    """Puts them ashore, where Germans may fire at them as at any stack that enters a hex (TA-H.6)."""
    board, beach = board_of(play.state), play.state.formation(group[0].formation).beach
    landed = tuple(gone_into(play.state, unit, place) for unit in group)
    play.state = play.state.with_unit(*landed)
    mark(play, waved=tuple(dict.fromkeys((*play.state.british.waved, beach))))
    who = f"{names(play.state, landed)} {plural(landed, 'lands', 'land')} at beach {beach}, {board.title(place)}"
    play.say(Step(text=who, cite=PLACES))
    entered(play, place, BRITISH)
    revealing.reveal(play)
    marching.begin(play, landed, place)
    return Stepped(decision, f"{who} (TA-3)")
