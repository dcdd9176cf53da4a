"""Sample hex map of a country: mountain, marsh and wood, and a river on hexsides with ford and bridge."""

from rules.core.hexboard.hex_scene import HexBoard, HexCell, HexCrossing, HexGround, HexRiver, HexScene
from rules.core.hexboard.hexes import Hex

COLUMNS, ROWS = range(6), range(5)
GROUNDS = {0: HexGround.MOUNTAIN, 1: HexGround.HILL, 4: HexGround.WOOD, 5: HexGround.MARSH}
SIDES = tuple((Hex.at(2, row), Hex.at(3, next_row)) for row in ROWS for next_row in (row - 1, row) if next_row >= 0)


def create_country(*, rivers: bool = True, crossings: bool = True) -> HexScene:
    """Return the sample map, optionally without river, ford and bridge."""
    cells = tuple(
        HexCell(hex=Hex.at(column, row), ground=GROUNDS.get(column, HexGround.OPEN))
        for column in COLUMNS
        for row in ROWS
    )
    board = HexBoard(
        key=f"country {rivers} {crossings}",
        cells=cells,
        rivers=(HexRiver(sides=SIDES),) if rivers else (),
        crossings=(HexCrossing(side=SIDES[1], is_bridge=True), HexCrossing(side=SIDES[5], is_bridge=False))
        if crossings
        else (),
    )
    return HexScene(board=board, title="A country", sides=())


SCENE = create_country()
