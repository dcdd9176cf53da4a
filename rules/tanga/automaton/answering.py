"""What an answer does: the Germans fire or hold, or a result of the player's own box takes effect."""

from collections.abc import Mapping, Sequence

from rules.core.play import Play
from rules.tanga import questions
from rules.tanga.combat import fire as fires
from rules.tanga.combat import melee as melees
from rules.tanga.combat import opportunity, rally
from rules.tanga.combat.losses import eliminate, settle, take_hits
from rules.tanga.field import board_of, foe, hex_of, units_at
from rules.tanga.model import BRITISH, GERMAN, TangaState, TangaUnit
from rules.tanga.progress import Ask, Asked, mark

from . import marching
from .stacks import Stepped, ids

HITS = {questions.NONE: 0, questions.HIT: 1, questions.TWICE: 2}
BEATEN: Mapping[str, Sequence[str]] = {
    questions.BRITISH_WIN: (GERMAN,),
    questions.GERMANS_WIN: (BRITISH,),
    questions.NEITHER: (),
    questions.BOTH: (GERMAN, BRITISH),
}
"""Who takes a hit in a melee; who alone does has lost it."""


def answer(play: Play[TangaState], word: str) -> Stepped:
    """Answers the open question with one of its words; the turn can go on then."""
    asked = play.state.british.asked
    assert asked is not None
    mark(play, asked=None)
    if asked.ask is Ask.MELEE_RESULT:
        return _melee(play, asked, word)
    if asked.ask is Ask.RALLY_RESULT:
        return _rally(play, asked, word)
    return _fire(play, asked, word)


def _fire(play: Play[TangaState], asked: Asked, word: str) -> Stepped:
    """Fire of Germans at a march, who may hold it; or a volley of either side by the player's box."""
    state, march = play.state, play.state.british.march
    shooter = state.units[asked.unit]
    if shooter.side != GERMAN or march is None:
        there = (unit for unit in units_at(state, hex_of(shooter)) if unit.side == shooter.side)
        return _fired(play, asked, word, tuple(unit for unit in there if unit.id not in state.british.acted))
    units = opportunity.asked_about(state, march, asked.unit)
    if word == opportunity.HOLD:
        mark(play, offered=(*state.british.offered, *ids(units)))
        play.note(units[0].name, asked.cite, "holds fire")
        return Stepped(told=f"{units[0].name} holds fire")
    if word == opportunity.FIRE:
        return marching.fired_at(play, march, units)
    return _fired(play, asked, word, units, march.units)


def _fired(
    play: Play[TangaState], asked: Asked, word: str, stack: tuple[TangaUnit, ...], entering: tuple[str, ...] = ()
) -> Stepped:
    assert asked.at is not None
    reckoned = fires.reckon(play.state, stack, asked.at, entering)
    said = _said(play, asked, word, f"{reckoned.shooter.name} fires at {board_of(play.state).title(asked.at)}")
    fires.spend(play, reckoned, said)
    if word == questions.GONE:
        eliminate(play, reckoned.aimed_at)
        settle(play)
    else:
        take_hits(play, asked.at, reckoned.aimed_at.side, HITS[word], entering)
    return Stepped()


def _melee(play: Play[TangaState], asked: Asked, word: str) -> Stepped:
    """Who loses takes a hit and retreats, as by the house rules; the winner may advance."""
    attacker, there, title = play.state.units[asked.unit], asked.at, board_of(play.state).title
    here = hex_of(attacker)
    assert there is not None
    melees.engage(play, here, there)
    _said(play, asked, word, f"Melee of {title(here)} against {title(there)}")
    hexes, beaten = {attacker.side: here, foe(attacker.side): there}, BEATEN[word]
    for side in beaten:
        take_hits(play, hexes[side], side, 1)
    if len(beaten) == 1:
        melees.beaten(play, hexes[beaten[0]], hexes[foe(beaten[0])])
    return Stepped()


def _rally(play: Play[TangaState], asked: Asked, word: str) -> Stepped:
    unit, rallies = play.state.units[asked.unit], word == questions.RALLIES
    _said(play, asked, word, f"{unit.name} tries to rally")
    rally.tried(play, unit.id, rallies=rallies)
    return Stepped(told=f"{unit.name} rallies" if rallies else "")


def _said(play: Play[TangaState], asked: Asked, word: str, text: str) -> str:
    """What the player's box says of it, which is told."""
    said = dict(asked.answers)[word].casefold()
    play.note(text, questions.OWN_TABLE, said)
    return said
