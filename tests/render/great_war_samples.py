"""Sample battlefield of 1917: every terrain, wire, tanks of both sides, and dice."""

from collections.abc import Iterable

from rules.core.hexboard.hex_scene import (
    Counter,
    HexBoard,
    HexCell,
    HexGround,
    HexNote,
    HexScene,
    HexStack,
    NoteKind,
)
from rules.core.hexboard.hexes import Hex
from rules.core.scene import DieFace, StatusMarker, Symbol
from rules.core.state import Side

from .hex_samples import create_track

LETTERS = {
    ".": HexGround.OPEN,
    "t": HexGround.TRENCH,
    "c": HexGround.CRATERS,
    "f": HexGround.FOREST,
    "b": HexGround.BUILDING,
    "h": HexGround.HILL,
    "w": HexGround.WATERWAY,
    "o": HexGround.FORD,
}
FIELD = """
. f f . . . . . b b . .
. . f . t t t . b . . h
. t t t . c . t t . h h
t . c . c . . . . t t t
c . . c . c . . h . . .
. c . . . . c h h . c .
w . . b . . c . h . . .
. w o w w w . . . . c .
. . . . . w o w w w o w
t t . t t . t t . . f f
f . t . . t . . t t . f
"""
WIRE = "0502", "0602", "0304", "0403", "0804", "0904", "0703"
MUST = {"male": Symbol.MALE_TANK, "female": Symbol.FEMALE_TANK, "a7v": Symbol.A7V, "mg": Symbol.MACHINE_GUN}
MUST |= {"mortar": Symbol.MORTAR, "gun": Symbol.ARTILLERY, "inf": Symbol.INFANTRY}
FIGURES = {"a7v": ("2", "4", "2"), "male": ("1", "4", "2"), "female": ("1", "4", "2"), "mg": ("3", "5", "1")}
FIGURES |= {"mortar": ("2", "5", "1"), "gun": ("2", "6", "1"), "inf": ("4", "4", "2")}


def create_board() -> HexBoard:
    """Return the board, whose first hex is 0101."""
    rows = [line.split() for line in FIELD.strip().splitlines()]
    cells = [
        HexCell(hex=Hex.at(column, row), ground=LETTERS[letter], name="Flesquières" if (column, row) == (9, 2) else "")
        for row, line in enumerate(rows, 1)
        for column, letter in enumerate(line, 1)
    ]
    return HexBoard(key="a field of 1917", cells=tuple(cells))


def create_unit(
    label: str, side: str, kind: str, name: str, formation: str, *markers: StatusMarker, left: str = ""
) -> HexStack:
    """Return a stack with one unit in its hex."""
    full, reach, move = FIGURES[kind]
    counter = Counter(
        unit=f"{side}-{name}".casefold().replace(" ", "-"),
        name=name,
        side=side,
        symbol=MUST[kind],
        left=left or full,
        middle=reach,
        right=move,
        formation=formation,
        markers=markers,
    )
    return HexStack(hex=Hex.from_label(label), counters=(counter,))


def create_wire(labels: Iterable[str]) -> tuple[HexNote, ...]:
    """Return wire notes for these hexes."""
    return tuple(HexNote(hex=Hex.from_label(label), kind=NoteKind.WIRE) for label in labels)


BRITISH, GERMANS = Side(id="british", name="British", index=0), Side(id="german", name="Germans", index=1)
STACKS = (
    create_unit("0605", "british", "male", "Deborah", "D Bn", StatusMarker.ORDERED),
    create_unit("0406", "british", "female", "Damon", "D Bn", StatusMarker.BOGGED),
    create_unit("0806", "british", "male", "Duchess", "D Bn", StatusMarker.DITCHED),
    create_unit("0207", "british", "female", "Dolly", "D Bn", StatusMarker.ORDERED),
    create_unit("0506", "british", "inf", "A", "6 Sea", StatusMarker.ORDERED, left="3"),
    create_unit("0306", "british", "inf", "B", "6 Sea", StatusMarker.ORDERED),
    create_unit("0706", "british", "inf", "C", "6 Sea", left="2"),
    create_unit("0309", "british", "inf", "D", "6 Sea"),
    create_unit("0410", "british", "mg", "152", "MGC"),
    create_unit("0810", "british", "mortar", "1", "TMB"),
    create_unit("0711", "british", "gun", "C", "256 RFA"),
    create_unit("1007", "british", "inf", "A", "5 Gor"),
    create_unit("0504", "german", "inf", "1", "84 IR", left="2"),
    create_unit("0502", "german", "inf", "2", "84 IR"),
    create_unit("0302", "german", "inf", "3", "84 IR", left="1"),
    create_unit("0703", "german", "mg", "1", "84 IR"),
    create_unit("0404", "german", "mg", "2", "84 IR"),
    create_unit("0803", "german", "inf", "4", "84 IR"),
    create_unit("1003", "german", "mortar", "MW", "84 IR"),
    create_unit("0902", "german", "gun", "8", "108 FAR"),
    create_unit("0903", "german", "inf", "5", "84 IR"),
    create_unit("1005", "german", "a7v", "Mephisto", "Abt 1", StatusMarker.ORDERED),
    create_unit("1203", "german", "a7v", "Wotan", "Abt 1", left="1"),
    create_unit("0103", "german", "inf", "6", "84 IR"),
)
SCENE = HexScene(
    board=create_board(),
    title="Cambrai — turn 4, British, battle",
    subtitle="Deborah against the 1st company in close combat: 2 hits, 1 flag; the company is driven out of its trench",
    sides=(BRITISH, GERMANS),
    stacks=STACKS,
    notes=(*create_wire(WIRE), HexNote(hex=Hex.from_label("0902"), kind=NoteKind.VICTORY, side="german")),
    tracks=(
        create_track("move", "0607", "0606", "0605"),
        create_track("fire", "0404", "0306", side="german", text="1 figure"),
        create_track("melee", "0605", "0505", side="british", text="driven out"),
        create_track("retreat", "0505", "0504", side="german"),
    ),
    left_is="figures",
    dice=(DieFace.SOLDIER, DieFace.BURST, DieFace.FLAG, DieFace.DEADLY, DieFace.HQ),
    alt="Tanks of D Battalion come up to the trench before Flesquières.",
)
EMPTY = SCENE.model_copy(update={"stacks": (), "notes": (), "tracks": (), "dice": ()})
