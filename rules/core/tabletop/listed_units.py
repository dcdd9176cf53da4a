"""The sides, units and dummies of a battle's file."""

from collections.abc import Mapping
from typing import Annotated

from pydantic import AfterValidator, ConfigDict, Field

from rules.core.documents import require_visible_signs
from rules.core.model import Model
from rules.core.scene import Point

from .battle import Edge, Place

OneLine = Annotated[str, Field(min_length=1, pattern=r"^[^\x00-\x1f\x7f]+$"), AfterValidator(require_visible_signs)]
"""Text of one line without invisible characters."""
ShortText = Annotated[OneLine, Field(max_length=60)]
"""Text for a name or an id."""
MarkerLetters = bool | Annotated[str, Field(pattern=r"^[A-Z]{1,2}$")]
"""The letter or letters of a marker; `true` is the next free letter, and `false` means no marker."""


class ListedSide(Model):
    """A side of a scenario: the default facing of its units in degrees from north, and its edge of the table."""

    model_config = ConfigDict(frozen=True, allow_inf_nan=False)

    id: ShortText
    name: ShortText
    facing: float = Field(ge=-360, le=360)
    home: Edge | None = None


class ListedDummy(Model):
    """A marker without a unit: its side, its place in inches, and its letter, or `true` for the next free letter."""

    model_config = ConfigDict(frozen=True, allow_inf_nan=False)

    side: str
    at: Point
    facing: float | None = None
    marker: MarkerLetters = True

    def place(self, default_facing: float) -> Place:
        """Return the marker's place. `default_facing` is the default facing of its side in degrees."""
        return Place(x=self.at[0], y=self.at[1], facing=default_facing if self.facing is None else self.facing)


class ListedUnit(Model):
    """A unit of a battle: troops, place in inches, and the unit's fields that differ from its troops.

    A unit attached to a host gives no place, because it stands with its host. A `hidden` unit is in ambush, or off the
    table if it gives no place. With `marker` it lies under the marker of that letter, or of the next free letter
    (`true`). With `only` the unit takes part if each choice named has one of the options given.
    """

    model_config = ConfigDict(frozen=True, extra="allow", allow_inf_nan=False)

    id: ShortText
    name: ShortText
    side: str
    troops: str
    at: Point | None = None
    facing: float | None = None
    hidden: bool = False
    marker: MarkerLetters = False
    only: Mapping[str, tuple[str, ...]] = Field(default_factory=dict)

    def is_chosen_by(self, choices: Mapping[str, str]) -> bool:
        """Whether the unit takes part in the battle under these choices."""
        return all(choices[name] in values for name, values in self.only.items())

    def can_both_take_part(self, other: "ListedUnit") -> bool:
        """Whether some choices bring both this unit and `other` into the battle."""
        return all(set(values) & set(other.only.get(name, values)) for name, values in self.only.items())

    def place(self, default_facing: float) -> Place | None:
        """Return the unit's place, or None if the line gives none. `default_facing` is the side's facing in degrees."""
        facing = default_facing if self.facing is None else self.facing
        return Place(x=self.at[0], y=self.at[1], facing=facing) if self.at else None
