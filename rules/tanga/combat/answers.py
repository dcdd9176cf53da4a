"""What the table of the player's own box said, put in force as the house game's results are (TA, own game)."""

from typing import assert_never

from rules.core.dice import Dice
from rules.core.hexes import Hex
from rules.core.model import Cite, Mark
from rules.core.refused import Refused
from rules.core.report import Step
from rules.tanga.field import firing_unit, foe, units_at
from rules.tanga.model import GERMAN, TangaState
from rules.tanga.progress import Ask, Asked

from .advance import advancing, take
from .collapse import settle
from .losses import eliminate
from .melee import driven_off
from .opportunity import ANSWERS as FIRE_OR_HOLD
from .rally import tried
from .results import take_hits

OWN_TABLE = Cite(rule="TA-H", mark=Mark.RULING)
NO_EFFECT, DISRUPTED, ELIMINATED = "no effect", "disrupted", "eliminated"
ATTACKER_RETREATS, DEFENDER_RETREATS = "attacker retreats", "defender retreats"
ATTACKER_ADVANCES, DEFENDER_ADVANCES = "attacker advances", "defender advances"
ATTACKER_LOST, DEFENDER_LOST = "attacker eliminated", "defender eliminated"
RALLIES, STAYS = "rallies", "stays disrupted"
ANSWERS: dict[Ask, tuple[tuple[str, str], ...]] = {
    Ask.OPPORTUNITY_FIRE: FIRE_OR_HOLD,
    Ask.FIRE_RESULT: ((NO_EFFECT, "No effect"), (DISRUPTED, "Disrupted"), (ELIMINATED, "Eliminated")),
    Ask.MELEE_RESULT: (
        (NO_EFFECT, "No effect"),
        (DEFENDER_RETREATS, "Defender retreats"),
        (ATTACKER_ADVANCES, "Defender retreats, attacker advances"),
        (DEFENDER_LOST, "Defending firing unit eliminated"),
        (ATTACKER_RETREATS, "Attacker retreats"),
        (DEFENDER_ADVANCES, "Attacker retreats, defender advances"),
        (ATTACKER_LOST, "Attacking firing unit eliminated"),
    ),
    Ask.RALLY_RESULT: ((RALLIES, "Rallies"), (STAYS, "Stays disrupted")),
}
"""Words and labels of the buttons, by what is asked."""

Told = tuple[TangaState, tuple[Step, ...]]


def ask(state: TangaState, kind: Ask, unit_id: str, at: Hex, text: str) -> Asked:
    """The question what the player's own table gave, of a unit that fired at, attacks, or rallies in a hex.

    The unit has been marked before (`fire.spend`, `melee.engage`).
    """
    return Asked(
        key=f"{kind.value.replace(' ', '-')}-{state.turn}-{state.british.count}",
        ask=kind,
        text=text,
        cite=OWN_TABLE,
        side=GERMAN,
        answers=ANSWERS[kind],
        unit=unit_id,
        at=at,
    )


def apply_answer(state: TangaState, asked: Asked, word: str, dice: Dice) -> Told:
    """The consequences of what the player's own table gave. Raises Refused on a word that is no answer to it."""
    labels = dict(asked.answers)
    if word not in labels:
        raise Refused(f"“{word[:40]}” is no answer to this. Answer with: {', '.join(labels)}.", OWN_TABLE)
    said = Step(text=asked.text, cite=OWN_TABLE, verdict=labels[word].lower())
    unit = state.unit(asked.unit)
    match asked.ask:
        case Ask.FIRE_RESULT:
            assert asked.at is not None
            state, steps = _struck(state, asked.at, foe(unit.side), word, dice)
        case Ask.MELEE_RESULT:
            assert unit.at is not None
            assert asked.at is not None
            state, steps = _fought(state, (unit.at, unit.side), (asked.at, foe(unit.side)), word, dice)
        case Ask.RALLY_RESULT:
            state, steps = tried(state, unit.id, rallies=word == RALLIES), ()
        case Ask.OPPORTUNITY_FIRE:
            raise Refused("Whether to fire is answered before any table is looked at.", OWN_TABLE)
        case _:
            assert_never(asked.ask)
    return state, (said, *steps)


def _struck(state: TangaState, hex_: Hex, side: str, word: str, dice: Dice) -> Told:
    """The firing unit of a stack is disrupted (once more: eliminated), or eliminated outright."""
    if word == DISRUPTED:
        return take_hits(state, hex_, side, 1, dice)
    unit = firing_unit(one for one in units_at(state, hex_) if one.side == side)
    if word == NO_EFFECT or unit is None:
        return state, ()
    state, gone = eliminate(state, unit, dice)
    state, collapsed = settle(state)
    return state, (*gone, *collapsed)


def _fought(state: TangaState, attackers: tuple[Hex, str], defenders: tuple[Hex, str], word: str, dice: Dice) -> Told:
    if word == NO_EFFECT:
        return state, ()
    by_defender = word in (ATTACKER_RETREATS, DEFENDER_ADVANCES, ATTACKER_LOST)
    winner, loser = (defenders, attackers) if by_defender else (attackers, defenders)
    if word in (ATTACKER_LOST, DEFENDER_LOST):
        return _struck(state, *loser, ELIMINATED, dice)
    state, steps = driven_off(state, *loser, dice)
    if word in (ATTACKER_ADVANCES, DEFENDER_ADVANCES):
        going = advancing(state, winner[0], loser[0], winner[1])
        if going:
            state, gone_on = take(state, going, winner[0], loser[0], dice)
            steps += gone_on
    return state, steps
