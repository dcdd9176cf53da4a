"""What an answer does: the Germans fire or hold, or a result of the player's own box takes effect."""

from collections.abc import Callable

from rules.core.dice import Dice
from rules.core.report import Step
from rules.tanga.combat import fire as fires
from rules.tanga.combat import melee as melees
from rules.tanga.combat import opportunity, rally
from rules.tanga.combat.collapse import settle
from rules.tanga.combat.losses import eliminate
from rules.tanga.combat.results import take_hits
from rules.tanga.field import board_of, units_at
from rules.tanga.model import BRITISH, GERMAN, TangaState, TangaUnit
from rules.tanga.progress import Ask, Asked

from . import asking, under_fire
from .stepped import Stepped, british, ids

HITS = {asking.NONE: 0, asking.HIT: 1, asking.TWICE: 2}


def answer(state: TangaState, word: str, dice: Dice) -> Stepped:
    """Answers the open question with one of its words; the turn can go on then."""
    asked = state.british.asked
    assert asked is not None
    return EFFECTS[asked.ask](british(state, asked=None), asked, word, dice)


def _volley(state: TangaState, asked: Asked, word: str, dice: Dice) -> Stepped:
    march = state.british.march
    assert march is not None
    units = opportunity.asked_about(state, march, asked.unit)
    shooter = units[0]
    if word == opportunity.HOLD:
        held = british(state, offered=(*state.british.offered, *ids(units)))
        step = Step(text=shooter.name, cite=asked.cite, verdict="holds fire")
        return Stepped(held, (step,), told=f"{shooter.name} holds fire")
    if word == opportunity.FIRE:
        return under_fire.fire(state, march, units, dice)
    return _fired(state, asked, word, units, dice, march.units)


def _fire(state: TangaState, asked: Asked, word: str, dice: Dice) -> Stepped:
    """A volley of either side, by the player's box."""
    shooter = state.units[asked.unit]
    assert shooter.at is not None
    if shooter.side == GERMAN and state.british.march is not None:
        return _volley(state, asked, word, dice)
    there = (unit for unit in units_at(state, shooter.at) if unit.side == shooter.side)
    stack = tuple(unit for unit in there if unit.id not in state.british.acted)
    return _fired(state, asked, word, stack, dice)


def _fired(
    state: TangaState,
    asked: Asked,
    word: str,
    stack: tuple[TangaUnit, ...],
    dice: Dice,
    entering: tuple[str, ...] = (),
) -> Stepped:
    assert asked.at is not None
    reckoned = fires.reckon(state, stack, asked.at, entering)
    said = dict(asked.answers)[word]
    state, rounds = fires.spend(state, reckoned, said.casefold())
    text = f"{reckoned.shooter.name} fires at {board_of(state).title(asked.at)}"
    told = Step(text=text, cite=asking.OWN_TABLE, verdict=said.casefold())
    side = reckoned.aimed_at.side
    if word == asking.GONE:
        state, fallen = eliminate(state, reckoned.aimed_at, dice)
        state, collapsed = settle(state)
        return Stepped(state, (told, *rounds, *fallen, *collapsed))
    state, fallen = take_hits(state, asked.at, side, HITS[word], dice, entering)
    return Stepped(state, (told, *rounds, *fallen))


def _melee(state: TangaState, asked: Asked, word: str, dice: Dice) -> Stepped:
    """Who loses takes a hit and retreats, as by the house rules; the winner may advance."""
    attacker = state.units[asked.unit]
    here, there = attacker.at, asked.at
    assert here is not None
    assert there is not None
    state = melees.engage(state, here, there)
    ours, theirs = (here, there) if attacker.side == BRITISH else (there, here)
    text = f"Melee of {board_of(state).title(here)} against {board_of(state).title(there)}"
    steps: tuple[Step, ...] = (Step(text=text, cite=asking.OWN_TABLE, verdict=dict(asked.answers)[word].casefold()),)
    hit = {
        asking.BRITISH_WIN: (theirs,),
        asking.GERMANS_WIN: (ours,),
        asking.BOTH: (theirs, ours),
    }.get(word, ())
    for hex_ in hit:
        side = GERMAN if hex_ == theirs else BRITISH
        state, fallen = take_hits(state, hex_, side, 1, dice)
        steps += fallen
    if len(hit) == 1:
        loser, winner = (there, here) if hit[0] == there else (here, there)
        state, ended = melees.beaten(state, loser, winner, dice)
        steps += ended
    return Stepped(state, steps)


def _rally(state: TangaState, asked: Asked, word: str, _dice: Dice) -> Stepped:
    unit, rallies = state.units[asked.unit], word == asking.RALLIES
    step = Step(text=f"{unit.name} tries to rally", cite=asking.OWN_TABLE, verdict=dict(asked.answers)[word].casefold())
    return Stepped(
        rally.tried(state, unit.id, rallies=rallies), (step,), told=f"{unit.name} rallies" if rallies else ""
    )


EFFECTS: dict[Ask, Callable[[TangaState, Asked, str, Dice], Stepped]] = {
    Ask.OPPORTUNITY_FIRE: _volley,
    Ask.FIRE_RESULT: _fire,
    Ask.MELEE_RESULT: _melee,
    Ask.RALLY_RESULT: _rally,
}
