"""Battles and tables that people make themselves, in systems that support them."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Protocol

from .catalog import Scenario
from .dice import Dice
from .refusal import Refused
from .state import S

if TYPE_CHECKING:
    from .ruleset import Ruleset
    from .tabletop.army_book import ArmyBook
    from .tabletop.own_battles import BareTable

NO_BATTLES = "{system} takes no scenarios of your own. /scenario list shows those there are."
NOT_WRITTEN = "A game of {system} is not written as a scenario. /game export keeps it as it is."
NO_MAP_FILE = "A scenario of these rules is one file. Leave out the map's file."
NO_TABLE = "{system} is not played on a table in inches, so it has no bare table and no armies of your own."


class OwnBattles(Protocol[S]):
    """Reader and writer of battles as files."""

    def read(self, document: bytes) -> Scenario:
        """Return the scenario in a file. Raises Refused naming the place of every fault."""

    def set_up(self, document: bytes, choices: Mapping[str, str], dice: Dice) -> S:
        """Return the first state of the battle in a file. Raises Refused as `read` does."""

    def write(self, state: S, scenario: str, title: str, briefing: str = "") -> bytes:
        """Return the state as a scenario file with that id and title. Raises Refused if the state cannot be written."""

    @property
    def schema(self) -> Mapping[str, Any]:
        """Return the JSON Schema of a file."""

    def shipped_file(self, scenario: str) -> tuple[str, str] | None:
        """Return the name and text of a shipped scenario's file. None if players cannot write such a file."""

    join: Callable[[bytes, bytes], bytes] | None = None
    """Return a scenario's file and its map's file as one file. Raises Refused naming the faults in both files.

    None for a system whose scenarios have no separate map file.
    """


def require_own_battles(system: "Ruleset[S]") -> OwnBattles[S]:
    """Return the system's `own_battles`. Raises Refused if the system has none."""
    if system.own_battles is None:
        raise Refused(NO_BATTLES.format(system=system.title))
    return system.own_battles


def require_bare_tables(system: "Ruleset[Any]") -> "BareTable":
    """Return the system's `bare_tables`. Raises Refused if the system has no tables in inches."""
    if system.bare_tables is None:
        raise Refused(NO_TABLE.format(system=system.title))
    return system.bare_tables


def require_army_book(system: "Ruleset[Any]") -> "ArmyBook":
    """Return the system's army book. Raises Refused like `require_bare_tables`."""
    return require_bare_tables(system).army_book
