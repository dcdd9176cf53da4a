"""What a system lists: its troops and scenarios; and why a side that it plays did what it did."""

from rules.core.hexboard.hex_scene import Scene

from .model import Model
from .report import Step


class Troop(Model):
    """A kind of troops for the questions without a game (`/morale rules: troop:`)."""

    id: str
    name: str

    @property
    def words(self) -> tuple[str, ...]:
        """Words it is known by beside its name."""
        return ()


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
    """Why a side that the system plays did what it did: a line a filter or step, with its rule, and a picture.

    It is the `newest` where nothing was decided after it but what followed from it: it may perhaps be overruled.
    """

    title: str
    lines: tuple[Step, ...] = ()
    scene: Scene | None = None
    newest: bool = False
