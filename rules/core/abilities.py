"""What a rule system may be able to do beyond umpiring: play a side itself, say why, take scenarios of your own."""

from collections.abc import Mapping
from typing import Any, Generic, TypeVar

from .dice import Dice
from .hex_scene import Scene
from .model import Model, Viewer
from .refused import Refused
from .report import Step
from .state import Action, State

S = TypeVar("S", bound=State)


class Choice(Model):
    """Something a scenario's list leaves open, its options, the default, and the side whose army it is."""

    name: str
    question: str
    options: tuple[str, ...]
    default: str
    side: str = ""


class Scenario(Model):
    """A scenario as the lists show it."""

    id: str
    title: str
    briefing: str
    sides: tuple[str, ...]
    choices: tuple[Choice, ...] = ()
    turns: int | None = None


class Explained(Model):
    """Why a side that the system plays did what it did: a line a filter or step, with its rule, and a picture."""

    title: str
    lines: tuple[Step, ...] = ()
    scene: Scene | None = None


class Abilities(Generic[S]):
    """Each with a default that says no. Like the rest of a system, pure functions of their arguments."""

    title: str
    played_by_bot: str | None = None
    """Id of the side that the system itself plays. Then nobody sees what the umpire would: who has the chair has its
    rights, and sees what the players of the first other side see."""

    def tally(self, state: S) -> str:  # noqa: ARG002
        """How the game stands, by what decides it, in a sentence; nothing where that is not told."""
        return ""

    def lacks_hidden(self, state: S) -> bool:  # noqa: ARG002
        """Whether something hidden is unknown even to the game, and is drawn when it is shown.

        So it is after a player's file was taken in, which does not tell it.
        """
        return False

    def due(self, state: S) -> Action | None:  # noqa: ARG002
        """What the system does next by itself, with nobody asking; None where it waits for people. Quickly told.

        `act` does it, an entry of the journal each; in the end there must come a state where nothing is due.
        """
        return None

    def explain(self, state: S, viewer: Viewer, number: int | None) -> Explained | None:  # noqa: ARG002
        """Why the side played by the bot did what it did last: decision `number` of those kept (from 1), or the last.

        None where there was none. Raises Refused when there is no such decision.
        """
        return None

    def read_scenario(self, document: bytes) -> Scenario:  # noqa: ARG002
        """A scenario that somebody wrote, checked as a whole. Raises Refused with the place of what is wrong."""
        raise Refused(f"{self.title} takes no scenarios of your own. /scenario list shows those there are.")

    def setup_uploaded(self, document: bytes, choices: Mapping[str, str], dice: Dice) -> S:  # noqa: ARG002
        """The state that such a scenario starts from; `scenario` of it is the id it has there. Raises Refused."""
        raise Refused(f"{self.title} takes no scenarios of your own. /scenario list shows those there are.")

    def scenario_schema(self) -> Mapping[str, Any] | None:
        """The JSON Schema of a scenario's document; None where none is taken."""
        return None
