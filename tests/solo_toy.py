"""A toy system for solitaire play: the bot plays Blue action by action, and an ambush of Red is hidden."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from rules.core.dice import Dice
from rules.core.model import UMPIRE, Viewer
from rules.core.own_battles import OwnBattles
from rules.core.report import Offer, Prompt, Report, Step
from rules.core.ruleset import DecisionExplanation, Refused, Scenario, Troop
from rules.core.scene import Ground, TableScene
from rules.core.state import Action

from .toy import RULE, Fight, Hex, March, Pass, Rally, Scout, Toy, ToyState

AMBUSH_OFFSET = 6666
"""Added to the ambush's number, so that a leak is recognizable."""
AMBUSH = "what lies in wait"
NOBODY = frozenset({UMPIRE})


class AloneState(ToyState):
    ruleset: str = "alone"
    ambush: int | None = None
    left: int = 0
    asked: bool = False


class British(Action):
    """Advance Blue by several automatic actions."""

    kind: ClassVar[str] = "british"
    is_unit_action: ClassVar[bool] = False
    much: str = "turn"
    formation: str | None = None


class Advance(Action):
    """Advance one step, with an open die and a hidden die."""

    kind: ClassVar[str] = "advance"


class Answer(Action):
    """Answer the question put to Blue."""

    kind: ClassVar[str] = "answer"
    is_unit_action: ClassVar[bool] = False
    word: str


class Pause(Action):
    kind: ClassVar[str] = "pause"
    is_unit_action: ClassVar[bool] = False


class Resume(Action):
    kind: ClassVar[str] = "resume"
    is_unit_action: ClassVar[bool] = False


class Overrule(Action):
    kind: ClassVar[str] = "overrule"
    is_unit_action: ClassVar[bool] = False
    umpire_only: ClassVar[bool] = True
    to: str


class Spring(Action):
    """Reveal the ambush, which is drawn now if its number is unknown."""

    kind: ClassVar[str] = "spring"
    to: str | None = None
    target: str | None = None


class Written(BaseModel):
    model_config = ConfigDict(extra="forbid")
    id: str = Field(pattern="^[A-Za-z0-9 -]{1,40}$")
    title: str
    briefing: str = ""
    steps: int = Field(default=0, ge=0, le=9)


class ToyAlone(Toy):
    id = "alone"
    title = "Toys alone"
    state_type = AloneState
    played_by_bot = "blue"
    scenarios: Mapping[str, Scenario] = {
        "lane": Scenario(id="lane", title="The lane", briefing="Hold.", sides=("red", "blue"))
    }
    troops: Mapping[str, Troop] = {"guards": Troop(id="guards", name="Guards")}
    actions: Mapping[str, type[Action]] = {
        a.kind: a
        for a in (March, Fight, Rally, Scout, Hex, Pass, British, Advance, Answer, Pause, Resume, Overrule, Spring)
    }

    def __init__(self) -> None:
        super().__init__()
        self.own_battles = AloneBattles(self)

    def setup(self, scenario: str, choices: Mapping[str, str], dice: Dice) -> AloneState:
        if scenario not in self.scenarios:
            raise Refused("There is no such scenario.")
        return self.lay_out(scenario, 0, dice)

    def lay_out(self, scenario: str, steps: int, dice: Dice) -> AloneState:
        toys = Toy().setup("field", {}, dice)
        ambush = AMBUSH_OFFSET + dice.throw(1, 6, AMBUSH, hidden=True).total
        units = {key: unit.model_copy(update={"steps": steps}) for key, unit in toys.units.items()}
        return AloneState(scenario=scenario, sides=toys.sides, active="red", units=units, ambush=ambush)

    def view(self, state: ToyState, viewer: Viewer) -> AloneState:
        assert isinstance(state, AloneState)
        side_view = super().view(state, viewer)
        return state if viewer == UMPIRE else side_view.model_copy(update={"ambush": None})  # type: ignore[return-value]

    def lacks_hidden_facts(self, state: ToyState) -> bool:
        assert isinstance(state, AloneState)
        return state.ambush is None and state.units["r1"].hits < AMBUSH_OFFSET

    def next_automatic_action(self, state: ToyState) -> Action | None:
        assert isinstance(state, AloneState)
        return Advance(unit="b1") if state.left and not state.asked else None

    def legal_actions(self, state: ToyState, side: Viewer, kind: str | None = None) -> Iterable[Action]:
        yield from super().legal_actions(state, side, kind)
        if side == "red" and kind in (None, "spring"):
            yield Spring(unit="r1", to="the ditch", target="b1")
        if side == "red" and kind in (None, "answer"):
            yield from (Answer(word=word) for word in ("fire", "hold"))

    def prompts(self, state: ToyState) -> tuple[Prompt, ...]:
        assert isinstance(state, AloneState)
        offers = tuple(
            Offer(label=word.title(), kind="answer", args={"word": word}, side="red", key="ask")
            for word in ("fire", "hold")
        )
        asks = Prompt(key="ask", unit="r1", side="red", text="Fire at Blue?", cite=RULE, offers=offers)
        return (*super().prompts(state), *((asks,) if state.asked else ()))

    def act(self, state: ToyState, action: Action, dice: Dice) -> tuple[ToyState, Report]:
        assert isinstance(state, AloneState)
        match action:
            case British():
                remaining = {"turn": 5, "formation": 2, "decision": 1}.get(action.much)
                if remaining is None:
                    raise Refused("Much is turn, formation or decision.", RULE)
                after = state.model_copy(update={"left": remaining})
                return after, Report(headline="Blue advance", side="blue")
            case Advance():
                return self._advance(state, dice)
            case Answer():
                if not state.asked:
                    raise Refused("Nothing is asked.", RULE)
                after = state.model_copy(update={"asked": False})
                return after, Report(headline=f"Red answer: {action.word}", side="red")
            case Pause():
                return state.model_copy(update={"left": 0}), Report(headline="Blue pause", side="red")
            case Resume():
                return state.model_copy(update={"left": 2}), Report(headline="Blue go on", side="red")
            case Overrule():
                return state, Report(headline=f"Blue are overruled: {action.to}")
            case Spring():
                return self._spring(state, dice)
        return super().act(state, action, dice)

    def _advance(self, state: AloneState, dice: Dice) -> tuple[AloneState, Report]:
        unit = state.units["b1"]
        advance = dice.throw(1, 6, "Blue advance", side="blue")
        ambush = dice.throw(1, 6, f"{AMBUSH} moves", side="blue", hidden=True)
        after = state.model_copy(
            update={
                "units": {**state.units, "b1": unit.model_copy(update={"steps": unit.steps + 1})},
                "left": state.left - 1,
                "asked": state.left == 3,
                "ambush": AMBUSH_OFFSET + ambush.total,
                "moment": state.moment + 1,
            }
        )
        steps = (
            Step(text="They advance", cite=RULE, throws=(advance,)),
            Step(
                text=AMBUSH, cite=RULE, throws=(ambush,), start=Fraction(AMBUSH_OFFSET + ambush.total), only_for=NOBODY
            ),
        )
        headline, prompts = f"Blue advance, {after.left} to go", self.prompts(after)
        return after, Report(headline=headline, side="blue", steps=steps, units=("b1",), prompts=prompts)

    def _spring(self, state: AloneState, dice: Dice) -> tuple[AloneState, Report]:
        step = ()
        ambush = state.ambush
        if ambush is None:
            throw = dice.throw(1, 6, AMBUSH, side="blue", hidden=True)
            ambush = AMBUSH_OFFSET + throw.total
            step = (Step(text=AMBUSH, cite=RULE, throws=(throw,), only_for=NOBODY),)
        unit = state.units["r1"].model_copy(update={"hits": ambush})
        after = state.model_copy(update={"units": {**state.units, "r1": unit}, "ambush": None})
        return after, Report(headline=f"It was {ambush}", side="red", steps=step, showed_hidden=True)

    def explain(self, state: ToyState, viewer: Viewer, number: int | None) -> DecisionExplanation | None:
        steps = state.units["b1"].steps
        if not steps:
            return None
        if number is not None and number > steps:
            raise Refused(f"There are {steps} decisions.")
        line = Step(text="Red were nearest", cite=RULE)
        scene = TableScene(width=72, height=48, ground=Ground.DESERT, title="Why", sides=(), alt="Red marked")
        return DecisionExplanation(title=f"Decision {number or steps}", lines=(line,), scene=scene)


class AloneBattles(OwnBattles[AloneState]):
    """Scenarios written by users."""

    def __init__(self, system: ToyAlone) -> None:
        self._system = system

    def read(self, document: bytes) -> Scenario:
        scenario = self._written(document)
        sides = ("red", "blue")
        return Scenario(id=scenario.id, title=scenario.title, briefing=scenario.briefing, sides=sides)

    def set_up(self, document: bytes, choices: Mapping[str, str], dice: Dice) -> AloneState:
        scenario = self._written(document)
        return self._system.lay_out(scenario.id, scenario.steps, dice)

    @property
    def schema(self) -> Mapping[str, Any]:
        return Written.model_json_schema()

    def _written(self, document: bytes) -> Written:
        try:
            return Written.model_validate_json(document)
        except ValidationError as error:
            first = error.errors()[0]
            raise Refused(f"{'.'.join(map(str, first['loc'])) or 'the file'}: {first['msg']}.") from None
