"""Unreadable games: the error for users, and stand-ins for the rule system and the state.

With the stand-ins, a game can still be listed, exported and ended. The stand-ins have no table and no rules. Everyone
has the public view, since hidden facts cannot be told apart.
"""

from collections.abc import Iterable, Mapping
from typing import Any, NoReturn

from typing_extensions import override

from bot.errors import UnreadableGame
from rules.core.report import Report
from rules.core.ruleset import Refused, Ruleset
from rules.core.state import Side, State
from rules.core.upgrades import NewerVersion

WAYS_OUT = (
    "/game log, /game report and /game export still show what everyone may read of it, and /game end makes room for "
    "another"
)
NO_TABLE = "The table of this game can no longer be read."


def make_unreadable_error(title: str, error: Exception | None) -> UnreadableGame:
    """Return an error with the reason and possible remedies. `error` is None for a missing rule system."""
    if error is None:
        needs = f"This game needs the rule system {title[:40]}, which this bot does not have"
        return UnreadableGame(f"{needs}: {WAYS_OUT}.")
    if isinstance(error, NewerVersion):
        return UnreadableGame(
            "A newer Umpire than this one has played this game: if the bot is being updated, try again in a minute; "
            f"else {WAYS_OUT}."
        )
    return UnreadableGame(f"The table of this game cannot be read: {WAYS_OUT}.")


class UnreadableRuleset(Ruleset[State]):
    """Stand-in for the rule system of an unreadable game. `system` is the real system, or None if it is missing."""

    state_type = State

    def __init__(self, ruleset: str, system: Ruleset[Any] | None) -> None:
        super().__init__()
        self.id = ruleset
        self.title = system.title if system is not None else ruleset
        self._system = system

    @property
    def version(self) -> int:
        """Version of the rule system, stored with the entry that ends the game."""
        return self._system.version if self._system is not None else 1

    def read_report(self, text: str, version: int) -> Report:
        """Parse a report with the real system if possible, else without upgrades. Raises ValueError."""
        if self._system is None or version > self._system.version:
            return Report.model_validate_json(text)
        return self._system.read_report(text, version)

    @override
    def upgrade_action(self, kind: str, args: Mapping[str, Any], version: int) -> tuple[str, Mapping[str, Any]]:
        """Return the action's kind without arguments, because any of the arguments may be secret."""
        return kind, {}

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        """Raise Refused, whatever the arguments."""
        raise Refused(NO_TABLE)

    setup = act = odds = scene = _refuse


def make_stand_in_state(ruleset: str, seats: Iterable[str], turn: int) -> State:
    """Return a stand-in for an unreadable state: only the seated sides and the turn number."""
    sides = tuple(Side(id=side, name=side, index=place) for place, side in enumerate(dict.fromkeys(seats)))
    active = sides[0].id if sides else ""
    return State(ruleset=ruleset, scenario=NO_TABLE, sides=sides, turn=turn, active=active)
