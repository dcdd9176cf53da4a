"""A rule system of two action types, for tests of the contract: squads hold on a D6, and have a secret."""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from fractions import Fraction
from typing import ClassVar

from pydantic import Field

from rules.core.action_type import ActionType
from rules.core.dice import Dice
from rules.core.model import Cite, Model, Viewer
from rules.core.odds import Odds, Outcome
from rules.core.options import Options
from rules.core.play import Play
from rules.core.report import Offer, Prompt, Step
from rules.core.ruleset import Refused, Ruleset
from rules.core.scene import Ground, TableScene
from rules.core.state import Action, Side, State, Unit, Verdict
from rules.core.tests.scripted import ScriptedDice
from rules.core.umpire import AddUnit, UmpireTools

RULE = Cite(rule="D-1")


class Mood(StrEnum):
    CALM = "calm"
    DEEP_FRIED = "cross"


class Spot(Model):
    x: float
    y: float
    facing: float = 0.0


class Squad(Unit):
    refers_to = ("leader",)

    figures: int = Field(default=5, ge=1, le=10)
    mood: Mood = Mood.CALM
    ammunition: Fraction = Fraction(6)
    brave: bool = False
    leader: str | None = None
    spot: Spot | None = None
    memories: tuple[str, ...] = ()
    secret: int = Field(default=0, ge=-2, le=2, json_schema_extra={"hidden": True})


class DrillOptions(Options):
    pace: int = Field(
        default=3, ge=1, description="Steps of a pace.", json_schema_extra={"rule": "D-1", "mark": "ruling"}
    )
    share: Fraction = Field(default=Fraction(1, 2), description="What is left of it.")


class DrillState(State):
    ruleset: str = "drill"
    units: Mapping[str, Squad] = Field(default_factory=dict)
    options: DrillOptions = DrillOptions(throw_at_once=False)
    owing: tuple[str, ...] = ()


class Hold(Action):
    """Throw a D6: 3 or more holds. On less, the squad must throw again later."""

    circumstance_names: ClassVar[tuple[str, ...]] = ("in cover", "in square", "general")

    unit: str
    steps: int = Field(default=1, ge=1)


class Stop(Action):
    """End the game, without dice and odds."""


class HoldType(ActionType[DrillState, Hold, str]):
    """The plan is the squad's id."""

    action = Hold

    def suggest_actions(self, state: DrillState) -> Iterable[Hold]:
        return (Hold(unit=squad.id) for squad in state.units.values())

    def plan(self, state: DrillState, action: Hold) -> str:
        if action.unit not in state.units:
            raise Refused("There is no such squad.", RULE)
        return action.unit

    def odds(self, state: DrillState, plan: str) -> Odds:
        outcomes = (
            Outcome(label="holds", chance=Fraction(2, 3), good=True),
            Outcome(label="wavers", chance=Fraction(1, 3)),
        )
        return Odds(question="Hold?", outcomes=outcomes)

    def resolve(self, play: Play[DrillState], plan: str) -> None:
        throw = play.throw(1, 6, "hold")
        play.say(Step(text="Hold", cite=RULE, throws=(throw,)))
        play.tell(headline="Hold!", outcome="So be it.")
        if throw.total < 3:
            play.set(owing=(*play.state.owing, plan))


class StopType(ActionType[DrillState, Stop, None]):
    action = Stop

    def plan(self, state: DrillState, action: Stop) -> None:
        return None

    def resolve(self, play: Play[DrillState], plan: None) -> None:
        play.set(over=Verdict(winner="red", why="It is late."))
        play.tell(headline="Stop!")


def make(state: DrillState, action: AddUnit, unit_id: str) -> DrillState:
    return with_squad(state, Squad(id=unit_id, name=action.name, side=action.side, figures=action.figures or 5))


def reveal(state: DrillState, unit_id: str) -> DrillState:
    return with_squad(state, state.units[unit_id].model_copy(update={"brave": True}))


def settle(before: DrillState, after: DrillState, unit_id: str) -> DrillState:
    leader = after.units[unit_id].leader
    if leader is not None and leader not in after.units:
        raise Refused("Name a squad there is.")
    return after


def with_squad(state: DrillState, squad: Squad) -> DrillState:
    return state.model_copy(update={"units": {**state.units, squad.id: squad}})


UMPIRE_TOOLS: UmpireTools[DrillState] = UmpireTools(add_unit=make, reveal=reveal, settle=settle)
HOLD, STOP = HoldType(), StopType()


class Drill(Ruleset[DrillState]):
    id = "drill"
    title = "Drill"
    state_type = DrillState
    action_types = (HOLD, STOP, *UMPIRE_TOOLS.action_types)

    def setup(self, scenario: str, choices: Mapping[str, str], dice: Dice) -> DrillState:
        return DrillState(
            scenario=scenario,
            sides=(Side(id="red", name="Red", index=0), Side(id="blue", name="Blue", index=1)),
            active="red",
            units={"a": Squad(id="a", name="Able", side="red"), "b": Squad(id="b", name="Baker", side="blue")},
        )

    def prompts(self, state: DrillState) -> tuple[Prompt, ...]:
        return tuple(
            Prompt(
                key=f"hold:{unit}",
                unit=unit,
                side=state.units[unit].side,
                text=f"{unit}, {state.owing.count(unit)} times",
                cite=RULE,
                offers=(Offer(label="Hold", kind="hold", args={"unit": unit}, side="red", key=f"hold:{unit}"),),
            )
            for unit in dict.fromkeys(state.owing)
        )

    def scene(self, state: DrillState, viewer: Viewer, before: DrillState | None = None) -> TableScene:
        return TableScene(width=10, height=10, ground=Ground.VELD, title="Drill", sides=())


SYSTEM = Drill()


def start_drill() -> DrillState:
    return SYSTEM.setup("parade", {}, ScriptedDice([]))
