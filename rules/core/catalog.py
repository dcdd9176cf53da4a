"""Catalog of a system: troops, scenarios, terrain kinds, and explanations of automatic decisions."""

from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum

from rules.core.hexboard.hex_scene import Scene

from .model import Cite, Model
from .report import Step
from .scene import Feature


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


class Matter(StrEnum):
    """What terrain may matter for."""

    MOVEMENT = "movement"
    SIGHT = "sight"
    COVER = "cover"
    MELEE = "melee"
    CONDUCT = "conduct"
    WORKS = "works"


class Meaning(Model):
    """Meaning of a terrain kind in one respect: short text and rule."""

    matter: Matter
    words: str
    cite: Cite

    def __str__(self) -> str:
        """`cover: fire is halved`."""
        return f"{self.matter}: {self.words}"


Meanings = Mapping[Feature, tuple[Meaning, ...]]
"""What each kind of terrain means, of those that mean anything."""


def meanings(of: Callable[[Feature], Iterable[Meaning]]) -> Meanings:
    """Every kind of which anything is said."""
    found = {feature: tuple(of(feature)) for feature in Feature}
    return {feature: said for feature, said in found.items() if said}


class Explained(Model):
    """Explanation of an automatic side's decision: lines with rules, and a picture.

    It is the `newest` where nothing was decided after it but what followed from it: it may perhaps be overruled.
    """

    title: str
    lines: tuple[Step, ...] = ()
    scene: Scene | None = None
    newest: bool = False
