"""Circumstances that only the umpire may speak of, because he rules them or the table itself knows better."""

from collections.abc import Callable, Iterable, Mapping

from rules.core.state import Action

from .arms import BREASTWORKS, DEFENCES
from .attack import FLANK, REAR
from .engagement import engaged, in_contact
from .fighting.combats import AGAINST_WORKS
from .fighting.melee import Melee
from .fighting.setting_up import OVERLAPPED, ROUNDS
from .firing.fire import DEFENSIVE, Fire
from .firing.targeting import IN_THE_OPEN
from .model import MagdalaState, MagdalaUnit, Morale, Test, Troop, Works
from .morale.morale import MoraleTest
from .morale.morale_trial import AT_ITS_BEST, IN_SQUARE, ROUNDS_LOST
from .morale.reaction import Reaction
from .morale.reaction_trial import NOT_ENGAGED, POOR, ROUTING
from .moving.marching import ATTACKS, GOOD, NOT_ADVANCING, Move
from .stored_prompts import first_prompt, prompts_of
from .tables import value

ALWAYS = ("umpire +1", "umpire -1", "target +1", "target -1", "umpire's call", AT_ITS_BEST)
"""The umpire's own (MM-4.3, MM-5.4)."""

Words = Iterable[str]


def says_what_is_the_umpires(state: MagdalaState, action: Action) -> bool:
    """Whether any circumstance of `action` is one that a player may not claim."""
    unit = state.units.get(action.unit or "")
    known = _KNOWN_BETTER.get(action.kind) if unit is not None else None
    claimed = {*ALWAYS, *(known(state, unit, action) if known and unit else ())}
    return any(word in claimed for word in action.circumstances)


def _of_a_move(_state: MagdalaState, unit: MagdalaUnit, _action: Action) -> Words:
    """Where the table knows the place it knows the going, the enemy's flank, and what is an advance."""
    return (GOOD, NOT_ADVANCING, *ATTACKS) if unit.place is not None else ()


def _of_fire(state: MagdalaState, unit: MagdalaUnit, action: Action) -> Words:
    """What covers a target is known with its place or its works; fire out of turn answers a charge (MM-4.1)."""
    assert isinstance(action, Fire)
    target = state.units.get(action.target)
    charged = any(prompt.by == action.target for prompt in prompts_of(state, unit.id, Test.DEFENSIVE_FIRE))
    covered = target is not None and (target.place is not None or target.works is not Works.NONE)
    return (*(() if charged else (DEFENSIVE,)), *((IN_THE_OPEN,) if covered else ()))


def _of_melee(state: MagdalaState, unit: MagdalaUnit, action: Action) -> Words:
    """Bases that are known show which flank is turned or overlapped; rounds are counted (MM-4.2 to MM-4.4, MM-7)."""
    assert isinstance(action, Melee)
    target = state.units.get(action.target or unit.melee_with or "")
    if target is None:
        return ()
    placed = unit.place is not None and target.place is not None
    goes_on = target.id in (enemy.id for enemy in in_contact(state, unit.id))
    works = {unit.works, target.works} if goes_on else {target.works}
    return (
        *ROUNDS,
        *((FLANK, REAR) if placed or goes_on else ()),
        *(OVERLAPPED if placed else ()),
        *(() if works & {*BREASTWORKS} else (AGAINST_WORKS,)),
    )


def _of_morale(state: MagdalaState, unit: MagdalaUnit, _action: Action) -> Words:
    """Square, works, advance, quality and rounds lost are kept; so are imams, and where they are (MM-5.4, MM-A.2)."""
    imams = [each for each in state.of_side(unit.side) if each.troop is Troop.IMAM]
    false = {
        IN_SQUARE: not unit.in_square,
        "behind defences": unit.works not in DEFENCES,
        "advancing": not (unit.this_turn.advanced or unit.this_turn.charged),
        "fanatic": not unit.fanatic,
        **{word: unit.quality > value("morale-adjustments", word) for word in ("inferior", "extremely inferior")},
        "imam": unit.place is not None or not imams,
    }
    return (*ROUNDS_LOST, *(word for word, untrue in false.items() if untrue))


def _of_reaction(state: MagdalaState, unit: MagdalaUnit, action: Action) -> Words:
    """Who fights, who is fired at, of what quality it is, and how its friends flee is known (MM-5.10)."""
    assert isinstance(action, Reaction)
    fights, fired_at = engaged(state, unit), unit.this_turn.under_fire
    prompt = first_prompt(state, unit.id, Test.REACTION)
    fugitive = state.units.get(action.by or "")
    routing = prompt.routing if prompt else fugitive is not None and fugitive.morale is Morale.ROUTED
    false = {
        NOT_ENGAGED: fights or fired_at,
        "engaged": not fights,
        "under fire": not fired_at,
        POOR: unit.quality >= 0,
        ROUTING: not routing,
        "retreating": routing,
    }
    return (word for word, untrue in false.items() if untrue)


_KNOWN_BETTER: Mapping[str, Callable[[MagdalaState, MagdalaUnit, Action], Words]] = {
    Move.kind: _of_a_move,
    Fire.kind: _of_fire,
    Melee.kind: _of_melee,
    MoraleTest.kind: _of_morale,
    Reaction.kind: _of_reaction,
}
