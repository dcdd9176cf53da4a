"""Machine guns that jam and rockets that go astray (MM-3.7, MM-3.8)."""

from collections.abc import Iterable
from typing import ClassVar

from rules.core.action_type import Deed
from rules.core.dice import Dice, Throw
from rules.core.model import UMPIRE, Cite, Mark, Viewer
from rules.core.report import Report, Step
from rules.core.ruleset import Refused
from rules.core.state import Action
from rules.magdala import placement
from rules.magdala.model import MagdalaState, MagdalaUnit, Test, Weapon
from rules.magdala.morale.casualties import How, inflict
from rules.magdala.orders import counted, find
from rules.magdala.prompts import friends_of_the_rocket
from rules.magdala.stored_prompts import call_for, first_prompt, settle
from rules.magdala.tables import SIDES, matter

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


STRAY: Deed[MagdalaState] = Deed(Stray, stray, legal=legal_strays)
