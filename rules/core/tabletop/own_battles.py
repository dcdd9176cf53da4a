"""Battles on tables that people write as files, and bare tables for their armies."""

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from typing_extensions import override

from rules.core.catalog import Scenario
from rules.core.data_files import ScenarioFiles
from rules.core.dice import Dice
from rules.core.own_battles import OwnBattles
from rules.core.refusal import Refused

from . import battle_reader
from .army_book import ArmyBook
from .battle import TableState
from .battle_writer import to_file_data, to_toml
from .own_table import battle_of

if TYPE_CHECKING:
    from .system import TableRuleset

S = TypeVar("S", bound=TableState[Any])

NO_FILE = (
    "A battle's file says where everyone stands, and no positions are kept in this game. /army save keeps a side's "
    "units, /game export the whole game."
)


class TableBattles(OwnBattles[S]):
    """Battles as files."""

    def __init__(self, system: "TableRuleset[S]") -> None:
        self._system = system
        self._battles = system.battles

    def read(self, document: bytes) -> Scenario:
        """Return the battle of a file. Raises Refused with every fault, each with its key and line."""
        battle = battle_reader.read(self._battles.file_type, document)
        self._system.check(self._system.begun(battle.setup({})))
        listed: Scenario = battle.listed
        return listed

    @override
    def set_up(self, document: bytes, choices: Mapping[str, str], dice: Dice) -> S:
        """Return the first state of the file's battle, which throws nothing. Raises Refused as `read` does."""
        battle = battle_reader.read(self._battles.file_type, document)
        kept = document.decode("utf-8-sig") if battle.choices else ""
        state: S = self._system.begun(battle.setup(choices))
        return state.model_copy(update={"title": battle.title, "document": kept})

    def write(self, state: S, scenario: str, title: str, briefing: str = "") -> bytes:
        """Return the table as a battle file. Raises Refused in a game without positions."""
        if not state.keeps_positions:
            raise Refused(NO_FILE)
        return to_toml(to_file_data(self._battles.file_type, state, scenario, title, briefing)).encode()

    @property
    def schema(self) -> Mapping[str, Any]:
        """Return the JSON Schema of a battle's file."""
        file_type: type[Any] = self._battles.file_type
        return battle_reader.make_reader(file_type).schema

    @property
    def example(self) -> tuple[str, str]:
        """Return the file of the first battle that ships: its name and text."""
        first = next(iter(self._battles.all))
        return f"{first}.toml", self._battles.text(first)


class BareTable:
    """A bare table, and the armies put on it."""

    def __init__(self, battles: ScenarioFiles[Any]) -> None:
        self._battles = battles

    def document(self, words: Mapping[str, str], title: str) -> bytes:
        """Return the file of a table with nothing on it, which opens with its set-up. Raises Refused."""
        return to_toml(battle_of(words, title)).encode()

    @cached_property
    def army_book(self) -> ArmyBook:
        """The armies of the system's battles."""
        return ArmyBook(self._battles.file_type, self._battles.all)
