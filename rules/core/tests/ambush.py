"""A small rule system: columns march on a road of ten miles, and hidden units in the scrub attack them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pydantic import Field

from rules.core.action_type import ActionType, Caption, Chance
from rules.core.dice import Dice
from rules.core.model import UMPIRE, Cite, Viewer
from rules.core.odds import Odds, Outcome
from rules.core.options import Options
from rules.core.play import Play
from rules.core.report import Step
from rules.core.ruleset import Refused, Ruleset
from rules.core.scene import Ground, TableScene
from rules.core.state import Action, Side, State, Unit
from rules.core.throws import ScoreThrow

RULE = Cite(rule="AMB-1")
FARTHEST = 10


class Column(Unit):
    """A unit with its position in miles along the road."""

    mile: int
    hidden: bool = Field(default=False, json_schema_extra={"hidden": True})
    shaken: bool = False


class Road(State):
    ruleset: str = "ambush"
    units: Mapping[str, Column] = Field(default_factory=dict)
    options: Options = Options()


class March(Action):
    """`unit` marches `miles` along the road."""

    unit: str
    miles: int = Field(ge=1)


class Rush(Action):
    """`unit` attacks `target` at the same mile. On a D6 of 4 or more, `target` is shaken."""

    unit: str
    target: str


@dataclass(frozen=True)
class MarchPlan:
    unit: str
    to: int


@dataclass(frozen=True)
class RushPlan:
    unit: str
    target: str
    test: ScoreThrow


class MarchType(ActionType[Road, March, MarchPlan]):
    """A march is refused if the side sees an enemy on its stretch of road. A hidden enemy stops the column instead."""

    action = March

    def suggest_actions(self, state: Road) -> Iterable[March]:
        return (March(unit=column.id, miles=miles) for column in state.units.values() for miles in (1, 2, 20))

    def plan(self, state: Road, action: March) -> MarchPlan:
        column = state.units[action.unit]
        to = column.mile + action.miles
        if to > FARTHEST:
            raise Refused(f"The road ends at mile {FARTHEST}.", RULE)
        if foe := first_foe(state, column, to):
            raise Refused(f"{foe.name} stands at mile {foe.mile}. March less far.", RULE)
        return MarchPlan(column.id, to)

    def caption(self, state: Road, plan: MarchPlan) -> Caption:
        return Caption(f"{state.units[plan.unit].name}: march to mile {plan.to}")

    def resolve(self, play: Play[Road], plan: MarchPlan) -> None:
        play.change(plan.unit, mile=plan.to)
        play.tell(headline=f"{play.state.units[plan.unit].name} marches to mile {plan.to}.")

    def handle_surprise(self, play: Play[Road], action: March, why: Refused) -> None:
        column = play.state.units[action.unit]
        foe = first_foe(play.state, column, column.mile + action.miles)
        assert foe is not None, "nothing else is hidden"
        play.change(column.id, mile=foe.mile)
        play.change(foe.id, hidden=False)
        play.tell(headline=f"{foe.name} springs on {column.name} at mile {foe.mile}!", showed_hidden=True)
        play.do(Rush(unit=foe.id, target=column.id))


class RushType(ActionType[Road, Rush, RushPlan]):
    action = Rush

    def settle(self, state: Road, action: Rush, *, supposing: bool) -> RushPlan:
        if not supposing and state.units[action.unit].mile != state.units[action.target].mile:
            raise Refused("They are not at the same mile.", RULE)
        return RushPlan(action.unit, action.target, ScoreThrow(1, 6, needed=4))

    def caption(self, state: Road, plan: RushPlan) -> Caption:
        units = state.units
        return Caption(f"{units[plan.unit].name}: rush {units[plan.target].name}", Chance(plan.test.chance), ", ")

    def odds(self, state: Road, plan: RushPlan) -> Odds:
        chance = plan.test.chance
        outcomes = (Outcome(label="shaken", chance=chance, good=True), Outcome(label="holds", chance=1 - chance))
        return Odds(
            question="Is it shaken?", outcomes=outcomes, distribution=plan.test.distribution, pass_from=plan.test.needed
        )

    def resolve(self, play: Play[Road], plan: RushPlan) -> None:
        throw = play.throw(1, 6, "rush")
        shaken = plan.test.passes(throw)
        play.change(plan.target, shaken=shaken)
        play.say(Step(text="Rush", cite=RULE, throws=(throw,), verdict="shaken" if shaken else "it holds"))


def first_foe(state: Road, column: Column, to: int) -> Column | None:
    """Return the nearest enemy ahead of the column, up to mile `to`; None if there is none."""
    ahead = [enemy for enemy in state.units.values() if enemy.side != column.side and column.mile < enemy.mile <= to]
    return min(ahead, key=lambda enemy: enemy.mile, default=None)


class Ambush(Ruleset[Road]):
    id = "ambush"
    title = "Ambush"
    state_type = Road
    action_types = (MarchType(), RushType())

    def setup(self, scenario: str, choices: Mapping[str, str], dice: Dice) -> Road:
        units = (
            Column(id="convoy", name="The convoy", side="red", mile=0),
            Column(id="scouts", name="The scouts", side="blue", mile=8),
            Column(id="band", name="The band", side="blue", mile=3, hidden=True),
        )
        sides = (Side(id="red", name="Red", index=0), Side(id="blue", name="Blue", index=1))
        return Road(scenario=scenario, sides=sides, active="red", units={column.id: column for column in units})

    def view(self, state: Road, viewer: Viewer) -> Road:
        units = {
            key: column for key, column in state.units.items() if not column.hidden or viewer in (column.side, UMPIRE)
        }
        return state if len(units) == len(state.units) else state.model_copy(update={"units": units})

    def scene(self, state: Road, viewer: Viewer, before: Road | None = None) -> TableScene:
        return TableScene(width=10, height=10, ground=Ground.VELD, title="Ambush", sides=())
