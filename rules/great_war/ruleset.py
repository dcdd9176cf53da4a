"""The rule system The Great War: its action types, setup, checks and pictures."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from typing_extensions import override

from rules.core.dice import Dice
from rules.core.hex_places import HexPlaces
from rules.core.hexboard.hex_scene import HexScene
from rules.core.model import Viewer
from rules.core.old_reports import add_step_fields
from rules.core.opponent_support import OpponentSupport
from rules.core.phases import TurnNext
from rules.core.refusal import Refused, require_that
from rules.core.report import Report
from rules.core.ruleset import Ruleset, Troop
from rules.core.state import Action
from rules.core.upgrades import Upgrade

from . import scene, turn
from .battle import FIRE, MELEE, Battle
from .corrections import UMPIRE_TOOLS
from .ground import board_named, board_of, can_enter_terrain, is_in_sight, terrain_chart
from .model import Arm, GreatWarState, GreatWarUnit, UnitTurn
from .moving import MOVE, Move
from .occasions import OCCASIONS
from .orders import DITCH, ORDER, RECOVER, Order
from .retreats import RETREAT
from .scenarios import SCENARIOS
from .shared import BATTLES, ORDERS, strength_in_words, unit_statuses
from .tables import TABLES, chart_number
from .values import VALUES


def _find_missing_order(state: GreatWarState, action: Action) -> Sequence[Action] | None:
    """Return the order that a unit still needs before its move or battle, in the phase of orders (GW-1.1).

    Return () if the unit is ordered already, and None if an order would not allow the action. Raises Refused if no
    order is left.
    """
    unit = state.units.get(action.unit or "")
    if state.phase != ORDERS or not isinstance(action, Move | Battle) or unit is None:
        return None
    if unit.this_turn.is_ordered:
        return ()
    if unit.side != state.active or not unit.on_map:
        return None
    order = Order(unit=unit.id)
    ORDER.check(state, order)
    return (order,)


class GreatWarOpponent(OpponentSupport[GreatWarState]):
    """Support for the bot as an opponent in The Great War."""

    @override
    def attacks(self, state: GreatWarState, side: Viewer, target: str) -> Iterable[tuple[GreatWarState, Action]]:
        """Yield the battles that the units of `side` could fight against the unit `target` if all were ordered."""
        ready = [unit.model_copy(update={"this_turn": UnitTurn(is_ordered=True)}) for unit in state.units_of(side)]
        fresh = state.with_unit(*ready).model_copy(update={"active": side, "phase": BATTLES, "flags": None})
        for kind in (MELEE, FIRE):
            yield from ((fresh, action) for action in kind.possible_actions(fresh, side) if action.target == target)


class GreatWar(Ruleset[GreatWarState]):
    """The rule system The Great War."""

    id, title, package = "great_war", "The Great War", "rules.great_war"
    class_field = "arm"
    action_types = (ORDER, MOVE, FIRE, MELEE, RECOVER, DITCH, RETREAT, turn.TURN, *UMPIRE_TOOLS.action_types)
    state_type = GreatWarState
    phases = turn.PHASES
    values = VALUES
    upgrades = (Upgrade(), Upgrade(), Upgrade(report=add_step_fields), Upgrade())

    def __init__(self) -> None:
        super().__init__()
        self.scenarios = {scenario.id: scenario.catalogue_entry for scenario in SCENARIOS.all.values()}
        self.opponent = GreatWarOpponent(self)
        self.places = HexPlaces(self, board_of, is_in_sight)
        self.charts = {**TABLES.charts, "terrain": terrain_chart()}
        self.troops = {arm.value: Troop(id=arm.value, name=arm.value) for arm in Arm}

    tally = staticmethod(scene.tally)
    unit_facts = scene.UNIT_FACTS
    occasions = OCCASIONS
    holdings = staticmethod(scene.medals_held)
    prompts = staticmethod(turn.open_prompts)
    orders_first = staticmethod(_find_missing_order)
    unit_standings = staticmethod(unit_statuses)

    @override
    def setup(self, scenario: str, choices: Mapping[str, str], dice: Dice) -> GreatWarState:
        """Return the state from which a scenario starts. Raises Refused on an unknown scenario."""
        if scenario not in SCENARIOS.all:
            names = ", ".join(SCENARIOS.all)
            raise Refused(f"{self.title} has no scenario “{scenario[:40]}”. It has: {names}.")
        return SCENARIOS.all[scenario].setup()

    @override
    def actions_without_choice(self, state: GreatWarState) -> Iterable[Action]:
        """Yield the only answer to a prompt, or the end of a phase in which the side can do nothing more."""
        if state.map:
            yield from super().actions_without_choice(state)
            is_owed = any(prompt.required for prompt in turn.open_prompts(state))
            if not is_owed and state.active in turn.PHASES.idle_sides(state):
                yield TurnNext()

    @override
    def act(self, state: GreatWarState, action: Action, dice: Dice) -> tuple[GreatWarState, Report]:
        """Do the action, after clearing the previous action's dice and tracks. An answer to flags keeps the tracks."""
        tracks = state.tracks if action.kind == RETREAT.action.kind else ()
        return super().act(state.model_copy(update={"tracks": tracks, "faces": ()}), action, dice)

    @override
    def apply_verdict(self, state: GreatWarState) -> GreatWarState:
        """Return the state, with the verdict if the battle is over."""
        over = turn.find_verdict(state) if state.over is None else None
        return state if over is None else state.model_copy(update={"over": over})

    @override
    def require_valid_state(self, state: GreatWarState) -> None:
        """Raise Refused, naming the field, if the state contradicts itself."""
        super().require_valid_state(state)
        sides = {side.id for side in state.sides}
        require_that(len(sides) == 2, "sides", "there are two")
        require_that(state.west in sides, "west", "there is no such side")
        require_that({*state.medals, *state.tokens} <= sides, "medals, tokens", "there is no such side")
        require_that(state.phase in {phase.id for phase in self.phases.phases}, "phase", "there is no such phase")
        require_that(state.map in {scenario.map for scenario in SCENARIOS.all.values()}, "map", "there is no such map")
        kinds = board_named(state.map).terrain
        require_that(state.wire <= kinds.keys(), "wire", "it lies off the map")
        for hex_, stack in state.stacks.by_hex.items():
            require_that(hex_ in kinds and kinds[hex_].cost is not None, hex_.label, "nobody can stand there")
            require_that(len(stack) == 1, hex_.label, "two units stand in it")
        for unit in state.units.values():
            most = chart_number(unit.arm, "figures")
            require_that(unit.figures <= most, unit.id, "more figures than such a unit has")
            require_that(bool(unit.figures) or not unit.on_map, unit.id, "nobody is left of it, and it is on the map")
            require_that(unit.is_tank or not unit.is_stuck, unit.id, "only tanks bog")
            require_that(unit.is_tank or not unit.this_turn.bonus, unit.id, "only tanks have a bonus combat")
            may_stand_there = unit.at is None or can_enter_terrain(kinds[unit.at], unit.arm)
            require_that(may_stand_there, unit.id, "it cannot stand there")
            require_that(unit.this_turn.entered in (None, *kinds), unit.id, "it entered a hex off the map")
        if state.flags is not None:
            both = (state.units.get(state.flags.unit), state.units.get(state.flags.by))
            require_that(all(unit is not None and unit.on_map for unit in both), "flags", "there is no such unit")
            require_that(len({unit.side for unit in both if unit is not None}) == 2, "flags", "they are no enemies")
            require_that(state.flags.may_ignore <= state.flags.flags, "flags", "more may be ignored than there are")

    @override
    def scene(self, state: GreatWarState, viewer: Viewer, before: GreatWarState | None = None) -> HexScene:
        """Return the map, with the moves, shots and dice of the last action."""
        return scene.scene(state)

    @override
    def describe_unit(self, state: GreatWarState, unit: GreatWarUnit, viewer: Viewer) -> tuple[str, Mapping[str, str]]:
        """Return a unit's arm, strength and place, and the details of its card."""
        place = board_of(state).title(unit.at) if unit.at is not None and state.map else "off the map"
        line = f"{unit.arm}, {strength_in_words(unit)}, {place}"
        return line, dict(scene.unit_details(state, unit))

    def strengths(self, state: GreatWarState, viewer: Viewer) -> Mapping[str, str]:
        """Return each side's number of units left: `9 of 11 units`."""
        totals = Counter(unit.side for unit in self.view(state, viewer).units.values())
        return {side.id: f"{len(state.units_of(side.id))} of {totals[side.id]} units" for side in state.sides}
