"""A rule system played on a table in inches: its scenarios, cards, pictures and end, put together of its parts."""

from collections.abc import Container, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar, TypeVar

from typing_extensions import override

from rules.core.chart import Tables
from rules.core.data_files import ScenarioFiles
from rules.core.dice import Dice
from rules.core.model import PUBLIC, UMPIRE, Viewer
from rules.core.odds import Odds
from rules.core.phases import PASS
from rules.core.play import Sketch
from rules.core.refusal import Refused
from rules.core.report import Report
from rules.core.ruleset import Scenario, at_the_end
from rules.core.scene import Feature, TableScene
from rules.core.state import Action, Unit, UnitCard

from . import battle_reader, ground_decision, hidden_units, markers, positions, squares, table
from .army_book import ArmyBook
from .battle import Marker, Place, TableState
from .battle_writer import FACING, as_toml, to_file_data
from .discovery import Finding
from .marker_types import MoveMarker
from .own_table import battle_of
from .place import says_facing
from .set_up import SET_UP_KINDS
from .stages import StagedRuleset, require_time
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
NO_FILE = (
    "A battle's file says where everyone stands, and no positions are kept in this game. /army save keeps a side's "
    "units, /game export the whole game."
)
BLOCKS_SIGHT = (Feature.HILL, Feature.WOOD, Feature.BUILDING)
"""Ground through which nobody sees who is hidden (house)."""


class TableRuleset(StagedRuleset[S]):
    """A system of battles on a table."""

    has_bare_table = True
    tables: ClassVar[Tables | None] = None
    battles: ClassVar[ScenarioFiles[Any]]
    drawing: ClassVar[Drawing[Any]]

    def __init__(self) -> None:
        """Raises ValueError on two action types of one kind, or on a fault of a scenario."""
        super().__init__()
        if self.tables is not None:
            self.charts = self.tables.charts
        self.troops = self.battles.file_type.troops.all
        self.scenarios = {battle.id: battle.listed for battle in self.battles.all.values()}

    @override
    def setup(self, scenario: str, choices: Mapping[str, str], dice: Dice) -> S:
        """The state a scenario starts from. Raises Refused on an unknown scenario or choice."""
        if scenario not in self.battles.all:
            names = ", ".join(self.battles.all)
            raise Refused(f"{self.title} has no scenario “{scenario[:40]}”. It has: {names}.")
        return self._begun(self.battles.all[scenario].setup(choices))

    def _begun(self, state: S) -> S:
        """The table in its first turn, or in its set-up."""
        return state if state.setting_up is not None else self.opened(state)

    def opened(self, state: S) -> S:
        """A table that was set up as its first turn begins: for a system to say."""
        return state

    @override
    def read_scenario(self, document: bytes) -> Scenario:
        """A battle that somebody wrote. Raises Refused with every fault, each with its key and line."""
        battle = battle_reader.read(self.battles.file_type, document)
        self.check(self._begun(battle.setup({})))
        listed: Scenario = battle.listed
        return listed

    @override
    def setup_uploaded(self, document: bytes, choices: Mapping[str, str], dice: Dice) -> S:
        """The state that such a battle starts from. Raises Refused as `read_scenario` does."""
        battle = battle_reader.read(self.battles.file_type, document)
        kept = document.decode("utf-8-sig") if battle.choices else ""
        state: S = self._begun(battle.setup(choices))
        return state.model_copy(update={"title": battle.title, "document": kept})

    @override
    def scenario_schema(self) -> Mapping[str, Any]:
        """The JSON Schema of a battle's file."""
        of: type[Any] = self.battles.file_type
        return battle_reader.reader_of(of).schema

    @override
    def scenario_example(self) -> tuple[str, str]:
        """The first battle that ships: its file."""
        first = next(iter(self.battles.all))
        return f"{first}.toml", self.battles.text(first)

    @override
    def write_scenario(self, state: S, scenario: str, title: str, briefing: str = "") -> bytes:
        """Return the table as a battle file. Raises Refused in a game without positions."""
        if not state.keeps_positions:
            raise Refused(NO_FILE)
        return as_toml(to_file_data(self.battles.file_type, state, scenario, title, briefing)).encode()

    @override
    def bare_table(self, words: Mapping[str, str], title: str) -> bytes:
        """The file of a table with nothing on it, which opens with its set-up. Raises Refused."""
        return as_toml(battle_of(words, title)).encode()

    @override
    def view(self, state: S, viewer: Viewer) -> S:
        """Return the viewer's view: only own hidden units."""
        return hidden_units.view_of(state, viewer)

    @override
    def told(self, state: S, viewer: Viewer) -> S:
        """The same, with his hidden units apart."""
        kept = hidden_units.may_know(state, viewer)
        seen = self.view(state.model_copy(update={"hidden": {}}), viewer)
        return hidden_units.knowing_of_ambushes(seen.model_copy(update={"hidden": kept}), state, viewer)

    @override
    def hides_nothing(self, state: S) -> bool:
        """Not where troops may be hidden, or the system itself hides something of every game."""
        open_to_all = type(self).view is TableRuleset.view
        return open_to_all and not (state.hidden or state.markers or state.may_hide)

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
            return state.model_copy(update={"over": over}), at_the_end(ground_decision.report(over), state, over.why)
        require_free(state, action)
        plainly = not (state.hidden or state.markers or hidden_units.in_secret(state) or action.kind in SET_UP_KINDS)
        act = super().act
        after, report = act(state, action, dice) if plainly else self._finding.act(act, state, action, dice)
        if state.hides_troops and not after.hides_troops:
            raise Refused(STAYS_HIDDEN)
        positions.require_no_place(after)
        return (after if report.audience is None else self._uncounted(state, after, report.audience)), report

    def _uncounted(self, before: S, after: S, audience: frozenset[Viewer]) -> S:
        """Return the state with its counters as before, unless viewers outside the audience see a change anyway."""
        same = {name: getattr(before, name) for name in before.counts_deeds}
        uncounted = after.model_copy(update=same)
        others = [viewer for viewer in (PUBLIC, *(side.id for side in before.sides)) if viewer not in audience]
        unseen = all(self.told(uncounted, viewer) == self.told(before, viewer) for viewer in others)
        return uncounted if unseen else after

    @override
    def label(self, state: S, action: Action) -> str:
        """Raises Refused as `act` would."""
        require_time(state, action)
        require_free(state, action)
        return super().label(self.with_actor(state, action), action)

    @override
    def odds(self, state: S, action: Action) -> Odds:
        """The exact chances, of hidden units as if they were shown. Raises Refused as `act` would."""
        require_free(state, action)
        return super().odds(self.with_actor(state, action), action)

    @override
    def allows(self, state: S, action: Action) -> bool:
        """Whether the action is possible, also for hidden units."""
        if self.awaits_umpire(state):
            return False
        return is_free(state, action) and super().allows(self.with_actor(state, action), action)

    @override
    def is_sketched(self, action: Action) -> bool:
        """Whether the action can be sketched: unit actions and marker moves."""
        return super().is_sketched(action) or action.kind == MoveMarker.kind

    @override
    def sketch(self, state: S, viewer: Viewer, action: Action) -> Sketch[S]:
        """What it would bring. Raises Refused as `act` would."""
        require_free(state, action)
        return super().sketch(state, viewer, action)

    @override
    def tried(self, state: S, action: Action, dice: Dice) -> S:
        """The state after it. Raises Refused as `act` would."""
        require_free(state, action)
        after = super().tried(state, action, dice)
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
    def army_book(self) -> ArmyBook:
        """Its armies."""
        return ArmyBook(self.battles.file_type, self.battles.all)

    @cached_property
    def _finding(self) -> Finding:
        return Finding(self.battles.file_type.ways, self.sees)

    @override
    def is_done_unseen(self, state: S, unit: str) -> bool:
        """What hidden units do, and everyone in a set-up in secret."""
        return unit in state.hidden or hidden_units.in_secret(state)

    @override
    def keeping_hidden(self, then: S, now: S, viewer: Viewer) -> S:
        """Return the restored state with other sides' present hidden units."""
        if viewer == UMPIRE:
            return then
        theirs = {unit: each for unit, each in now.hidden.items() if each.side != viewer}
        own = {unit: each for unit, each in then.hidden.items() if each.side == viewer}
        found = {unit: each for unit, each in then.hidden.items() if each.side != viewer and unit in now.units}
        kept = hidden_units.hide_units(hidden_units.keeping_ambushes(then, now, viewer), theirs)
        kept = kept.model_copy(update={"hidden": {**own, **found, **theirs}})
        return (
            markers.keep_contents(kept, now, viewer, secretly=hidden_units.in_secret(now))
            if then.markers or now.markers
            else kept
        )

    @override
    def outlives_undo(self, now: S, kind: str, action: Mapping[str, Any]) -> bool:
        """Whether the action concerns a still hidden unit, or a secret set-up."""
        return action.get("unit") in now.hidden or hidden_units.in_secret(now)

    @override
    def settled(self, state: S) -> S:
        """An army breaks, or the last turn ends; nobody before the battle begins."""
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

    @override
    def places(self, state: S, viewer: Viewer, unit: str) -> tuple[str, ...]:
        """Return destinations: maximum moves, nearby squares, directions towards units, and facings."""
        if "move" not in self._types:
            return ()
        state = self.view(state, viewer)
        if unit in state.markers:
            return self._places_of_marker(state, unit)
        if unit not in state.units:
            return self.place_names(state) if unit in state.hidden else ()
        here = state.units[unit].place
        others = (f"towards {each.name}" for each in state.units.values() if each.id != unit and each.on_table)
        faces = (f"face {direction}" for direction in squares.EIGHT)
        near = squares.around(here.point, state.width, state.height) if here is not None else ()
        lying = (f"towards {each.name}" for each in state.markers.values() if each.side != state.units[unit].side)
        thought = (*near, *others, *lying, *(faces if here is not None else ()))
        may = (to for to in thought if self.allows(state, self.parse("move", {"unit": unit, "to": to})))
        return tuple(dict.fromkeys((*super().places(state, viewer, unit), *may)))

    def _places_of_marker(self, state: S, name: str) -> tuple[str, ...]:
        """Return a marker's destinations: maximum moves, nearby squares, directions towards units."""
        one, kind = state.markers[name], self.meant(state, "move", name)
        ways = (f"{way} {state.options.marker_move:g}" for way in ("forward", "back", "left", "right"))
        near = squares.around(one.place.point, state.width, state.height)
        enemies = (f"towards {each.name}" for each in state.enemies(one.side) if each.place is not None)
        thought = (*ways, *near, *enemies)
        return tuple(to for to in thought if self.allows(state, self.parse(kind, {"unit": name, "to": to})))

    @override
    def place_names(self, state: S) -> tuple[str, ...]:
        """Its squares."""
        return squares.every(state.width, state.height)

    @override
    def point(self, state: S, words: str, side: str = "") -> Mapping[str, float]:
        """Where those words are by themselves; facing from the side's edge where they say no facing. Raises Refused."""
        place = Place.of_words(words)
        home = state.home_edges.get(side)
        facing = place.facing if home is None or says_facing(words) else FACING[home]
        return {"x": place.x, "y": place.y, "facing": facing}

    def card(self, state: S, unit: Any, viewer: Viewer) -> tuple[str, Mapping[str, str]]:  # noqa: ARG002
        """Return a unit's short state, and labelled details visible to the viewer; empty ones are omitted."""
        return "", {}

    def rank(self, unit: Any) -> int:
        """Where a unit comes in the order of battle of its side, the lowest first."""
        return not unit.on_table

    @override
    def roster(self, state: S, viewer: Viewer, only: Container[str] | None = None) -> tuple[UnitCard, ...]:
        """The units in order of battle, then the markers."""
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
    def named(self, state: S, viewer: Viewer) -> Sequence[Unit]:
        """Return the units in order of battle, then the markers."""
        state = self.view(state, viewer)
        return (*self._in_order(state, state.every_unit.values()), *state.markers.values())

    def _in_order(self, state: S, units: Iterable[Any]) -> Sequence[Any]:
        order = {side.id: side.index for side in state.sides}
        return sorted(units, key=lambda each: (order.get(each.side, len(order)), self.rank(each)))

    @override
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
        """The table as the viewer may see it, with arrows for what happened since `before`."""
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
