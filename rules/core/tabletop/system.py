"""Base class of rule systems on tables in inches: scenarios, unit cards, pictures and the end of a battle."""

from collections.abc import Container, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar

from typing_extensions import override

from rules.core.action_type import Caption
from rules.core.catalog import TerrainEffect
from rules.core.chart import Tables
from rules.core.data_files import ScenarioFiles
from rules.core.dice import Dice
from rules.core.model import PUBLIC, UMPIRE, Viewer
from rules.core.odds import Odds
from rules.core.opponent_support import OpponentSupport
from rules.core.phases import PASS
from rules.core.play import Sketch
from rules.core.refusal import Refused
from rules.core.report import Report
from rules.core.ruleset import add_ending
from rules.core.scene import Feature, TableScene
from rules.core.state import Action, Unit, UnitCard
from rules.core.turn_events import Holding

from . import arrivals, battle_reader, ground_decision, hidden_units, markers, positions, squares, table
from .battle import Marker, S, TableState
from .discovery import HiddenActionExecutor
from .hidden_troops import TableHiddenTroops
from .marker_types import MoveMarker
from .own_battles import BareTable, TableBattles
from .set_up import SET_UP_KINDS
from .stages import StagedRuleset, require_set_up_action
from .table_opponent import TableOpponent
from .table_places import TablePlaces
from .table_scenes import Drawing, marker_contents
from .unit_short_names import short_unit_names
from .unit_under_marker import can_act, require_can_act
from .validation import check_table

HIDDEN = "hidden"
"""Word on the card of a hidden unit."""
STAYS_HIDDEN = (
    "Troops may be hidden in this game, and so it stays: an umpire who holds a seat would else see what the other side "
    "hides. /unit unhide shows a unit."
)
BLOCKS_SIGHT = (Feature.HILL, Feature.WOOD, Feature.BUILDING)
"""Kinds of terrain that block the line of sight to a hidden unit (house)."""


class TableRuleset(StagedRuleset[S]):
    """A rule system for battles on a table."""

    tables: ClassVar[Tables | None] = None
    battles: ClassVar[ScenarioFiles[Any]]
    drawing: ClassVar[Drawing[Any]]
    terrain_meanings: "ClassVar[staticmethod[[Feature, Any], Iterable[TerrainEffect]] | None]" = None
    """Function that yields the effects of a kind of terrain under a game's options."""
    opponent_type: ClassVar[type[OpponentSupport[Any]]] = TableOpponent
    short_names = staticmethod(short_unit_names)

    def __init__(self) -> None:
        """Create the system. Raises ValueError if two action types have one kind, or a scenario has a fault."""
        super().__init__()
        if self.tables is not None:
            self.charts = self.tables.charts
        self.troops = self.battles.file_type.troops.all
        self.scenarios = {battle.id: battle.catalogue_entry for battle in self.battles.all.values()}
        self.own_battles = TableBattles(self)
        self.bare_tables = BareTable(self.battles)
        self.hidden_troops = TableHiddenTroops(self)
        self.places = TablePlaces(self, self.terrain_meanings)
        self.opponent = self.opponent_type(self)

    @override
    def setup(self, scenario: str, choices: Mapping[str, str], dice: Dice) -> S:
        """Return the first state of a scenario with these choices. Raises Refused for an unknown scenario or choice."""
        if scenario not in self.battles.all:
            names = ", ".join(self.battles.all)
            raise Refused(f"{self.title} has no scenario “{scenario[:40]}”. It has: {names}.")
        return self.begin_battle(self.battles.all[scenario].setup(choices))

    def begin_battle(self, state: S) -> S:
        """Return the state in its first turn, or unchanged if it begins with a set-up."""
        return state if state.setting_up is not None else self.open_first_turn(state)

    def open_first_turn(self, state: S) -> S:
        """Return the state at the beginning of its first turn. Systems override this to open their first phase."""
        return state

    @property
    @override
    def has_secrets(self) -> bool:
        """Whether the system overrides `view`, so that every game has hidden facts."""
        return type(self).view is not TableRuleset.view

    @override
    def view(self, state: S, viewer: Viewer) -> S:
        """Return the viewer's view, without the hidden units of other sides."""
        return hidden_units.make_view(arrivals.hide_unknown_arrivals(state, viewer), viewer)

    @override
    def storable_view(self, state: S, viewer: Viewer) -> S:
        """Return the viewer's view for storage, with hidden units only in `hidden` and not in `units`."""
        known_units = hidden_units.hidden_units_known_to(state, viewer)
        view = self.view(state.model_copy(update={"hidden": {}}), viewer)
        return hidden_units.keep_own_ambushes(view.model_copy(update={"hidden": known_units}), state, viewer)

    @override
    def side_of(self, state: S, action: Action) -> Viewer:
        """Return the side that the action belongs to, even if the acting unit is hidden.

        After the last turn, `PASS` belongs to the umpire, whose answer decides who holds the ground.
        """
        if action.kind == PASS and self.awaits_umpire(state):
            return UMPIRE
        return super().side_of(self.show_actor(state, action), action)

    @override
    def act(self, state: S, action: Action, dice: Dice) -> tuple[S, Report]:
        """Return the state after the action, and the report. Raises Refused.

        The system's rules see a hidden unit only once it is found or shows itself. During the set-up, only
        actions of the set-up and of the umpire are possible; after the last turn, only the umpire's.
        """
        require_set_up_action(state, action)
        if self.awaits_umpire(state) and not action.umpire_only:
            over, report = ground_decision.decide_ground_by_answer(state, action)
            after = state.model_copy(update={"over": over})
            return after, add_ending(report, f"{after.result}. {over.why}")
        require_can_act(state, action)
        plainly = not (
            state.hidden or state.markers or hidden_units.is_secret_set_up(state) or action.kind in SET_UP_KINDS
        )
        act = super().act
        after, report = act(state, action, dice) if plainly else self._hidden_actions.act(act, state, action, dice)
        if state.hides_troops and not after.hides_troops:
            raise Refused(STAYS_HIDDEN)
        positions.require_no_place(after)
        if report.audience is not None:
            return self._conceal_action_counters(state, after, report.audience), report
        return self._place_arrivals(after, report) if after.arrivals else (after, report)

    def _place_arrivals(self, state: S, report: Report) -> tuple[S, Report]:
        """Return the state with the units that enter the table now, and the report with a step for each arrival."""
        if state.over is not None or not self.is_under_way(state):
            return state, report
        after, steps = arrivals.place_due_arrivals(self.battles.file_type.ways, state)
        return after, report.model_copy(update={"steps": (*report.steps, *steps)}) if steps else report

    def _conceal_action_counters(self, before: S, after: S, audience: frozenset[Viewer]) -> S:
        """Return `after` with the earlier `action_counters`, which could otherwise reveal a secret action.

        If a viewer outside the audience can see another change, return `after` unchanged.
        """
        counters = {name: getattr(before, name) for name in before.action_counters}
        secret = after.model_copy(update=counters)
        viewers = [viewer for viewer in (PUBLIC, *(side.id for side in before.sides)) if viewer not in audience]
        unseen = all(self.storable_view(secret, viewer) == self.storable_view(before, viewer) for viewer in viewers)
        return secret if unseen else after

    @override
    def caption(self, state: S, action: Action) -> Caption:
        """Return the action's button text, also for a hidden unit. Raises Refused like `act`."""
        require_set_up_action(state, action)
        require_can_act(state, action)
        return super().caption(self.show_actor(state, action), action)

    @override
    def odds(self, state: S, action: Action) -> Odds:
        """Return the exact chances of the action, also for a hidden unit. Raises Refused like `act`."""
        require_can_act(state, action)
        return super().odds(self.show_actor(state, action), action)

    @override
    def allows(self, state: S, action: Action) -> bool:
        """Whether the action is possible, also for a hidden unit."""
        if self.awaits_umpire(state):
            return False
        return can_act(state, action) and super().allows(self.show_actor(state, action), action)

    @override
    def _can_sketch(self, action: Action) -> bool:
        """Whether the action's result can be sketched: it is a unit's action or a marker's move."""
        return super()._can_sketch(action) or action.kind == MoveMarker.kind

    @override
    def sketch(self, state: S, viewer: Viewer, action: Action) -> Sketch[S]:
        """Return the action's expected result without dice, as the viewer sees it. Raises Refused like `act`."""
        require_can_act(state, action)
        return super().sketch(state, viewer, action)

    @override
    def try_action(self, state: S, action: Action, dice: Dice) -> S:
        """Return the state after the action with these dice. Raises Refused like `act`."""
        require_can_act(state, action)
        after = super().try_action(state, action, dice)
        positions.require_no_place(after)
        return after

    @override
    def state_for_planning(self, state: S, side: Viewer, action: Action) -> S:
        """Return the view from which a side plans the action, without hidden units.

        The view includes the side's own hidden units if the action hides or shows a unit.
        """
        about_hidden = action.kind in (hidden_units.Hide.kind, hidden_units.Unhide.kind)
        return self.view(state if about_hidden else state.model_copy(update={"hidden": {}}), side)

    def sees(self, state: S, unit: Any, other: Any) -> bool:
        """Whether two units have places, and no terrain blocks the line of sight between them (house)."""
        if unit.place is None or other.place is None:
            return False
        crossed = table.pieces_crossed_by_line(state.terrain, unit.place.point, other.place.point)
        return not any(piece.feature in BLOCKS_SIGHT for piece in crossed)

    @cached_property
    def _hidden_actions(self) -> HiddenActionExecutor:
        """The executor of actions in games with hidden units or markers."""
        return HiddenActionExecutor(self.battles.file_type.ways, self.sees)

    @override
    def apply_verdict(self, state: S) -> S:
        """Return the state with its verdict if an army is broken or the last turn is over, otherwise unchanged."""
        if state.setting_up is not None:
            return state
        over = self.victory.find_verdict(state) if state.over is None else None
        return state if over is None else state.model_copy(update={"over": over})

    @override
    def require_valid_state(self, state: S) -> None:
        """Raise Refused, naming the field, if a state from outside contradicts itself."""
        super().require_valid_state(state)
        check_table(state)
        positions.require_no_place(state)
        if state.document:
            battle_reader.read(self.battles.file_type, state.document.encode())

    def describe_unit(self, state: S, unit: Any, viewer: Viewer) -> tuple[str, Mapping[str, str]]:
        """Return a short description of the unit's condition, and details by label. Every system must override this."""
        raise NotImplementedError

    def roster_rank(self, unit: Any) -> int:
        """Return the sort key of a unit in its side's order of battle; the lowest key comes first."""
        return not unit.on_table

    @override
    def roster(self, state: S, viewer: Viewer, only: Container[str] | None = None) -> tuple[UnitCard, ...]:
        """Return a card for each unit known to the viewer, in order of battle, and then for each marker.

        If `only` is given, return only the cards with these ids.
        """
        state = self.view(state, viewer)
        units = (unit for unit in state.every_unit.values() if only is None or unit.id in only)
        cards, short_names = [], short_unit_names(state)
        for unit in self._sort_units(state, units):
            line, facts = self.describe_unit(state, unit, viewer)
            place = unit.place
            at = place.in_words() if place else ""
            details = tuple((label, words) for label, words in {**facts, "Place": at}.items() if words)
            arrival_words = arrivals.describe_arrival(state, unit.id)
            condition = ", ".join(filter(None, (arrival_words, _describe_hiding(state, unit), line)))
            names = {"id": unit.id, "name": unit.name, "short": short_names[unit.id]}
            cards.append(UnitCard(**names, side=unit.side, line=condition, details=details))
        shown_markers = (marker for marker in state.markers.values() if only is None or marker.id in only)
        return (*cards, *(_marker_card(state, marker, viewer, short_names[marker.id]) for marker in shown_markers))

    @override
    def known_units(self, state: S, viewer: Viewer) -> Sequence[Unit]:
        """Return the units known to the viewer in order of battle, and then the markers."""
        state = self.view(state, viewer)
        return (*self._sort_units(state, state.every_unit.values()), *state.markers.values())

    def _sort_units(self, state: S, units: Iterable[Any]) -> Sequence[Any]:
        order = {side.id: side.index for side in state.sides}
        return sorted(units, key=lambda unit: (order.get(unit.side, len(order)), self.roster_rank(unit)))

    def strengths(self, state: S, viewer: Viewer) -> Mapping[str, str]:
        """Return each side's remaining strength by side id: `9 of 10 units`. Only units known to the viewer count."""
        view = self.view(state, viewer)
        view = view.model_copy(update={"units": view.every_unit})
        losses = {side.id: self.victory.lost_and_total_strength(view, side.id) for side in view.sides}
        return {side: f"{total - lost} of {total} {self.victory.whole}" for side, (lost, total) in losses.items()}

    @override
    def holdings(self, state: S) -> Iterable[Holding]:
        """Yield each objective that its side holds; none without positions."""
        for objective in state.objectives if state.keeps_positions else ():
            if self.victory.is_held(state, objective):
                yield Holding(objective.side, objective.name)

    @override
    def scene(self, state: S, viewer: Viewer, before: S | None = None) -> TableScene:
        """Return the scene of the viewer's view, with arrows for events since the state `before`."""
        scenario = self.scenarios.get(state.scenario)
        view_before = None if before is None else self.view(before, viewer)
        title = scenario.title if scenario else state.title or self.title
        view = self.view(state, viewer)
        view = view if state.keeps_positions else view.model_copy(update={"objectives": ()})
        return self.drawing.scene(view, view_before, title, viewer)


def _describe_hiding(state: TableState[Any], unit: Any) -> str:
    """Return `hidden`, `hidden under Marker A` or `hidden off the table`; an empty string for a shown unit."""
    if unit.id not in state.hidden:
        return ""
    if (marker := markers.marker_over_unit(state, unit.id)) is not None:
        return f"{HIDDEN} under {marker.name}"
    return f"{HIDDEN} off the table" if hidden_units.is_off_table(state, unit) else HIDDEN


def _marker_card(state: TableState[Any], marker: Marker, viewer: Viewer, short: str) -> UnitCard:
    """Return a marker's card, with its contents if the viewer may know them."""
    contents = marker_contents(state, marker, viewer)
    text = "a marker: perhaps troops, perhaps nothing" if contents is None else f"a marker, under it {contents}"
    details = (("Marker", text), ("Place", marker.place.in_words()))
    line = f"{text}, {squares.spot_name(marker.place.point)}"
    return UnitCard(id=marker.id, name=marker.name, short=short, side=marker.side, line=line, details=details)
