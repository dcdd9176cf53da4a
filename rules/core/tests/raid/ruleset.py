"""A whole system on a map of hexes: bands move along paths and attack an adjacent enemy."""

from collections.abc import Iterable, Mapping
from importlib.resources import files

from rules.core.action_type import SimpleType
from rules.core.catalog import Scenario
from rules.core.data_files import read_data_file
from rules.core.dice import Dice
from rules.core.hexboard.board import Board
from rules.core.hexboard.hex_scene import Counter, HexScene
from rules.core.hexboard.hexes import Hex
from rules.core.hexboard.map_file import TerrainKinds, read_map
from rules.core.hexboard.map_spec import MapSpec, Terrain
from rules.core.hexboard.stacks import HexState, HexUnit, scene_with_stacks
from rules.core.hexboard.ways import Journey
from rules.core.model import Cite, Mark, Viewer
from rules.core.phases import TurnNext, TurnNextType
from rules.core.play import Play
from rules.core.refusal import refuse
from rules.core.ruleset import Ruleset
from rules.core.scene import Symbol
from rules.core.state import Action, Side, Verdict
from rules.core.test_action import Trial, TrialType
from rules.core.throws import ScoreThrow
from rules.core.unit_lookup import find_unit

RULE = Cite(rule="RD-1", mark=Mark.HOUSE)
FORD = Scenario(id="ford", title="The ford", briefing="Drive the others off.", sides=("Red", "Blue"))
PACE, NEEDED = 3, 4
DATA = files(__package__) / "data"
KINDS = read_data_file(TerrainKinds, __package__, "terrain.toml")
BOARD: Board[MapSpec, Terrain] = Board(read_map((DATA / "ford.txt").read_text(), "ford.txt", MapSpec, KINDS, {}))


class Band(HexUnit):
    acted_in: int = 0


class Raid(HexState[Band]):
    ruleset: str = "raid"


class Move(Action):
    to: str


class Fight(Action):
    target: str


def require_ready_unit(state: Raid, unit_id: str | None) -> Band:
    unit = find_unit(state, unit_id)
    spent = unit.acted_in == state.turn or unit not in state.units_of(state.active)
    refuse(RULE, (spent, f"{unit.name} cannot act now."))
    return unit


class MoveType(SimpleType[Raid, Move]):
    action = Move
    says = "{unit:move} to {to}"

    def suggest_actions(self, state: Raid) -> Iterable[Move]:
        for unit in state.units_of(state.active):
            yield from (Move(unit=unit.id, to=end.label) for end in self.journey(state, unit).possible_end_hexes)

    def journey(self, state: Raid, unit: Band) -> Journey:
        return Journey(
            who=unit,
            start=unit.at,
            left=PACE,
            cost=lambda hex_: None if hex_ in state.stacks.by_hex else BOARD.cost(hex_),
            has_space=lambda hex_: hex_ not in state.stacks.by_hex,
            full="one band to a hex",
            title=BOARD.title,
            cite=RULE,
            bars=lambda hex_: ("a band is there" if hex_ in state.stacks.by_hex else "the ground bars it", RULE),
        )

    def check(self, state: Raid, action: Move) -> None:
        self.journey(state, require_ready_unit(state, action.unit)).path_through(BOARD.parse_hexes(action.to))

    def resolve(self, play: Play[Raid], plan: Move) -> None:
        unit = find_unit(play.state, plan.unit)
        end = self.journey(play.state, unit).path_through(BOARD.parse_hexes(plan.to))[-1]
        play.change(unit.id, at=end, acted_in=play.state.turn)
        play.tell(headline=f"{unit:move} to {BOARD.title(end)}.", units=(unit.id,))


class FightType(TrialType[Raid, Fight, Fight], SimpleType[Raid, Fight]):
    action = Fight
    says = "Attack by {}"

    def suggest_actions(self, state: Raid) -> Iterable[Fight]:
        for unit in state.units_of(state.active):
            yield from (Fight(unit=unit.id, target=target) for target in state.units)

    def check(self, state: Raid, action: Fight) -> None:
        unit, enemy = require_ready_unit(state, action.unit), find_unit(state, action.target)
        apart = enemy.at is None or enemy.side == unit.side or unit.at.distance(enemy.at) > 1
        refuse(RULE, (apart, f"{enemy.name} is no enemy next to {unit.name}."))

    def trial(self, state: Raid, plan: Fight) -> Trial:
        test = ScoreThrow(1, 6, NEEDED + BOARD.protection(find_unit(state, plan.target).at))
        return Trial(plan.unit, "Attack", RULE, test, "to drive them off", "driven off", "they hold")

    def resolve(self, play: Play[Raid], plan: Fight) -> None:
        unit, enemy = find_unit(play.state, plan.unit), find_unit(play.state, plan.target)
        won = self.trial(play.state, plan).take(play)
        play.change(unit.id, acted_in=play.state.turn)
        play.change(enemy.id, at=None if won else enemy.at)
        play.tell(headline=f"{unit.name} {'drive off' if won else 'fail against'} {enemy.name}.", units=(unit.id,))


class TurnType(TurnNextType[Raid]):
    def resolve(self, play: Play[Raid], plan: TurnNext) -> None:
        state = play.state
        play.set(active="blue" if state.active == "red" else "red", turn=state.turn + (state.active == "blue"))
        play.tell(headline=f"{play.state.turn_title}.", opens_turn=True)


class RaidRuleset(Ruleset[Raid]):
    id, title, state_type = "raid", "Raid", Raid
    scenarios: Mapping[str, Scenario] = {FORD.id: FORD}
    action_types = (MoveType(), FightType(), TurnType())

    def setup(self, scenario: str, choices: Mapping[str, str], dice: Dice) -> Raid:
        sides = (Side(id="red", name="Red", index=0), Side(id="blue", name="Blue", index=1))
        at = {"red": ("0101", "0103"), "blue": ("0502", "0603")}
        bands = (Band(id=hex_, name=f"Band {hex_}", side=side, at=hex_) for side in at for hex_ in at[side])
        return Raid(scenario=scenario, sides=sides, active="red", units={band.id: band for band in bands})

    def apply_verdict(self, state: Raid) -> Raid:
        sides = {unit.side for unit in state.units.values() if unit.on_map}
        over = Verdict(winner=min(sides), why="The others are gone.") if len(sides) == 1 else None
        return state.model_copy(update={"over": over})

    def scene(self, state: Raid, viewer: Viewer, before: Raid | None = None) -> HexScene:
        def counters(hex_: Hex) -> Iterable[Counter]:
            (unit,) = state.stacks.by_hex[hex_]
            yield Counter(unit=unit.id, name=unit.name, side=unit.side, symbol=Symbol.INFANTRY)

        return scene_with_stacks(state, BOARD, state.turn_title, counters)
