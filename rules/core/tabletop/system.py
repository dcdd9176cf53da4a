"""A rule system played on a table in inches: its scenarios, cards, pictures and end, put together of its parts."""

from collections.abc import Container, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar, TypeVar

from typing_extensions import override

from rules.core.action_type import Caption
from rules.core.catalog import Meanings
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

from . import battle_reader, ground_decision, hidden_units, markers, positions, squares, table
from .battle import Marker, TableState
from .discovery import HiddenPlay
from .hidden_troops import TableHiddenTroops
from .marker_types import MoveMarker
from .own_battles import BareTable, TableBattles
from .set_up import SET_UP_KINDS
from .stages import StagedRuleset, require_time
from .table_places import TablePlaces
from .table_scenes import Drawing, under
from .unit_under_marker import is_free, require_free
from .validation import check_table

S = TypeVar("S", bound=TableState[Any])

HIDDEN = "hidden"
"""Circumstance of units unknown to the other side."""
STAYS_HIDDEN = (
    "Troops may be hidden in this game, and so it stays: an umpire who holds a seat would else see what the other side "
    "hides. /unit unhide shows a unit."
)
BLOCKS_SIGHT = (Feature.HILL, Feature.WOOD, Feature.BUILDING)
"""Ground through which nobody sees who is hidden (house)."""


class TableRuleset(StagedRuleset[S]):
    """A system of battles on a table."""

    tables: ClassVar[Tables | None] = None
    battles: ClassVar[ScenarioFiles[Any]]
    drawing: ClassVar[Drawing[Any]]
    terrain_meanings: "ClassVar[staticmethod[[Any], Meanings] | None]" = None
    """The kinds of terrain that matter, by a game's options."""
    opponent_type: ClassVar[type[OpponentSupport[Any]]] = OpponentSupport

    def __init__(self) -> None:
        """Raises ValueError on two action types of one kind, or on a fault of a scenario."""
        super().__init__()
        if self.tables is not None:
            self.charts = self.tables.charts
        self.troops = self.battles.file_type.troops.all
        self.scenarios = {battle.id: battle.listed for battle in self.battles.all.values()}
        self.own_battles = TableBattles(self)
        self.bare_tables = BareTable(self.battles)
        self.hidden_troops = TableHiddenTroops(self)
        self.places = TablePlaces(self, self.terrain_meanings)
        self.opponent = self.opponent_type(self)

    @override
    def setup(self, scenario: str, choices: Mapping[str, str], dice: Dice) -> S:
        """Return the state a scenario starts from. Raises Refused on an unknown scenario or choice."""
        if scenario not in self.battles.all:
            names = ", ".join(self.battles.all)
            raise Refused(f"{self.title} has no scenario “{scenario[:40]}”. It has: {names}.")
        return self.begun(self.battles.all[scenario].setup(choices))

    def begun(self, state: S) -> S:
        """Return the table in its first turn, or in its set-up."""
        return state if state.setting_up is not None else self.opened(state)

    def opened(self, state: S) -> S:
        """Return a table that was set up as its first turn begins: for a system to say."""
        return state

    @property
    @override
    def has_secrets(self) -> bool:
        """Whether the system itself hides something of every game."""
        return type(self).view is not TableRuleset.view

    @override
    def view(self, state: S, viewer: Viewer) -> S:
        """Return the viewer's view: only own hidden units."""
        return hidden_units.view_of(state, viewer)

    @override
    def storable_view(self, state: S, viewer: Viewer) -> S:
        """Return the viewer's view, with the hidden units that the viewer may know kept in `hidden`."""
        kept = hidden_units.hidden_units_known_to(state, viewer)
        seen = self.view(state.model_copy(update={"hidden": {}}), viewer)
        return hidden_units.knowing_of_ambushes(seen.model_copy(update={"hidden": kept}), state, viewer)

    @override
    def side_of(self, state: S, action: Action) -> Viewer:
        """Return the side of the action's unit, even a hidden one.

        Passing on from the last turn is the umpire's action.
        """
        if action.kind == PASS and self.awaits_umpire(state):
            return UMPIRE
        return super().side_of(self.with_actor(state, action), action)

    @override
    def act(self, state: S, action: Action, dice: Dice) -> tuple[S, Report]:
        """Before the battle begins units are put on and taken off, and the umpire corrects.

        No rule knows of hidden units before they are found or show themselves.
        """
        require_time(state, action)
        if self.awaits_umpire(state) and not action.umpire_only:
            over = ground_decision.verdict(state, action)
            after = state.model_copy(update={"over": over})
            return after, add_ending(ground_decision.report(over), f"{after.result}. {over.why}")
        require_free(state, action)
        plainly = not (state.hidden or state.markers or hidden_units.in_secret(state) or action.kind in SET_UP_KINDS)
        act = super().act
        after, report = act(state, action, dice) if plainly else self._hidden_play.act(act, state, action, dice)
        if state.hides_troops and not after.hides_troops:
            raise Refused(STAYS_HIDDEN)
        positions.require_no_place(after)
        return (after if report.audience is None else self._uncounted(state, after, report.audience)), report

    def _uncounted(self, before: S, after: S, audience: frozenset[Viewer]) -> S:
        """Return the state with its counters as before, unless viewers outside the audience see a change anyway."""
        same = {name: getattr(before, name) for name in before.deed_counters}
        uncounted = after.model_copy(update=same)
        others = [viewer for viewer in (PUBLIC, *(side.id for side in before.sides)) if viewer not in audience]
        unseen = all(self.storable_view(uncounted, viewer) == self.storable_view(before, viewer) for viewer in others)
        return uncounted if unseen else after

    @override
    def caption(self, state: S, action: Action) -> Caption:
        """Raises Refused as `act` would."""
        require_time(state, action)
        require_free(state, action)
        return super().caption(self.with_actor(state, action), action)

    @override
    def odds(self, state: S, action: Action) -> Odds:
        """Return the exact chances, of hidden units as if they were shown. Raises Refused as `act` would."""
        require_free(state, action)
        return super().odds(self.with_actor(state, action), action)

    @override
    def allows(self, state: S, action: Action) -> bool:
        """Whether the action is possible, also for hidden units."""
        if self.awaits_umpire(state):
            return False
        return is_free(state, action) and super().allows(self.with_actor(state, action), action)

    @override
    def _is_sketched(self, action: Action) -> bool:
        """Whether the action can be sketched: unit actions and marker moves."""
        return super()._is_sketched(action) or action.kind == MoveMarker.kind

    @override
    def sketch(self, state: S, viewer: Viewer, action: Action) -> Sketch[S]:
        """Return the sketch of the action. Raises Refused as `act` would."""
        require_free(state, action)
        return super().sketch(state, viewer, action)

    @override
    def try_action(self, state: S, action: Action, dice: Dice) -> S:
        """Return the state after the action. Raises Refused as `act` would."""
        require_free(state, action)
        after = super().try_action(state, action, dice)
        positions.require_no_place(after)
        return after

    @override
    def planned_on(self, state: S, side: Viewer, action: Action) -> S:
        """Without hidden units, of which no rule knows, but to hide or show one."""
        about_them = action.kind in (hidden_units.Hide.kind, hidden_units.Unhide.kind)
        return self.view(state if about_them else state.model_copy(update={"hidden": {}}), side)

    def sees(self, state: S, unit: Any, other: Any) -> bool:
        """Whether nothing that blocks sight lies between two units (house)."""
        if unit.place is None or other.place is None:
            return False
        crossed = table.crossed(state.terrain, unit.place.point, other.place.point)
        return not any(piece.feature in BLOCKS_SIGHT for piece in crossed)

    @cached_property
    def _hidden_play(self) -> HiddenPlay:
        return HiddenPlay(self.battles.file_type.ways, self.sees)

    @override
    def apply_consequences(self, state: S) -> S:
        """Return the state, with its verdict if an army is broken or the last turn over; unchanged during set-up."""
        if state.setting_up is not None:
            return state
        over = self.reckoning.ended(state) if state.over is None else None
        return state if over is None else state.model_copy(update={"over": over})

    @override
    def check(self, state: S) -> None:
        """Raises Refused with the place of what contradicts itself."""
        super().check(state)
        check_table(state)
        positions.require_no_place(state)
        if state.document:
            battle_reader.read(self.battles.file_type, state.document.encode())

    def card(self, state: S, unit: Any, viewer: Viewer) -> tuple[str, Mapping[str, str]]:  # noqa: ARG002
        """Return a unit's short state, and labelled details visible to the viewer; empty ones are omitted."""
        return "", {}

    def rank(self, unit: Any) -> int:
        """Return where a unit comes in the order of battle of its side, the lowest first."""
        return not unit.on_table

    @override
    def roster(self, state: S, viewer: Viewer, only: Container[str] | None = None) -> tuple[UnitCard, ...]:
        """Return the units in order of battle, then the markers."""
        state = self.view(state, viewer)
        units = (unit for unit in state.every_unit.values() if only is None or unit.id in only)
        cards = []
        for unit in self._in_order(state, units):
            line, more = self.card(state, unit, viewer)
            place = unit.place
            at = place.in_words() if place else ""
            details = tuple((label, words) for label, words in {**more, "Place": at}.items() if words)
            said = ", ".join(filter(None, (_hidden_how(state, unit), line)))
            cards.append(UnitCard(id=unit.id, name=unit.name, side=unit.side, line=said, details=details))
        lying = (one for one in state.markers.values() if only is None or one.id in only)
        return (*cards, *(_marker_card(state, one, viewer) for one in lying))

    @override
    def known_units(self, state: S, viewer: Viewer) -> Sequence[Unit]:
        """Return the units in order of battle, then the markers."""
        state = self.view(state, viewer)
        return (*self._in_order(state, state.every_unit.values()), *state.markers.values())

    def _in_order(self, state: S, units: Iterable[Any]) -> Sequence[Any]:
        order = {side.id: side.index for side in state.sides}
        return sorted(units, key=lambda each: (order.get(each.side, len(order)), self.rank(each)))

    def strengths(self, state: S, viewer: Viewer) -> Mapping[str, str]:
        """Return remaining strengths: `9 of 10 units`."""
        seen, left = self.view(state, viewer), {}
        seen = seen.model_copy(update={"units": seen.every_unit})
        for side in seen.sides:
            lost, of = self.reckoning.losses(seen, side.id)
            left[side.id] = f"{of - lost} of {of} {self.reckoning.whole}"
        return left

    @override
    def scene(self, state: S, viewer: Viewer, before: S | None = None) -> TableScene:
        """Return the table as the viewer may see it, with arrows for what happened since `before`."""
        listed = self.scenarios.get(state.scenario)
        then = None if before is None else self.view(before, viewer)
        title = listed.title if listed else state.title or self.title
        seen = self.view(state, viewer)
        seen = seen if state.keeps_positions else seen.model_copy(update={"objectives": ()})
        return self.drawing.scene(seen, then, title, viewer)


def _hidden_how(state: TableState[Any], unit: Any) -> str:
    """`hidden`, `hidden under Marker A`, `hidden off the table`; nothing of who is not."""
    if unit.id not in state.hidden:
        return ""
    if (marker := markers.marker_over(state, unit.id)) is not None:
        return f"{HIDDEN} under {marker.name}"
    return f"{HIDDEN} off the table" if hidden_units.is_off_table(state, unit) else HIDDEN


def _marker_card(state: TableState[Any], one: Marker, viewer: Viewer) -> UnitCard:
    """Return a marker's card: place, and contents if known to the viewer."""
    known = under(state, one, viewer)
    what = "a marker: perhaps troops, perhaps nothing" if known is None else f"a marker, under it {known}"
    details = (("Marker", what), ("Place", one.place.in_words()))
    line = f"{what}, {squares.spot(one.place.point)}"
    return UnitCard(id=one.id, name=one.name, side=one.side, line=line, details=details)
