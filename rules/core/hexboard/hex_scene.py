"""Scenes on hexes: data for drawing a map as one viewer may see it."""

from enum import StrEnum
from typing import TypeAlias

from rules.core.model import Model
from rules.core.scene import DieFace, Feature, StatusMarker, Symbol, TableScene
from rules.core.state import Side

from .hexes import Hex


class HexGround(StrEnum):
    """Ground cover of a hex, as drawn."""

    SEA = "sea"
    OPEN = "open"
    BEACH = "beach"
    CULTIVATION = "cultivation"
    PALMS = "palms"
    PLANTATION = "plantation"
    BUSH = "bush"
    DITCH = "ditch"
    MANGROVE = "mangrove"
    EMBANKMENT = "embankment"
    NATIVE_TOWN = "native town"
    EUROPEAN_TOWN = "European town"
    KEY_BUILDING = "key building"
    TRENCH = "trench"
    CRATERS = "shell craters"
    FOREST = "forest"
    BUILDING = "building"
    HILL = "hill"
    WATERWAY = "waterway"
    FORD = "ford"
    MOUNTAIN = "mountain"
    MARSH = "marsh"
    WOOD = "wood"


class HexCell(Model):
    """A hex with its ground cover, and the `name` of the place there, which is written on the map."""

    hex: Hex
    ground: HexGround
    name: str = ""
    letter: str = ""
    """Terrain letter of the map text, written over a photograph; empty if the terrain has no letter."""


class HexLine(Model):
    """A road or railway from centre to centre, or a ditch."""

    feature: Feature
    hexes: tuple[Hex, ...]
    name: str = ""


class HexName(Model):
    """A name written across the map (a bay, a town, a plantation). The middle of the name lies on `hex`."""

    hex: Hex
    name: str
    water: bool = False


class HexRiver(Model):
    """A river along hexsides. Each hexside is given by its two hexes."""

    sides: tuple[tuple[Hex, Hex], ...]


class HexCrossing(Model):
    """A ford or bridge over the river on a hexside."""

    side: tuple[Hex, Hex]
    is_bridge: bool


class HexBoard(Model):
    """The map without units and marks. `key` identifies the board: equal keys mean equal boards."""

    key: str
    cells: tuple[HexCell, ...]
    lines: tuple[HexLine, ...] = ()
    rivers: tuple[HexRiver, ...] = ()
    crossings: tuple[HexCrossing, ...] = ()
    telegraphs: tuple[tuple[Hex, ...], ...] = ()
    names: tuple[HexName, ...] = ()
    terrains: tuple[tuple[str, str], ...] = ()
    """Letters of the kinds of terrain on the map, with their names."""


class Counter(Model):
    """A counter. A `face_down` counter shows only its back: no symbol, factors or name."""

    unit: str
    name: str
    side: str
    symbol: Symbol | None = None
    left: str = ""
    """Lower left of the counter: the combat factor, a leader's bonus, or what `HexScene.left_is` says."""
    right: str = ""
    """Lower right of the counter: the movement factor."""
    middle: str = ""
    """Middle number on the counter: the range of a firing unit."""
    formation: str = ""
    """Short name of the unit's formation, written above the symbol (`13 Raj`)."""
    markers: tuple[StatusMarker, ...] = ()
    face_down: bool = False
    pips: int = 0
    """Number of dots drawn instead of a symbol, for a force of which the viewer knows only the size."""
    is_old: bool = False
    """Whether the counter shows an earlier sighting."""


class HexStack(Model):
    """Counters in one hex; the top counter is first."""

    hex: Hex
    counters: tuple[Counter, ...]


class NoteKind(StrEnum):
    """Kinds of marks on a hex."""

    ENTRY = "entry"
    """A formation's entry marker, with its short name."""
    ENTRY_HEX = "entry hex"
    """A hex of the entry table, marked lightly."""
    OBJECTIVE = "objective"
    BATTLE = "battle"
    """A battle is fought in the hex."""
    VICTORY = "victory"
    BEACH = "beach"
    """A landing beach, with its letter."""
    IMPROVED = "improved position"
    WIRE = "wire"
    """Barbed wire across the hex."""
    CHOSEN = "chosen"
    CANDIDATE = "candidate"
    PUT_OUT = "put out"
    """A candidate hex that a row of a chart rules out; `text` is the row's number."""


class HexNote(Model):
    """A mark on a hex, in the colour of its `side`, if given.

    `words` explain the mark in full. `battle` is the id of a battle in which the viewer takes part, or empty.
    """

    hex: Hex
    kind: NoteKind
    text: str = ""
    side: str = ""
    words: str = ""
    battle: str = ""


class TrackStop(Model):
    """A hex of a planned move, with the `time` of entry. `rest` is the name of the stage that ends in this hex."""

    hex: Hex
    time: str
    rest: str = ""


class Track(Model):
    """A line over hexes: a move along them, or a shot or blow from the first hex to the last.

    Shots and blows are `fire`, `miss` (fire without effect) and `melee`. Any other kind is drawn as a move; a
    `course` is a possible move into an empty hex.
    """

    hexes: tuple[Hex, ...]
    kind: str = "move"
    side: str = ""
    text: str = ""
    """Text beside the line: `hit`, `no effect`."""


class Course(Track):
    """A possible or planned move. `stops` lists the hexes whose time of entry is known."""

    kind: str = "course"
    stops: tuple[TrackStop, ...] = ()


class HexScene(Model):
    """A board with counters, marks and lines. `alt` describes the whole picture in words."""

    board: HexBoard
    title: str
    subtitle: str = ""
    sides: tuple[Side, ...]
    legend: tuple[Side, ...] = ()
    """Sides listed in the legend, if several of `sides` look alike. If empty, the legend lists `sides`."""
    stacks: tuple[HexStack, ...] = ()
    notes: tuple[HexNote, ...] = ()
    tracks: tuple[Course | Track, ...] = ()
    off_map: tuple[str, ...] = ()
    left_is: str = "combat factor"
    """Meaning of the lower left number on counters, for the legend."""
    dice: tuple[DieFace, ...] = ()
    """Faces of the last throw of picture dice, drawn below the title."""
    has_letters: bool = False
    """Whether terrain letters are always drawn over a photograph; if not, they are drawn only where they fit."""
    alt: str = ""


Scene: TypeAlias = TableScene | HexScene
"""Scene of a table or a hex map."""
