"""Machine guns that jam and rockets that go astray (MM-3.7, MM-3.8)."""

from collections.abc import Iterable
from fractions import Fraction
from typing import ClassVar

from rules.core.action_type import Deed
from rules.core.dice import Dice, Throw
from rules.core.model import UMPIRE, Cite, Mark, Viewer
from rules.core.odds import Odds, Outcome
from rules.core.report import Report, Step
from rules.core.ruleset import Refused
from rules.core.state import Action
from rules.magdala import placement
from rules.magdala.model import MagdalaState, MagdalaUnit, Test, Weapon
from rules.magdala.morale.casualties import How, inflict
from rules.magdala.orders import counted, find, not_in_melee, own_turn, under_command
from rules.magdala.prompts import friends_of_the_rocket
from rules.magdala.stored_prompts import call_for, first_prompt, settle
from rules.magdala.tables import matter

SIDES = 6
JAM = Cite(rule="MM-3.7")
JAM_RULING = Cite(rule="MM-3.7", mark=Mark.RULING)
ROCKETS = Cite(rule="MM-3.8")


def can_jam(unit: MagdalaUnit) -> bool:
    """A machine gun older than the Maxim (MM-3.7)."""
    return unit.weapon is Weapon.MACHINE_GUN and unit.pre_maxim


def jams(unit: MagdalaUnit, throw: Throw) -> bool:
    """Two or more 1s (MM-3.7)."""
    return can_jam(unit) and throw.dice.count(1) >= matter("a pre-Maxim machine gun jams on 1s, at least")


def astray(unit: MagdalaUnit, throw: Throw) -> bool:
    """Rockets with more 1s than 6s fall on friends (MM-3.8)."""
    return unit.weapon is Weapon.ROCKET and throw.dice.count(1) > throw.dice.count(SIDES)


def fall_on_friends(
    state: MagdalaState, unit: MagdalaUnit, target: MagdalaUnit, hits: int
) -> tuple[MagdalaState, tuple[Step, ...]]:
    """The hits fall on the friends nearest the target; where positions are unknown, the side says on whom."""
    friends = friends_of_the_rocket(state, unit)
    nearest = placement.nearest(target, friends) if len(friends) > 1 else next(iter(friends), None)
    if not hits or not friends:
        return state, (Step(text="The rockets go astray", cite=ROCKETS, verdict="they hit nobody"),)
    if nearest is None:
        step = Step(text="The rockets go astray", cite=ROCKETS, verdict="say which friends are nearest the target")
        return call_for(state, unit.id, Test.STRAY_ROCKETS, by=target.id, hits=hits), (step,)
    state, steps = inflict(state, nearest.id, hits, unit.id, How.FIRE)
    return state, (Step(text="The rockets go astray", cite=ROCKETS, verdict=f"they fall on {nearest.name}"), *steps)


class Stray(Action):
    """Says which friends stood nearest the target of rockets gone astray: `target`, who take the hits."""

    kind: ClassVar[str] = "stray"

    target: str


def stray(state: MagdalaState, action: Stray, _dice: Dice) -> tuple[MagdalaState, Report]:
    """The hits fall on the friends named (MM-3.8). Raises Refused."""
    unit, friend = find(state, action.unit), find(state, action.target)
    prompt = first_prompt(state, unit.id, Test.STRAY_ROCKETS)
    if prompt is None:
        raise Refused(f"No rockets of {unit.name} have gone astray.", ROCKETS)
    if friend not in friends_of_the_rocket(state, unit):
        raise Refused(f"{friend.name} is not a friendly unit the rockets could fall on.", ROCKETS)
    after, steps = inflict(settle(state, prompt), friend.id, prompt.hits, unit.id, How.FIRE)
    report = Report(
        headline=f"The rockets of {unit.name} fall on {friend.name}.",
        side=unit.side,
        steps=steps,
        outcome=f"{friend.name}: {after.unit(friend.id).strength} left.",
        units=(unit.id, friend.id),
    )
    return counted(after), report


def legal_strays(state: MagdalaState, side: Viewer) -> Iterable[Stray]:
    """Every friendly unit that rockets of the side gone astray may fall on."""
    for prompt in state.prompts:
        unit = state.unit(prompt.unit)
        if prompt.test is Test.STRAY_ROCKETS and side in (unit.side, UMPIRE):
            yield from (Stray(unit=unit.id, target=friend.id) for friend in friends_of_the_rocket(state, unit))


class Clear(Action):
    """Clears a jammed machine gun, on its own turn."""

    kind: ClassVar[str] = "clear"


def _may_clear(state: MagdalaState, action: Clear) -> MagdalaUnit:
    unit = find(state, action.unit)
    own_turn(state, unit)
    if not unit.jammed:
        raise Refused(f"{unit.name} is not jammed.", JAM)
    under_command(state, unit)
    not_in_melee(unit)
    if unit.this_turn.has_fired:
        raise Refused(f"{unit.name} jammed this turn: it can be cleared in its next.", JAM)
    if unit.this_turn.tried_to_clear:
        raise Refused(f"{unit.name} has been tried this turn: one attempt a turn.", JAM_RULING)
    return unit


def _clears_from() -> int:
    return matter("a jam clears on a D6 of at least")


def clear(state: MagdalaState, action: Clear, dice: Dice) -> tuple[MagdalaState, Report]:
    """One attempt a turn, from the turn after the jam: 4-6 clears it, and it may fire at once (MM-3.7)."""
    unit = _may_clear(state, action)
    throw = dice.throw(1, SIDES, f"{unit.name}, clearing the jam", side=unit.side)
    cleared = throw.total >= _clears_from()
    tried = unit.model_copy(
        update={"jammed": not cleared, "this_turn": unit.this_turn.model_copy(update={"tried_to_clear": True})}
    )
    step = Step(
        text="Clearing the jam",
        cite=JAM,
        throws=(throw,),
        score=Fraction(throw.total),
        needed=f"on {_clears_from()} or more",
        chance=_chance_to_clear(),
        hope="to clear",
        verdict="cleared" if cleared else "still jammed",
    )
    report = Report(
        headline=f"{unit.name} is {'cleared' if cleared else 'still jammed'}.",
        side=unit.side,
        steps=(step,),
        outcome="It may fire again at once." if cleared else "It may be tried again next turn.",
        units=(unit.id,),
    )
    return counted(state.with_unit(tried)), report


def _chance_to_clear() -> Fraction:
    return Fraction(SIDES + 1 - _clears_from(), SIDES)


def clear_odds(state: MagdalaState, action: Clear) -> Odds:
    """The chance of clearing the jam. Raises Refused as the deed does."""
    unit = _may_clear(state, action)
    chance = _chance_to_clear()
    return Odds(
        question=f"Does {unit.name} clear its jam?",
        outcomes=(
            Outcome(label="cleared", chance=chance, good=True),
            Outcome(label="still jammed", chance=1 - chance, good=False),
        ),
        spread=tuple((face, Fraction(1, SIDES)) for face in range(1, SIDES + 1)),
        spread_of="D6",
        pass_from=_clears_from(),
    )


def legal_clears(state: MagdalaState, side: Viewer) -> Iterable[Clear]:
    """Every jammed gun of the side that may be tried now."""
    if side not in (state.active, UMPIRE):
        return
    for unit in state.of_side(state.active):
        try:
            _may_clear(state, Clear(unit=unit.id))
        except Refused:
            continue
        yield Clear(unit=unit.id)


CLEAR: Deed[MagdalaState] = Deed(Clear, clear, clear_odds, legal_clears)
STRAY: Deed[MagdalaState] = Deed(Stray, stray, legal=legal_strays)
