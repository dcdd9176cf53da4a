"""A system's catalog: troops, scenarios, meanings of terrain, and explanations of automatic decisions."""

from enum import StrEnum

from rules.core.hexboard.hex_scene import Scene

from .model import Cite, Model
from .report import Step


class Troop(Model):
    """A kind of troops that a question without a game may name (`/morale rules: troop:`)."""

    id: str
    name: str

    @property
    def words(self) -> tuple[str, ...]:
        """Return further words by which the troops are known."""
        return ()


class ScenarioChoice(Model):
    """A choice that a scenario leaves to the players: its options, its default, and the side whose army it concerns."""

    name: str
    question: str
    options: tuple[str, ...]
    default: str
    side: str = ""


class Scenario(Model):
    """The facts that lists of scenarios show. `turns` is the number of turns, or None if unlimited."""

    id: str
    title: str
    briefing: str
    sides: tuple[str, ...]
    choices: tuple[ScenarioChoice, ...] = ()
    turns: int | None = None


class TerrainAspect(StrEnum):
    """An aspect of play that terrain may affect, such as cover."""

    MOVEMENT = "movement"
    SIGHT = "sight"
    COVER = "cover"
    MELEE = "melee"
    CONDUCT = "conduct"
    WORKS = "works"


class TerrainEffect(Model):
    """The effect of terrain on one aspect of play, in a few words, with its rule."""

    matter: TerrainAspect
    words: str
    cite: Cite

    def __str__(self) -> str:
        """Return the effect in words, such as `cover: fire is halved`."""
        return f"{self.matter}: {self.words}"


class DecisionExplanation(Model):
    """The explanation of an automatic side's decision: lines with rules, and a picture.

    If `newest`, only consequences of the decision have happened since, and the umpire may overrule the decision.
    """

    title: str
    lines: tuple[Step, ...] = ()
    scene: Scene | None = None
    newest: bool = False
