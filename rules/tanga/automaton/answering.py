"""What an answer does: the Germans fire or hold, or a result of the player's own box takes effect."""

from collections.abc import Callable

from rules.core.play import Play
from rules.core.report import Step
from rules.tanga.combat import fire as fires
from rules.tanga.combat import melee as melees
from rules.tanga.combat import opportunity, rally
from rules.tanga.combat.losses import eliminate, settle, take_hits
from rules.tanga.field import board_of, units_at
from rules.tanga.model import BRITISH, GERMAN, TangaState, TangaUnit
from rules.tanga.progress import Ask, Asked

from . import asking, under_fire
from .stepped import Stepped, ids, mark

HITS = {asking.NONE: 0, asking.HIT: 1, asking.TWICE: 2}


def answer(play: Play[TangaState], word: str) -> Stepped:
    """Answers the open question with one of its words; the turn can go on then."""
    asked = play.state.british.asked
    assert asked is not None
    mark(play, asked=None)
    return EFFECTS[asked.ask](play, asked, word)


def _opportunity(play: Play[TangaState], asked: Asked, word: str) -> Stepped:
    march = play.state.british.march
    assert march is not None
    units = opportunity.asked_about(play.state, march, asked.unit)
    shooter = units[0]
    if word == opportunity.HOLD:
        mark(play, offered=(*play.state.british.offered, *ids(units)))
        play.say(Step(text=shooter.name, cite=asked.cite, verdict="holds fire"))
        return Stepped(told=f"{shooter.name} holds fire")
    if word == opportunity.FIRE:
        return under_fire.fire(play, march, units)
    return _fired(play, asked, word, units, march.units)


def _fire(play: Play[TangaState], asked: Asked, word: str) -> Stepped:
    """A volley of either side, by the player's box."""
    state = play.state
    shooter = state.units[asked.unit]
    assert shooter.at is not None
    if shooter.side == GERMAN and state.british.march is not None:
        return _opportunity(play, asked, word)
    there = (unit for unit in units_at(state, shooter.at) if unit.side == shooter.side)
    return _fired(play, asked, word, tuple(unit for unit in there if unit.id not in state.british.acted))


def _fired(
    play: Play[TangaState], asked: Asked, word: str, stack: tuple[TangaUnit, ...], entering: tuple[str, ...] = ()
) -> Stepped:
    assert asked.at is not None
    reckoned = fires.reckon(play.state, stack, asked.at, entering)
    said = dict(asked.answers)[word].casefold()
    text = f"{reckoned.shooter.name} fires at {board_of(play.state).title(asked.at)}"
    play.say(Step(text=text, cite=asking.OWN_TABLE, verdict=said))
    fires.spend(play, reckoned, said)
    if word == asking.GONE:
        eliminate(play, reckoned.aimed_at)
        settle(play)
    else:
        take_hits(play, asked.at, reckoned.aimed_at.side, HITS[word], entering)
    return Stepped()


def _melee(play: Play[TangaState], asked: Asked, word: str) -> Stepped:
    """Who loses takes a hit and retreats, as by the house rules; the winner may advance."""
    attacker = play.state.units[asked.unit]
    here, there = attacker.at, asked.at
    assert here is not None
    assert there is not None
    melees.engage(play, here, there)
    ours, theirs = (here, there) if attacker.side == BRITISH else (there, here)
    title = board_of(play.state).title
    text = f"Melee of {title(here)} against {title(there)}"
    play.say(Step(text=text, cite=asking.OWN_TABLE, verdict=dict(asked.answers)[word].casefold()))
    beaten = {
        asking.BRITISH_WIN: (theirs,),
        asking.GERMANS_WIN: (ours,),
        asking.BOTH: (theirs, ours),
    }.get(word, ())
    for hex_ in beaten:
        take_hits(play, hex_, GERMAN if hex_ == theirs else BRITISH, 1)
    if len(beaten) == 1:
        melees.beaten(play, *((there, here) if beaten[0] == there else (here, there)))
    return Stepped()


def _rally(play: Play[TangaState], asked: Asked, word: str) -> Stepped:
    unit, rallies = play.state.units[asked.unit], word == asking.RALLIES
    said = dict(asked.answers)[word].casefold()
    play.say(Step(text=f"{unit.name} tries to rally", cite=asking.OWN_TABLE, verdict=said))
    rally.tried(play, unit.id, rallies=rallies)
    return Stepped(told=f"{unit.name} rallies" if rallies else "")


EFFECTS: dict[Ask, Callable[[Play[TangaState], Asked, str], Stepped]] = {
    Ask.OPPORTUNITY_FIRE: _opportunity,
    Ask.FIRE_RESULT: _fire,
    Ask.MELEE_RESULT: _melee,
    Ask.RALLY_RESULT: _rally,
}
