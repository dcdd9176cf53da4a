"""The lines of a battle's file: its sides, and its units."""

from collections.abc import Mapping
from typing import Annotated

from pydantic import AfterValidator, ConfigDict, Field

from rules.core.documents import require_visible
from rules.core.model import Model
from rules.core.scene import Point

from .battle import Edge, Place

OneLine = Annotated[str, Field(min_length=1, pattern=r"^[^\x00-\x1f\x7f]+$"), AfterValidator(require_visible)]
"""One line of signs that are seen."""
ShortText = Annotated[OneLine, Field(max_length=60)]
"""A name or an id."""


MarkerLetters = bool | Annotated[str, Field(pattern=r"^[A-Z]{1,2}$")]
"""The letter of a marker; `true` is whichever comes next, and `false` none."""


class ListedSide(Model):
    """A side of a scenario, the way its units face unless they say otherwise, and its edge of the table."""

    model_config = ConfigDict(frozen=True, allow_inf_nan=False)

    id: ShortText
    name: ShortText
    facing: float = Field(ge=-360, le=360)
    home: Edge | None = None


class ListedDummy(Model):
    """A dummy marker: side, place, and letter, or the next letter (`true`)."""

    model_config = ConfigDict(frozen=True, allow_inf_nan=False)

    side: str
    at: Point
    facing: float | None = None
    marker: MarkerLetters = True

    def place(self, side_faces: float) -> Place:
        """Return where it lies."""
        return Place(x=self.at[0], y=self.at[1], facing=side_faces if self.facing is None else self.facing)


class ListedUnit(Model):
    """A unit of a list: named troops, where they stand, and fields of the unit that differ from the troops'.

    Who goes with another unit stands where that unit does and gives no place. One that is `hidden` lies in ambush, or
    off the table where it gives no place, and the other side knows nothing of it; with a `marker`, under the one of
    that letter, or of the next (`true`). With `only` it takes the field when each choice named has one of the values
    given.
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

    def is_chosen(self, choices: Mapping[str, str]) -> bool:
        """Whether the unit takes part under these choices."""
        return all(choices[name] in values for name, values in self.only.items())

    def can_meet(self, other: "ListedUnit") -> bool:
        """Whether some choices bring both units into play."""
        return all(set(values) & set(other.only.get(name, values)) for name, values in self.only.items())

    def place(self, side_faces: float) -> Place | None:
        """Return the unit's place, or None."""
        facing = side_faces if self.facing is None else self.facing
        return Place(x=self.at[0], y=self.at[1], facing=facing) if self.at else None
