"""Requests of the page to change the table by hand. Each request becomes the action of a command in the chat."""

from collections.abc import Sequence
from typing import Annotated, Any, ClassVar, Literal, TypeAlias

from pydantic import Field

from bot.games.correction_actions import make_correction, make_removal
from bot.games.marker_actions import make_hiding_actions, make_marker_action
from bot.journal.game import Game
from rules.core.hexboard.painting import PAINT
from rules.core.refusal import Refused
from rules.core.state import Action
from rules.core.tabletop.battle import TableState
from rules.core.tabletop.set_up import NOT_NOW
from rules.core.tabletop.strokes import trace_line, trace_outline, write_points
from rules.core.tabletop.terrain import LEAST, LONGEST, MOST, Shape

from .orders import RequestBody, Word
from .sessions import PageSeat

MOST_STROKE = 3000
"""Maximum number of points of a drawn stroke."""
MOST_PAINTED = 9000
"""Maximum number of characters that name the hexes of a stroke of paint."""
Inches = Annotated[float, Field(ge=-1000, le=1000, allow_inf_nan=False)]
Point = tuple[Inches, Inches]


class ManualChange(RequestBody):
    """Request to change the table by hand, by default by one action of the kind `kind` with these fields."""

    kind: ClassVar[str]

    def make_actions(self, seat: PageSeat) -> Sequence[Action]:
        """Return the actions of the change in the seat's game. Raises Refused."""
        return [seat.game.ruleset.parse(self.kind, self.model_dump(exclude={"do"}))]


class UnitCorrection(ManualChange):
    """Request by the umpire to correct a field of a unit or marker. `secret`: the field is hidden from players."""

    do: Literal["correct"]
    unit: Word
    field: Word
    value: Word
    secret: bool = False

    def make_actions(self, seat: PageSeat) -> Sequence[Action]:
        """Return the action. Raises Refused."""
        user = seat.session.user.id
        return [make_correction(seat.game, user, self.unit, self.field, self.value, secret=self.secret)]


class UnitRemoval(ManualChange):
    """Request to remove a unit or marker. Before the battle begins, a unit leaves the table but stays in the game."""

    do: Literal["remove"]
    unit: Word

    def make_actions(self, seat: PageSeat) -> Sequence[Action]:
        """Return the action. Raises Refused."""
        return [make_removal(seat.game, self.unit)]


class UnitDeployment(ManualChange):
    """Request to put a unit or marker anywhere on the table before the battle. `to` is a place as in `/move`."""

    do: Literal["deploy"]
    unit: Word
    to: Word

    def make_actions(self, seat: PageSeat) -> Sequence[Action]:
        """Return the action. Raises Refused once the battle has begun."""
        if not is_in_set_up(seat.game):
            raise Refused(NOT_NOW)
        kind = seat.game.ruleset.kind_meant_now(seat.state, "move", self.unit)
        return [seat.game.ruleset.parse(kind, {"unit": self.unit, "to": self.to})]


class UnitHiding(ManualChange):
    """Request to hide a unit. `marker` asks to put a new marker over the unit."""

    do: Literal["hide"]
    unit: Word
    marker: bool = False

    def make_actions(self, seat: PageSeat) -> Sequence[Action]:
        """Return the actions. Raises Refused."""
        if self.marker:
            return make_hiding_actions(seat.game, seat.session.user.id, self.unit)
        return [seat.game.ruleset.parse("hide", {"unit": self.unit})]


class UnitReveal(ManualChange):
    """Request to reveal a hidden unit, or to turn a marker over."""

    kind = "unhide"
    do: Literal["unhide"]
    unit: Word


class MarkerPlacement(ManualChange):
    """Request to put a dummy marker at a point."""

    do: Literal["marker"]
    side: Word
    at: Point

    def make_actions(self, seat: PageSeat) -> Sequence[Action]:
        """Return the action. Raises Refused."""
        place = seat.game.ruleset.places.locate(seat.state, f"{self.at[0]:g},{self.at[1]:g}", self.side)
        return [make_marker_action(seat.game, self.side, place)]


class GroundChange(ManualChange):
    """Request by the umpire to change the ground."""


class TerrainDrawing(GroundChange):
    """Request to add terrain drawn by hand: an area with the outline `stroke`.

    If `line` is true, `stroke` is the middle of a line `width` inches wide.
    """

    do: Literal["draw"]
    feature: Word
    line: bool
    stroke: Annotated[tuple[Point, ...], Field(max_length=MOST_STROKE)]
    width: Annotated[float, Field(ge=LEAST, le=MOST, allow_inf_nan=False)] | None = None
    name: Annotated[str, Field(max_length=LONGEST)] = ""

    def make_actions(self, seat: PageSeat) -> Sequence[Action]:
        """Return the action. Raises Refused for a stroke that is too small, and on a map of hexes."""
        table = require_table(seat.game)
        trace = trace_line if self.line else trace_outline
        points = write_points(trace(self.stroke, table.width, table.height))
        shape = Shape.LINE if self.line else Shape.POLYGON
        args = {"feature": self.feature, "shape": shape.value, "at": points, "name": self.name}
        return [seat.game.ruleset.parse("terrain_add", {**args, "width": self.width if self.line else None})]


class TerrainPieceMove(GroundChange):
    """Request to move a named piece of terrain. The middle of the piece moves to the point `to`."""

    do: Literal["move_piece"]
    piece: Word
    to: Point

    def make_actions(self, seat: PageSeat) -> Sequence[Action]:
        """Return the action. Raises Refused."""
        args = {"piece": self.piece, "to": f"{self.to[0]:g},{self.to[1]:g}"}
        return [seat.game.ruleset.parse("terrain_move", args)]


class TerrainPieceTurn(GroundChange):
    """Request to turn a named piece of terrain clockwise about its middle."""

    kind = "terrain_turn"
    do: Literal["turn_piece"]
    piece: Word
    degrees: Annotated[float, Field(ge=-360, le=360, allow_inf_nan=False)]


class TerrainPieceRemoval(GroundChange):
    """Request to remove a named piece of terrain from the table."""

    kind = "terrain_remove"
    do: Literal["remove_piece"]
    piece: Word


class HexPainting(GroundChange):
    """Request to paint a map of hexes with one stroke. `at` names the stroke's hexes or hexsides."""

    kind = PAINT
    do: Literal["paint"]
    what: Word
    at: Annotated[str, Field(max_length=MOST_PAINTED)]
    name: Annotated[str, Field(max_length=LONGEST)] = ""


Change: TypeAlias = Annotated[
    UnitCorrection
    | UnitRemoval
    | UnitDeployment
    | UnitHiding
    | UnitReveal
    | MarkerPlacement
    | TerrainDrawing
    | TerrainPieceMove
    | TerrainPieceTurn
    | TerrainPieceRemoval
    | HexPainting,
    Field(discriminator="do"),
]


class PreviewRequest(RequestBody):
    """Request to preview a change."""

    change: Change


class ChangeRequest(RequestBody):
    """Request to make a change: the one previewed under `tag`, or else while the game is at `progress`."""

    change: Change
    tag: Word = ""
    progress: Word = ""


def is_in_set_up(game: Game) -> bool:
    """Whether the game is a battle on a table whose set-up has not ended yet."""
    return isinstance(game.state, TableState) and game.state.setting_up is not None


def require_table(game: Game) -> TableState[Any]:
    """Return the state of a game on a table in inches. Raises Refused on a map of hexes."""
    if not isinstance(game.state, TableState):
        raise Refused(f"{game.ruleset.title} is played on hexes: its ground is printed on the map.")
    return game.state
