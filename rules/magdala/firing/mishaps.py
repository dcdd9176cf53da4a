"""Machine guns that jam and rockets that go astray (MM-3.7, MM-3.8)."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from rules.core.dice import Throw
from rules.core.model import Cite, Mark
from rules.core.report import Step
from rules.core.ruleset import Refused
from rules.core.state import Action
from rules.magdala import placement
from rules.magdala.action_types import PromptedType, conclude
from rules.magdala.arms import LEADERS
from rules.magdala.model import MagdalaPlay, MagdalaState, MagdalaUnit, StoredPrompt, Test, Weapon
from rules.magdala.morale.casualties import How, inflict
from rules.magdala.orders import find
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


def fall_on_friends(play: MagdalaPlay, unit: MagdalaUnit, target: MagdalaUnit, hits: int) -> None:
    """The hits fall on the friends nearest the target; where positions are unknown, the side says on whom."""
    friends = friends_of_the_rocket(play.state, unit)
    nearest = placement.nearest(target, friends) if len(friends) > 1 else next(iter(friends), None)
    if not hits or not friends:
        verdict = "they hit nobody"
    elif nearest is None:
        verdict = "say which friends are nearest the target"
        play.state = call_for(play.state, unit.id, Test.STRAY_ROCKETS, by=target.id, hits=hits)
    else:
        verdict = f"they fall on {nearest.name}"
    play.say(Step(text="The rockets go astray", cite=ROCKETS, verdict=verdict))
    if hits and nearest is not None:
        inflict(play, nearest.id, hits, unit.id, How.FIRE)


def friends_of_the_rocket(state: MagdalaState, unit: MagdalaUnit) -> tuple[MagdalaUnit, ...]:
    """Friendly units its rockets may fall on (MM-3.8)."""
    return tuple(other for other in state.of_side(unit.side) if other.id != unit.id and other.troop not in LEADERS)


class Stray(Action):
    """Says which friends stood nearest the target of rockets gone astray: `target`, who take the hits."""

    kind: ClassVar[str] = "stray"

    target: str


@dataclass(frozen=True)
class StrayPlan:
    """The rockets, their hits that wait, and the friends they fall on."""

    unit: str
    friend: str
    prompt: StoredPrompt


class StrayType(PromptedType[Stray, StrayPlan]):
    """The hits of rockets gone astray fall on the friends named (MM-3.8)."""

    action = Stray

    def answers(self, state: MagdalaState, prompt: StoredPrompt) -> Iterable[Stray]:
        """Every friend they may have been."""
        if prompt.test is Test.STRAY_ROCKETS:
            for friend in friends_of_the_rocket(state, state.unit(prompt.unit)):
                yield Stray(unit=prompt.unit, target=friend.id)

    def plan(self, state: MagdalaState, action: Stray, *, supposing: bool = False) -> StrayPlan:  # noqa: ARG002
        """Raises Refused where none have gone astray, or not on them."""
        unit, friend = find(state, action.unit), find(state, action.target)
        prompt = first_prompt(state, unit.id, Test.STRAY_ROCKETS)
        if prompt is None:
            raise Refused(f"No rockets of {unit.name} have gone astray.", ROCKETS)
        if friend not in friends_of_the_rocket(state, unit):
            raise Refused(f"{friend.name} is not a friendly unit the rockets could fall on.", ROCKETS)
        return StrayPlan(unit.id, friend.id, prompt)

    def label(self, state: MagdalaState, plan: StrayPlan) -> str:
        """`Rockets fall on Berkshires: 2 hits`."""
        hits = plan.prompt.hits
        return f"Rockets fall on {state.unit(plan.friend).name}: {hits} {'hit' if hits == 1 else 'hits'}"

    def resolve(self, play: MagdalaPlay, plan: StrayPlan) -> None:
        """They take the hits."""
        play.state = settle(play.state, plan.prompt)
        inflict(play, plan.friend, plan.prompt.hits, plan.unit, How.FIRE)
        unit, friend = play.state.unit(plan.unit), play.state.unit(plan.friend)
        headline = f"The rockets of {unit.name} fall on {friend.name}"
        conclude(play, headline, unit.id, friend.id, outcome=f"{friend.name}: {friend.strength} left.")


STRAY = StrayType()
