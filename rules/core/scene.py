"""Scenes: what to draw, as data. The drawing code depends on scenes, but on no rule system."""

from collections.abc import Iterable
from enum import StrEnum

from .model import Model
from .state import Side

Point = tuple[float, float]
"""Inches from the table's north-west corner: x to the east, y to the south."""
ALT_LIMIT = 1000
"""Maximum number of characters of a picture's description."""


class Ground(StrEnum):
    """Ground cover of the table."""

    DESERT = "desert"
    VELD = "veld"
    HILLS = "hills"
    GREEN = "green"


class Feature(StrEnum):
    """What a terrain piece is drawn as, such as a wood."""

    HILL = "hill"
    WOOD = "wood"
    ROUGH = "rough"
    RIVER = "river"
    ROAD = "road"
    EARTHWORKS = "earthworks"
    SANDBAGS = "sandbags"
    ZAREBA = "zareba"
    SANGAR = "sangar"
    BUILDING = "building"
    MARSH = "marsh"
    RAILWAY = "railway"


class TerrainPiece(Model):
    """A piece of terrain: an area if `closed`, else a line of `width` inches along `points`."""

    feature: Feature
    points: tuple[Point, ...]
    closed: bool = True
    width: float = 1.0
    name: str = ""


class Symbol(StrEnum):
    """Arm of service, as its map symbol."""

    INFANTRY = "infantry"
    CAVALRY = "cavalry"
    MOUNTED_INFANTRY = "mounted infantry"
    CAMELRY = "camelry"
    ARTILLERY = "artillery"
    MACHINE_GUN = "machine gun"
    ROCKET = "rocket"
    WAGON = "wagon"
    PACK = "pack"
    BOAT = "boat"
    GENERAL = "general"
    LEADER = "leader"
    IMAM = "imam"
    TANK = "tank"
    MALE_TANK = "Mark IV male"
    FEMALE_TANK = "Mark IV female"
    A7V = "A7V"
    MORTAR = "mortar"
    MARKER = "marker"


class StatusMarker(StrEnum):
    """A status drawn beside a unit, such as routed."""

    PINNED = "pinned"
    HALTED = "halted"
    NO_AMMUNITION = "out of ammunition"
    LOW_AMMUNITION = "low on ammunition"
    RETREATING = "retreating"
    ROUTED = "routed"
    PURSUING = "pursuing"
    JAMMED = "jammed"
    SQUARE = "in square"
    MELEE = "in melee"
    SKIRMISH = "skirmishing"
    OWES_TEST = "owes a test"
    SHAKEN = "shaken"
    DISORDERED = "disordered"
    DISRUPTED = "disrupted"
    COLLAPSED = "collapsed"
    GONE_TO_GROUND = "gone to ground"
    FANATIC = "in fanatic charge"
    OUT = "out for a turn"
    FIRED = "fired"
    LIMBERED = "limbered"
    BLACK_POWDER = "black powder"
    IMPROVED = "improved position"
    ORDERED = "ordered"
    BOGGED = "bogged"
    DITCHED = "ditched"


class DieFace(StrEnum):
    """The picture on a face of a picture die."""

    SOLDIER = "soldier"
    BURST = "burst"
    FLAG = "flag"
    HQ = "HQ"
    DEADLY = "Deadly Die"


class Figure(Model):
    """A single figure of a unit: the centre and size (inches) of its base, and its symbol."""

    at: Point
    symbol: Symbol
    frontage: float
    depth: float


class UnitBase(Model):
    """A unit on the table: centre, facing (degrees clockwise from north), frontage and depth in inches.

    Single `figures`, if any, are drawn instead of the base. `kills` are drawn in systems that count losses as kills, a
    `letter` on a marker (which may be a dummy). `in_the_way` marks a friend in a line of fire. A unit `hidden` from the
    opponents is drawn in outline. `has_plate` shows the unit's name, or `short` on a crowded map.
    """

    unit: str
    name: str
    short: str = ""
    side: str
    symbol: Symbol
    at: Point
    facing: float = 0.0
    frontage: float = 4.0
    depth: float = 1.5
    strength: str = ""
    kills: int = 0
    in_the_way: bool = False
    hidden: bool = False
    letter: str = ""
    markers: tuple[StatusMarker, ...] = ()
    figures: tuple[Figure, ...] = ()
    has_plate: bool = True


class Arrow(Model):
    """A move or attack between two points. Unknown kinds are drawn as moves.

    Besides `move`, `fire`, `melee` and `retreat`, there are `miss` (fire without effect), `past` (the part of a line of
    fire across a friend's base), `aim` (fire of a single figure), `barred` (a figure that cannot fire) and `duel` (two
    figures that fight man to man).
    """

    start: Point
    end: Point
    kind: str = "move"
    side: str = ""


class Fan(Model):
    """The area within reach of fire from `at`: `degrees` to either side of `facing`, up to `reach` inches."""

    at: Point
    facing: float
    degrees: float
    reach: float
    side: str = ""


class SightLines(Model):
    """Arcs and lines drawn over a table to show who can fire, or why fire is refused."""

    fans: tuple[Fan, ...] = ()
    arrows: tuple[Arrow, ...] = ()


class Goal(Model):
    """Ground that a side must hold at the end of the game: up to `within` inches from `at`."""

    side: str
    name: str
    at: Point
    within: float


class ListNumbers(Model):
    """Numbers of list items, drawn at one point of the picture. With item 1 (`first`), they are highlighted."""

    at: Point
    text: str
    first: bool = False


class TableScene(Model):
    """A table in inches as one viewer may see it. `alt` is the picture's description in words."""

    width: float
    height: float
    ground: Ground
    title: str
    subtitle: str = ""
    sides: tuple[Side, ...]
    terrain: tuple[TerrainPiece, ...] = ()
    bases: tuple[UnitBase, ...] = ()
    arrows: tuple[Arrow, ...] = ()
    fans: tuple[Fan, ...] = ()
    goals: tuple[Goal, ...] = ()
    numbers: tuple[ListNumbers, ...] = ()
    off_table: tuple[str, ...] = ()
    alt: str = ""


def write_alt_text(sides: Iterable[Side], heading: str, *versions: Iterable[tuple[str, str]]) -> str:
    """Return the heading and each side's units in words, at most ALT_LIMIT characters.

    `versions` describe the units as (side id, unit in words) pairs, the longest version first. The first that fits is
    used; if none fits, the last is cut.
    """
    names, text = {side.id: side.name for side in sides}, heading
    for version in versions:
        words_by_side: dict[str, list[str]] = {side: [] for side in names}
        for side, words in version:
            words_by_side[side].append(words)
        text = " ".join(
            (
                heading,
                *(
                    f"{names[side]}: {'; '.join(descriptions)}."
                    for side, descriptions in words_by_side.items()
                    if descriptions
                ),
            )
        )
        if len(text) <= ALT_LIMIT:
            return text
    return f"{text[: ALT_LIMIT - 1].rsplit(';', 1)[0]}…"
