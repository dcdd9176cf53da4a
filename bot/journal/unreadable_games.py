"""Games that this program cannot read: what users are told, and a stand-in with which a game is still shown and ended.

A stand-in has no table and no rules. Everyone sees only what is public: what was hidden is shown to nobody.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from typing_extensions import override

from bot.errors import Unreadable
from rules.core.dice import Dice
from rules.core.hexboard.hex_scene import Scene
from rules.core.model import Viewer
from rules.core.odds import Odds
from rules.core.report import Report
from rules.core.ruleset import Refused, Ruleset
from rules.core.state import Action, Side, State
from rules.core.upgrades import NewerVersion

WAYS_OUT = (
    "/game log, /game report and /game export still show what everyone may read of it, and /game end makes room for "
    "another"
)
NO_TABLE = "The table of this game can no longer be read."


def explain_unreadable(title: str, error: Exception | None) -> Unreadable:
    """Return an error explaining why the game is unreadable, and possible remedies."""
    if error is None:
        return Unreadable(f"This game needs the rule system {title[:40]}, which this bot does not have: {WAYS_OUT}.")
    if isinstance(error, NewerVersion):
        return Unreadable(
            "A newer Umpire than this one has played this game: if the bot is being updated, try again in a minute; "
            f"else {WAYS_OUT}."
        )
    return Unreadable(f"The table of this game cannot be read: {WAYS_OUT}.")


class Unread(Ruleset[State]):
    """Stands for the rule system of a game that cannot be read; `known` is that system, where there is one."""

    state_type = State

    def __init__(self, ruleset: str, known: Ruleset[Any] | None) -> None:
        super().__init__()
        self.id = ruleset
        self.title = known.title if known is not None else ruleset
        self._known = known

    @property
    def version(self) -> int:
        """Version of the rule system, for the entry ending the game."""
        return self._known.version if self._known is not None else 1

    def read_report(self, text: str, version: int) -> Report:
        """Return the report as the system reads it, or as it stands. Raises ValueError."""
        if self._known is None or version > self._known.version:
            return Report.model_validate_json(text)
        return self._known.read_report(text, version)

    @override
    def upgrade_action(self, kind: str, args: Mapping[str, Any], version: int) -> tuple[str, Mapping[str, Any]]:
        """Return only the kind: which arguments were public is unknown."""
        return kind, {}

    @override
    def setup(self, scenario: str, choices: Mapping[str, str], dice: Dice) -> State:
        """Raise Refused, like every request about the table."""
        raise Refused(NO_TABLE)

    @override
    def act(self, state: State, action: Action, dice: Dice) -> tuple[State, Report]:
        """Raises Refused."""
        raise Refused(NO_TABLE)

    @override
    def odds(self, state: State, action: Action) -> Odds:
        """Raises Refused."""
        raise Refused(NO_TABLE)

    @override
    def scene(self, state: State, viewer: Viewer, before: State | None = None) -> Scene:
        """Raises Refused."""
        raise Refused(NO_TABLE)


def stand_in(ruleset: str, seats: Iterable[str], turn: int) -> State:
    """Return a stand-in for an unreadable state: seated sides and turn number."""
    sides = tuple(Side(id=side, name=side, index=place) for place, side in enumerate(dict.fromkeys(seats)))
    active = sides[0].id if sides else ""
    return State(ruleset=ruleset, scenario=NO_TABLE, sides=sides, turn=turn, active=active)
