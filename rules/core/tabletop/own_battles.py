"""Battles that people write as files, and bare tables on which they put armies."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel
from typing_extensions import override

from rules.core.catalog import Scenario
from rules.core.data_files import ScenarioFiles
from rules.core.dice import Dice
from rules.core.own_battles import OwnBattles
from rules.core.refusal import Refused

from . import battle_reader
from .army_book import ArmyBook
from .army_entries import ArmyUnit
from .army_lines import ArmyLineReader
from .battle import S, TableState
from .battle_writer import table_as_file_data, to_toml
from .deploy_army import assign_unique_names, make_units_of_lines
from .deployment_spots import DeploymentSpots
from .own_table import make_own_table_data

if TYPE_CHECKING:
    from .system import TableRuleset

NO_FILE = (
    "A battle's file says where everyone stands, and no positions are kept in this game. /army save keeps a side's "
    "units, /game export the whole game."
)


class TableBattles(OwnBattles[S]):
    """Reads and writes the battle files of one system."""

    def __init__(self, system: "TableRuleset[S]") -> None:
        self._system = system
        self._battles = system.battles

    def read(self, document: bytes) -> Scenario:
        """Check a battle file and return its scenario. Raises Refused with every fault, each with its key and line."""
        battle = battle_reader.read(self._battles.file_type, document)
        self._system.require_valid_state(self._system.begin_battle(battle.setup({})))
        scenario: Scenario = battle.catalogue_entry
        return scenario

    @override
    def set_up(self, document: bytes, choices: Mapping[str, str], dice: Dice) -> S:
        """Return the first state of the file's battle. Raises Refused like `read`.

        If the battle has choices, the state keeps the text of the file.
        """
        battle = battle_reader.read(self._battles.file_type, document)
        text = document.decode("utf-8-sig") if battle.choices else ""
        state: S = self._system.begin_battle(battle.setup(choices))
        return state.model_copy(update={"title": battle.title, "document": text})

    def write(self, state: S, scenario: str, title: str, briefing: str = "") -> bytes:
        """Return the present table as a battle file. Raises Refused in a game without positions."""
        if not state.keeps_positions:
            raise Refused(NO_FILE)
        return to_toml(table_as_file_data(self._battles.file_type, state, scenario, title, briefing)).encode()

    @property
    def schema(self) -> Mapping[str, Any]:
        """The JSON Schema of a battle file."""
        file_type: type[BaseModel] = self._battles.file_type
        return battle_reader.make_document_reader(file_type).schema

    def shipped_file(self, scenario: str) -> tuple[str, str]:
        """Return the file name and the text of a shipped battle."""
        return f"{scenario}.toml", self._battles.text(scenario)


class BareTable:
    """Makes the files of bare tables, and the units and armies to put on them."""

    def __init__(self, battles: ScenarioFiles[Any]) -> None:
        self._battles = battles

    def make_document(self, words: Mapping[str, str], title: str) -> bytes:
        """Return the battle file of an empty table that begins with a set-up. Raises Refused.

        `words` are the answers to `own_table.FIELDS`, by field.
        """
        return to_toml(make_own_table_data(words, title)).encode()

    def make_units(self, state: TableState[Any], side: str, entries: Sequence[ArmyUnit]) -> Sequence[Any]:
        """Return the units that army lines describe, off the table, each followed by its leaders.

        Ids and names are new. Raises Refused for a field with an invalid value.
        """
        units = make_units_of_lines(ArmyLineReader(self._battles.file_type), entries, side, state)
        return [unit.model_copy(update={"place": None}) for unit in assign_unique_names(state, state, units)]

    def deployment_spots(
        self, state: TableState[Any], deepest: float, *, from_front: bool = False, rows: int | None = None
    ) -> DeploymentSpots:
        """Return the places for units in front of the table's edges."""
        return DeploymentSpots(self._battles.file_type.ways, state, deepest, from_front=from_front, rows=rows)

    @cached_property
    def army_book(self) -> ArmyBook:
        """The army lists of the system's battles, and its reader of army lines."""
        return ArmyBook(self._battles.file_type, self._battles.all)
