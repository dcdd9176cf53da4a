"""A whole system on a table: companies march 6 inches and fire 12 inches, with a die for three men."""

from collections.abc import Iterable, Mapping

from pydantic import Field

from rules.core.action_type import SimpleType
from rules.core.data_files import ScenarioFiles
from rules.core.model import Cite, Mark, Viewer
from rules.core.odds import Odds, combine_outcomes
from rules.core.phases import TurnNext, TurnNextType
from rules.core.play import Play
from rules.core.refusal import refuse
from rules.core.report import Step
from rules.core.state import Action
from rules.core.tabletop.battle import Place, TableState, TableUnit
from rules.core.tabletop.battle_files import BattleFile
from rules.core.tabletop.marches import Marches, MarchLimits, read_route
from rules.core.tabletop.placement import Placement, place_of_base
from rules.core.tabletop.system import TableRuleset
from rules.core.tabletop.table_scenes import Drawing, UnitLook
from rules.core.tabletop.troops import Troops
from rules.core.tabletop.victory import VictoryRules
from rules.core.tabletop.ways import Halt
from rules.core.throws import Volley
from rules.core.unit_lookup import find_unit
from rules.core.wording import count_of, inches

RULE = Cite(rule="SK-1", mark=Mark.HOUSE)
PACE, REACH, MEN_A_DIE, HITS_FROM = 6.0, 12.0, 3, 5


class Company(TableUnit):
    men: int = Field(ge=0, le=99)
    acted_in: int = 0

    @property
    def on_table(self) -> bool:
        return self.men > 0

    @property
    def volley(self) -> Volley:
        return Volley(-(-self.men // MEN_A_DIE), 6, HITS_FROM)


class Skirmish(TableState[Company]):
    ruleset: str = "skirmish"


PLACEMENT: Placement[Company] = Placement(lambda unit: (4.0, 1.0))
WAYS = Marches(
    PLACEMENT, lambda _: True, attacks=lambda _: False, rule=RULE, contact=RULE, attackers="nobody fights hand to hand"
)


class Move(Action):
    to: str


class Fire(Action):
    target: str


def require_ready_unit(state: Skirmish, unit_id: str | None) -> Company:
    unit = find_unit(state, unit_id)
    spent = unit.acted_in == state.turn or unit not in state.units_of(state.active)
    refuse(RULE, (spent, f"{unit.name} cannot act now."))
    return unit


class MoveType(SimpleType[Skirmish, Move]):
    action = Move
    says = "{unit:march} {to}"

    def suggest_actions(self, state: Skirmish) -> Iterable[Move]:
        return (Move(unit=unit.id, to=f"forward {PACE:g}") for unit in state.units_of(state.active))

    def check(self, state: Skirmish, action: Move) -> None:
        self.halt(state, require_ready_unit(state, action.unit), action.to)

    def halt(self, state: Skirmish, unit: Company, to: str) -> Halt[Company]:
        route = WAYS.trace_route(state, unit, read_route(state, unit, to, stays=False))
        return WAYS.check_march(state, unit, route, MarchLimits(PACE, PACE, RULE), attacks=False)

    def resolve(self, play: Play[Skirmish], plan: Move) -> None:
        unit = find_unit(play.state, plan.unit)
        halt = self.halt(play.state, unit, plan.to)
        play.change(unit.id, place=place_of_base(halt.base), acted_in=play.state.turn)
        play.tell(headline=f"{unit:march} {inches(halt.run)}.", units=(unit.id,))


class FireType(SimpleType[Skirmish, Fire]):
    action = Fire
    says = "{unit:fire} at {target}"

    def suggest_actions(self, state: Skirmish) -> Iterable[Fire]:
        ours, theirs = state.units_of(state.active), state.enemies(state.active)
        return (Fire(unit=unit.id, target=enemy.id) for unit in ours for enemy in theirs)

    def check(self, state: Skirmish, action: Fire) -> None:
        unit, target = require_ready_unit(state, action.unit), find_unit(state, action.target, "target")
        refuse(RULE, (target not in state.enemies(unit.side), f"{target.name} is no enemy here."))
        refuse(RULE, ((PLACEMENT.gap(unit, target) or 0.0) > REACH, f"{target.name} is beyond {inches(REACH)}."))

    def odds(self, state: Skirmish, plan: Fire) -> Odds:
        outcomes = combine_outcomes(
            find_unit(state, plan.unit).volley.distribution, lambda hits: (count_of(hits, "hit"), hits > 0)
        )
        return Odds(question="How many hits?", outcomes=outcomes)

    def resolve(self, play: Play[Skirmish], plan: Fire) -> None:
        unit, target = find_unit(play.state, plan.unit), find_unit(play.state, plan.target)
        throw = play.throw(unit.volley.dice, unit.volley.sides, f"{unit:fire}")
        hits = unit.volley.count_hits(throw)
        play.change(unit.id, acted_in=play.state.turn)
        play.change(target.id, men=max(target.men - hits, 0))
        play.say(Step(text="Fire", cite=RULE, throws=(throw,), verdict=count_of(hits, "hit")))
        play.tell(headline=f"{unit:fire} at {target.name}: {count_of(hits, 'hit')}.", units=(unit.id, target.id))


class TurnType(TurnNextType[Skirmish]):
    def resolve(self, play: Play[Skirmish], plan: TurnNext) -> None:
        state, (first, second) = play.state, (side.id for side in play.state.sides)
        play.set(active=second if state.active == first else first, turn=state.turn + (state.active == second))
        play.tell(headline=f"{play.state.turn_title}.", opens_turn=True)


class SkirmishFile(BattleFile[Company, Skirmish]):
    troops, state_type, ways, lists_rule = Troops(__package__, Company), Skirmish, WAYS, RULE

    def unit_faults(self, unit: Company) -> Iterable[tuple[str, str]]:
        return ()


class SkirmishDrawing(Drawing[Company]):
    def unit_look(self, state: Skirmish, unit: Company, place: Place) -> UnitLook:
        return UnitLook(place, strength=str(unit.men))


class SkirmishRuleset(TableRuleset[Skirmish]):
    id, title, package = "skirmish", "Skirmish", __package__
    state_type = Skirmish
    action_types = (MoveType(), FireType(), TurnType())
    battles, drawing = ScenarioFiles(__package__, SkirmishFile), SkirmishDrawing(PLACEMENT.size)
    victory = VictoryRules(base=PLACEMENT.base, fate="gone")

    def describe_unit(self, state: Skirmish, unit: Company, viewer: Viewer) -> tuple[str, Mapping[str, str]]:
        return f"{unit.men} men", {}
