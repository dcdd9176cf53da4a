"""A rule system played on a table in inches: its scenarios, cards, pictures and end, put together of its parts."""

from collections.abc import Container, Iterable, Mapping
from typing import Any, ClassVar, TypeVar

import tomli_w
from typing_extensions import override

from rules.core.chart import Tables
from rules.core.data_files import ScenarioFiles
from rules.core.dice import Dice
from rules.core.model import UMPIRE, Viewer
from rules.core.refused import Refused
from rules.core.report import Prompt, Report
from rules.core.ruleset import Ruleset, Scenario
from rules.core.scene import TableScene
from rules.core.state import Action, UnitCard

from . import battle_reader, squares
from .battle import Place, TableState
from .battle_writer import FACING, written
from .own_table import battle_of
from .place import says_facing
from .setting_up import BEGINS, MEANT, NOT_YET, SET_UP_KINDS
from .soundness import check_table
from .table_scenes import Drawing
from .victory import Reckoning

S = TypeVar("S", bound=TableState[Any])


class TableRuleset(Ruleset[S]):
    """A system of battles on a table."""

    has_bare_table = True
    tables: ClassVar[Tables | None] = None
    battles: ClassVar[ScenarioFiles[Any]]
    drawing: ClassVar[Drawing[Any]]
    reckoning: ClassVar[Reckoning[Any]]

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
        """The table as it stands, as a battle's file."""
        return tomli_w.dumps(written(self.battles.file_type, state, scenario, title, briefing)).encode()

    @override
    def bare_table(self, words: Mapping[str, str], title: str) -> bytes:
        """The file of a table with nothing on it, which opens with its set-up. Raises Refused."""
        return tomli_w.dumps(battle_of(words, title)).encode()

    @override
    def meant(self, state: S, kind: str) -> str:
        """Before the battle begins `/move` puts a unit anywhere, and `/turn next` begins."""
        return kind if state.setting_up is None else MEANT.get(kind, kind)

    @override
    def open_prompts(self, state: S) -> tuple[Prompt, ...]:
        """Before the battle begins nothing but that."""
        return super().open_prompts(state) if state.setting_up is None else (BEGINS,)

    @override
    def waits_for(self, state: S) -> frozenset[Viewer]:
        """Before the battle begins for the umpire."""
        return super().waits_for(state) if state.setting_up is None else frozenset({UMPIRE})

    @override
    def at_once(self, state: S) -> Action | None:
        """Before the battle begins nothing follows."""
        return super().at_once(state) if state.setting_up is None else None

    @override
    def legal(self, state: S, side: Viewer, kind: str | None = None, unit: str | None = None) -> Iterable[Action]:
        """Before the battle begins there is nothing to choose of."""
        return super().legal(state, side, kind, unit) if state.setting_up is None else ()

    @override
    def act(self, state: S, action: Action, dice: Dice) -> tuple[S, Report]:
        """Before the battle begins units are put on and taken off, and the umpire corrects."""
        _require_time(state, action)
        return super().act(state, action, dice)

    @override
    def label(self, state: S, action: Action) -> str:
        """Raises Refused as `act` would."""
        _require_time(state, action)
        return super().label(state, action)

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
        if state.document:
            battle_reader.read(self.battles.file_type, state.document.encode())

    @override
    def places(self, state: S, viewer: Viewer, unit: str) -> tuple[str, ...]:
        """Where it may go as far as it may, the squares around it, the units it may go towards, and ways to face."""
        if "move" not in self._types:
            return ()
        here = state.units[unit].place
        others = (f"towards {each.name}" for each in state.units.values() if each.id != unit and each.on_table)
        faces = (f"face {direction}" for direction in squares.EIGHT)
        near = squares.around(here.point, state.width, state.height) if here is not None else ()
        thought = (*near, *others, *(faces if here is not None else ()))
        may = (to for to in thought if self.allows(state, self.parse("move", {"unit": unit, "to": to})))
        return tuple(dict.fromkeys((*super().places(state, viewer, unit), *may)))

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
        """The short state of a unit, and what else that viewer may know of it, by label; what is empty is left out."""
        return "", {}

    def rank(self, unit: Any) -> int:
        """Where a unit comes in the order of battle of its side, the lowest first."""
        return not unit.on_table

    @override
    def roster(self, state: S, viewer: Viewer, only: Container[str] | None = None) -> tuple[UnitCard, ...]:
        """The units in order of battle."""
        order = {side.id: side.index for side in state.sides}
        cards = []
        units = [unit for unit in state.units.values() if only is None or unit.id in only]
        for unit in sorted(units, key=lambda each: (order.get(each.side, len(order)), self.rank(each))):
            line, more = self.card(state, unit, viewer)
            place = unit.place
            at = place.in_words() if place else ""
            details = tuple((label, words) for label, words in {**more, "Place": at}.items() if words)
            cards.append(UnitCard(id=unit.id, name=unit.name, side=unit.side, line=line, details=details))
        return tuple(cards)

    @override
    def strengths(self, state: S, viewer: Viewer) -> Mapping[str, str]:
        """`9 of 10 units`: those that count and are not lost."""
        seen, left = self.view(state, viewer), {}
        for side in seen.sides:
            lost, of = self.reckoning.losses(seen, side.id)
            left[side.id] = f"{of - lost} of {of} {self.reckoning.whole}"
        return left

    @override
    def scene(self, state: S, viewer: Viewer, before: S | None = None) -> TableScene:
        """The table, which lies open to all, with arrows for what happened since `before`."""
        listed = self.scenarios.get(state.scenario)
        return self.drawing.scene(state, before, listed.title if listed else state.title or self.title)


def _require_time(state: TableState[Any], action: Action) -> None:
    """Raises Refused where the battle has not begun, but for what is done before."""
    if state.setting_up is not None and not (action.umpire_only or action.kind in SET_UP_KINDS):
        raise Refused(NOT_YET)
