"""A tiny rule system for tests of the program around it: two sides march, fight and hide things."""

from collections.abc import Container, Iterable, Mapping
from fractions import Fraction
from typing import ClassVar

from rules.core.action_type import ActionType
from rules.core.ad_hoc import AdHocQuestions
from rules.core.dice import Dice
from rules.core.model import UMPIRE, Cite, Model, Viewer
from rules.core.odds import Odds, Outcome
from rules.core.opponent_support import OpponentSupport
from rules.core.options import Options
from rules.core.places import Places
from rules.core.play import Sketch
from rules.core.report import Modifier, Offer, Prompt, Report, Step
from rules.core.ruleset import Refused, Ruleset, Scenario, ScenarioChoice
from rules.core.scene import Ground, TableScene
from rules.core.state import Action, Side, State, Unit, UnitCard, Verdict

RULE = Cite(rule="TOY-1")


class ToyUnit(Unit):
    steps: int = 0
    hits: int = 0
    secret: int = 0


class ToyState(State):
    ruleset: str = "toy"
    units: Mapping[str, ToyUnit] = {}
    options: Options = Options()
    debts: tuple[str, ...] = ()
    moment: int = 0


class March(Action):
    """March one step without dice."""

    kind: ClassVar[str] = "march"
    steps: int = 1


class Fight(Action):
    """Throw 2D6; the unit then owes a test."""

    kind: ClassVar[str] = "fight"
    can_be_secret: ClassVar[bool] = True


class Rally(Action):
    """Pass the owed test on 1D6."""

    kind: ClassVar[str] = "rally"


class Scout(Action):
    """Reveal a hidden fact."""

    kind: ClassVar[str] = "scout"


class Hex(Action):
    """Set the umpire's hidden modifier."""

    kind: ClassVar[str] = "hex"
    umpire_only: ClassVar[bool] = True
    value: int = 0


class Pass(Action):
    """Pass the turn."""

    kind: ClassVar[str] = "pass"


class Toy(Ruleset[ToyState]):
    id = "toy"
    title = "Toy soldiers"
    state_type = ToyState
    scenarios: Mapping[str, Scenario] = {
        "field": Scenario(
            id="field",
            title="The field",
            briefing="Fight.",
            sides=("red", "blue"),
            choices=(
                ScenarioChoice(name="weather", question="What weather?", options=("fair", "foul"), default="fair"),
            ),
        )
    }
    actions: Mapping[str, type[Action]] = {a.kind: a for a in (March, Fight, Rally, Scout, Hex, Pass)}

    def __init__(self) -> None:
        """Register no action types: the system executes its actions itself."""
        self._types = {}
        self.ad_hoc = AdHocQuestions(self, {})
        self.places = Places(self)
        self.opponent = OpponentSupport(self)

    def side_of(self, state: ToyState, action: Action) -> Viewer:
        return ActionType().side(state, action)

    def setup(self, scenario: str, choices: Mapping[str, str], dice: Dice) -> ToyState:
        if scenario not in self.scenarios:
            raise Refused(f"There is no scenario {scenario!r}. Try: field.")
        strength = dice.throw(1, 6, "strength of the reserve").total
        return ToyState(
            scenario=scenario,
            choices=choices,
            sides=(Side(id="red", name="Red", index=0), Side(id="blue", name="Blue", index=1)),
            active="red",
            units={
                "r1": ToyUnit(id="r1", name="Red Guards", side="red", secret=strength),
                "b1": ToyUnit(id="b1", name="Blue Guards", side="blue"),
            },
        )

    def legal_actions(self, state: ToyState, side: Viewer, kind: str | None = None) -> Iterable[Action]:
        for unit in state.units.values():
            if unit.side == side and kind in (None, "march"):
                yield March(unit=unit.id)

    def act(self, state: ToyState, action: Action, dice: Dice) -> tuple[ToyState, Report]:
        if isinstance(action, Pass):
            next_side = "blue" if state.active == "red" else "red"
            turn = state.turn + (next_side == "red")
            after = state.model_copy(update={"active": next_side, "turn": turn, "moment": state.moment + 1})
            return after, Report(headline=after.turn_title, opens_turn=True, side=state.active)
        unit = state.units.get(action.unit or "")
        if unit is None:
            raise Refused(f"There is no unit {action.unit!r}.", RULE)
        return self._act(state.model_copy(update={"moment": state.moment + 1}), action, unit, dice)

    def _act(self, state: ToyState, action: Action, unit: ToyUnit, dice: Dice) -> tuple[ToyState, Report]:
        name = unit.name
        if isinstance(action, March):
            if action.steps > 6:
                raise Refused(f"{name} march 6 at most.", RULE)
            moved = unit.model_copy(update={"steps": unit.steps + action.steps})
            return _with(state, moved), Report(
                headline=f"{name} march {action.steps}", side=unit.side, units=(unit.id,)
            )
        if isinstance(action, Fight):
            throw = dice.throw(2, 6, f"{name} fight", side=unit.side)
            secret = Modifier(value=Fraction(unit.secret), reason="cursed", cite=RULE, secret=True)
            step = Step(
                text="They fight",
                cite=RULE,
                throws=(throw,),
                start=Fraction(throw.total),
                modifiers=(secret,) if unit.secret else (),
                score=Fraction(throw.total + unit.secret),
                verdict="hit",
            )
            key = f"{unit.id}:{state.moment}"
            after = _with(state, unit.model_copy(update={"hits": unit.hits + throw.total}))
            after = after.model_copy(update={"debts": (*after.debts, key)})
            prompts = tuple(debt for debt in self.prompts(after) if debt.key == key)
            audience = frozenset({unit.side}) if action.secret else None
            return after, Report(
                headline=f"{name} fight",
                side=unit.side,
                steps=(step,),
                prompts=prompts,
                units=(unit.id,),
                audience=audience,
            )
        if isinstance(action, Rally):
            own = tuple(debt for debt in state.debts if debt.startswith(f"{unit.id}:"))
            if not own:
                raise Refused(f"{name} owe nothing.", RULE)
            throw = dice.throw(1, 6, f"{name} rally", side=unit.side)
            remaining = tuple(debt for debt in state.debts if debt != own[0])
            step = Step(text="They rally", cite=RULE, throws=(throw,), verdict="rallied")
            return state.model_copy(update={"debts": remaining}), Report(
                headline=f"{name} rally", side=unit.side, steps=(step,)
            )
        if isinstance(action, Scout):
            return state, Report(headline=f"{name} see the reserve", side=unit.side, showed_hidden=True)
        assert isinstance(action, Hex)
        after = _with(state, unit.model_copy(update={"secret": action.value}))
        return after, Report(headline=f"{name} are cursed by {action.value}", audience=frozenset({UMPIRE}))

    kinds_with_odds = ("fight",)

    def odds(self, state: ToyState, action: Action) -> Odds:
        unit = state.units[action.unit or ""]
        secret = Modifier(value=Fraction(unit.secret), reason="cursed", cite=RULE, secret=True)
        step = Step(text="They fight", cite=RULE, modifiers=(secret,) if unit.secret else ())
        return Odds(question="hit?", steps=(step,), outcomes=(Outcome(label="hit", chance=Fraction(1)),))

    def sketch(self, state: ToyState, viewer: Viewer, action: Action) -> Sketch[ToyState]:
        raise Refused("Nothing is sketched here.")

    def view(self, state: ToyState, viewer: Viewer) -> ToyState:
        if viewer == UMPIRE:
            return state
        open_units = {uid: unit.model_copy(update={"secret": 0}) for uid, unit in state.units.items()}
        return state.model_copy(update={"units": open_units})

    def prompts(self, state: ToyState) -> tuple[Prompt, ...]:
        return tuple(self._owed(state, key) for key in state.debts)

    def _owed(self, state: ToyState, key: str) -> Prompt:
        unit = state.units[key.partition(":")[0]]
        offer = Offer(label="Rally", kind="rally", args={"unit": unit.id}, side=unit.side, key=key)
        return Prompt(key=key, unit=unit.id, side=unit.side, text=f"{unit.name} owe a test", cite=RULE, offers=(offer,))

    def roster(self, state: ToyState, viewer: Viewer, only: Container[str] | None = None) -> tuple[UnitCard, ...]:
        units = (unit for unit in state.units.values() if only is None or unit.id in only)
        return tuple(UnitCard(id=u.id, name=u.name, side=u.side, line=f"{u.hits} hits") for u in units)

    def scene(self, state: ToyState, viewer: Viewer, before: ToyState | None = None) -> TableScene:
        return TableScene(width=72, height=48, ground=Ground.DESERT, title="Toys", sides=())


def _with(state: ToyState, unit: ToyUnit) -> ToyState:
    return state.model_copy(update={"units": {**state.units, unit.id: unit}})


__all__ = ["Model", "Toy", "ToyState", "Verdict"]
