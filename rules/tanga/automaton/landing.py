"""Debarkation: four combat units a wave, half on the beach and half on the beachhead (TA-3)."""

from collections.abc import Sequence

from rules.core.hexboard.hexes import Hex
from rules.core.model import Cite, Mark
from rules.core.play import Play
from rules.core.report import Step
from rules.tanga.combat import reveal as revealing
from rules.tanga.entering import entered, gone_into
from rules.tanga.field import board_of, of_formation, units_at
from rules.tanga.maps import Beach
from rules.tanga.model import BRITISH, Arm, Condition, Kind, TangaState, TangaUnit
from rules.tanga.progress import Decision, Question, mark

from . import marching
from .stacks import Stepped, ids, in_order, names, plural

LANDING = Cite(rule="TA-3")
PLACES = Cite(rule="TA-3", mark=Mark.RULING)
A_PLACE = 2
"""Combat units of a wave to a place: two on the beachhead, two on the beach."""


def aboard(state: TangaState, formation: str) -> list[TangaUnit]:
    """Units of a formation that have still to land, as they land; a hidden MG comes under its marker (TA-1)."""
    here = state.formation(formation)
    hidden = Arm.MACHINE_GUN if here.kind is Kind.BATTALION else None
    units = of_formation(state, formation) if here.arrives <= state.turn else ()
    waiting = (one for one in units if not one.on_map and one.condition is Condition.GOOD and one.arm is not hidden)
    return in_order(state, waiting)


def debark(play: Play[TangaState], formation: str, forced: Hex | None) -> Stepped | None:
    """Lands one stack of the wave: on the beachhead, then the beach; a staff on the beach first.

    A battalion draws its beach with its first wave.
    """
    state, waiting = play.state, aboard(play.state, formation)
    ashore = [state.units[unit] for unit in state.british.acted]
    room = state.options.wave - sum(unit.is_combat for unit in ashore)
    if not waiting or state.formation(formation).collapsed or room <= 0 or (not ashore and _waits(state, formation)):
        return None
    decision = None if state.formation(formation).beach else _draw(play, formation, waiting, forced)
    state, here = play.state, play.state.formation(formation)
    beach = board_of(state).beaches[here.beach]
    if not ashore and beach not in _free(state, formation):
        return None
    places = (beach.head, beach.beach) if here.kind is Kind.BATTALION else (beach.beach, beach.head)
    for place in places:
        free = min(A_PLACE, _room(state, place, formation), room)
        if free and all(unit.at != place for unit in ashore):
            return _land(play, _group(waiting, free), place, decision)
    return None


def _waits(state: TangaState, formation: str) -> bool:
    """A staff lets the battalions that have come land first; who has no beach yet waits while every beach is held."""
    here = state.formation(formation)
    others = (one for one in state.formations.values() if one.side == BRITISH and one.kind is Kind.BATTALION)
    if here.kind is Kind.STAFF and any(aboard(state, one.id) for one in others if not one.collapsed):
        return True
    return not here.beach and not _free(state, formation)


def _free(state: TangaState, formation: str) -> list[Beach]:
    """Beaches where a formation may land a wave now, by letter: no other formation holds them.

    A staff that stays in the beach hex leaves the beachhead.
    """
    beaches = sorted(board_of(state).beaches.values(), key=lambda beach: beach.letter)
    return [
        beach
        for beach in beaches
        if beach.letter not in state.british.waved
        and _room(state, beach.head, formation)
        and all(state.formation(one.formation).kind is Kind.STAFF for one in _strangers(state, beach.beach, formation))
    ]


def _strangers(state: TangaState, place: Hex, formation: str) -> list[TangaUnit]:
    """Units of other formations that hold a place: leaders alone hold nothing."""
    return [unit for unit in units_at(state, place) if unit.formation != formation and not unit.is_leader]


def _room(state: TangaState, place: Hex, formation: str) -> int:
    """How many combat units of a formation a place takes now; none where another's are."""
    there = sum(unit.is_combat for unit in units_at(state, place))
    return 0 if _strangers(state, place, formation) else max(0, state.options.stack_limit - there)


def _draw(play: Play[TangaState], formation: str, waiting: Sequence[TangaUnit], forced: Hex | None) -> Decision:
    """Draws beach markers until one is free; it is kept for the formation's later waves."""
    state, here = play.state, play.state.formation(formation)
    free, cup = {beach.letter: beach.beach for beach in _free(state, formation)}, sorted(board_of(state).beaches)
    letter = ""
    while letter not in free:
        if len(cup) == 1:
            letter = cup.pop()
            play.note(f"{here.name}: the last beach marker", LANDING, f"beach {letter}")
        else:
            throw = play.throw(1, len(cup), f"{here.name}: beach marker, one of {', '.join(cup)}", side=BRITISH)
            letter = cup.pop(throw.total - 1)
            verdict = f"beach {letter}" if letter in free else f"beach {letter} is held: again"
            play.say(Step(text=throw.label, cite=LANDING, throws=(throw,), verdict=verdict))
    decision = Decision(
        question=Question.LANDING,
        units=ids(waiting[: state.options.wave]),
        candidates=tuple(sorted(free.values())),
        chosen=free[letter],
        why=f"beach {letter}, by the draw",
        cite=LANDING,
    ).by_word(forced)
    letter = next(one for one, hex_ in free.items() if hex_ == decision.chosen)
    play.state = state.with_formation(here.model_copy(update={"beach": letter}))
    return decision


def _group(waiting: Sequence[TangaUnit], room: int) -> tuple[TangaUnit, ...]:
    """Who lands together: so many combat units, one leader or all that are left with the last of them, stevedores."""
    combat, leaders = [unit for unit in waiting if unit.is_combat], [unit for unit in waiting if unit.is_leader]
    bearers = (unit for unit in waiting if unit.arm is Arm.STEVEDORES)
    return (*combat[:room], *(leaders if len(combat) <= room else leaders[:1]), *bearers)


def _land(play: Play[TangaState], group: Sequence[TangaUnit], place: Hex, decision: Decision | None) -> Stepped:
    """Puts them ashore, where Germans may fire at them as at any stack that enters a hex (TA-H.6)."""
    title, beach = board_of(play.state).title(place), play.state.formation(group[0].formation).beach
    play.state = play.state.with_unit(*(gone_into(play.state, unit, place) for unit in group))
    mark(play, waved=tuple(dict.fromkeys((*play.state.british.waved, beach))))
    landed = tuple(play.state.units[unit.id] for unit in group)
    who = f"{names(play.state, landed)} {plural(landed, 'lands', 'land')} at beach {beach}, {title}"
    play.note(who, PLACES)
    entered(play, place, BRITISH)
    revealing.reveal(play)
    marching.begin(play, landed, place)
    return Stepped(decision, f"{who} (TA-3)")
