"""Sample scenes: two battle lines in contact, and a scene with one of everything."""

from rules.core.scene import (
    Arrow,
    Feature,
    Ground,
    StatusMarker,
    Symbol,
    TableScene,
    TerrainPiece,
    UnitBase,
)
from rules.core.short_names import abbreviate_names
from rules.core.state import Side

BRITISH = Side(id="british", name="British", index=0)
MAHDIST = Side(id="mahdist", name="Osman Digna", index=1)


def create_piece(
    feature: Feature, *points: tuple[float, float], closed: bool = True, width: float = 1.0, name: str = ""
):
    return TerrainPiece(feature=feature, points=points, closed=closed, width=width, name=name)


def create_base(
    name: str,
    side: str,
    symbol: Symbol,
    x: float,
    y: float,
    facing: float,
    strength: str,
    *markers: StatusMarker,
    frontage: float = 4.0,
    depth: float = 1.3,
    kills: int = 0,
):
    return UnitBase(
        unit=name.casefold().replace(" ", "-"),
        name=name,
        short=abbreviate_names([name])[name],
        side=side,
        symbol=symbol,
        at=(x, y),
        facing=facing,
        frontage=frontage,
        depth=depth,
        strength=strength,
        kills=kills,
        markers=markers,
    )


TERRAIN = (
    create_piece(Feature.HILL, (46, 4), (60, 3), (66, 9), (62, 16), (52, 15), (45, 10), name="Hashin Ridge"),
    create_piece(Feature.HILL, (4, 6), (12, 3), (17, 8), (13, 14), (5, 13), name="Dihilbat"),
    create_piece(Feature.WOOD, (24, 4), (33, 3), (36, 9), (28, 12), (22, 9), name="Mimosa scrub"),
    create_piece(Feature.ROUGH, (55, 26), (64, 24), (67, 31), (58, 33)),
    create_piece(
        Feature.RIVER,
        (0, 40),
        (14, 38),
        (26, 42),
        (40, 40),
        (52, 45),
        (60, 48),
        closed=False,
        width=2.0,
        name="Khor Ghob",
    ),
    create_piece(Feature.MARSH, (56, 39), (68, 38), (70, 44), (62, 46)),
    create_piece(Feature.ROAD, (0, 30), (20, 29), (44, 34), (72, 34), closed=False, width=1.2),
    create_piece(Feature.RAILWAY, (66, 48), (67, 30), (70, 0), closed=False),
    create_piece(Feature.ZAREBA, (14, 30), (26, 30), (26, 37), (14, 37), name="McNeill’s zareba"),
    create_piece(Feature.EARTHWORKS, (40, 18), (48, 20), (56, 19), closed=False),
    create_piece(Feature.SANDBAGS, (17, 32), (21, 32), (21, 35), (17, 35)),
    create_piece(Feature.SANGAR, (8, 17), (10, 16), (12, 17), closed=False),
    create_piece(Feature.BUILDING, (6, 33), (9, 33), (9, 35.5), (6, 35.5), name="Tofrek"),
    create_piece(Feature.BUILDING, (4, 36), (6, 35.6), (6.4, 37.4), (4.4, 37.8)),
)

INF, CAV, GUN = Symbol.INFANTRY, Symbol.CAVALRY, Symbol.ARTILLERY

BASES = (
    create_base(
        "1st Bn Royal Berkshire Regiment",
        "british",
        INF,
        20,
        30.6,
        0,
        "21",
        StatusMarker.PINNED,
        StatusMarker.OWES_TEST,
    ),
    create_base("Royal Marine Light Infantry", "british", INF, 24.4, 30.6, 0, "18", StatusMarker.MELEE),
    create_base("15th Sikhs", "british", INF, 28.8, 30.6, 0, "24", StatusMarker.FIRED),
    create_base(
        "17th Bengal Native Infantry",
        "british",
        INF,
        33.2,
        30.8,
        5,
        "15",
        StatusMarker.HALTED,
        StatusMarker.LOW_AMMUNITION,
    ),
    create_base("28th Bombay Native Infantry", "british", INF, 37.6, 31.4, 10, "22", StatusMarker.SQUARE),
    create_base("Schützenkompanie", "british", INF, 42, 32.6, 14, "20", StatusMarker.SKIRMISH, frontage=5),
    create_base(
        "5th Lancers",
        "british",
        CAV,
        47,
        35,
        30,
        "12",
        StatusMarker.PURSUING,
        StatusMarker.BLACK_POWDER,
        frontage=3.6,
        depth=1.5,
    ),
    create_base("20th Hussars", "british", CAV, 8, 27, 330, "9", StatusMarker.NO_AMMUNITION, frontage=3.6, depth=1.5),
    create_base("Mounted Infantry", "british", Symbol.MOUNTED_INFANTRY, 11, 32, 300, "12", frontage=3.6, depth=1.5),
    create_base("Camel Corps", "british", Symbol.CAMELRY, 52, 38, 45, "10", frontage=3, depth=1.5),
    create_base(
        "Royal Horse Artillery", "british", GUN, 31, 33.5, 0, "4", StatusMarker.IMPROVED, frontage=1.5, depth=1.5
    ),
    create_base(
        "Gardner gun", "british", Symbol.MACHINE_GUN, 35.5, 34, 0, "3", StatusMarker.JAMMED, frontage=1.5, depth=1.5
    ),
    create_base(
        "Rocket trough", "british", Symbol.ROCKET, 27, 34, 350, "2", StatusMarker.LIMBERED, frontage=1.5, depth=1.5
    ),
    create_base("Sir John McNeill", "british", Symbol.GENERAL, 22, 34, 0, "", frontage=1.0, depth=1.0),
    create_base("Supply wagon", "british", Symbol.WAGON, 17, 35.5, 90, "", frontage=1.5, depth=2),
    create_base("Ammunition mules", "british", Symbol.PACK, 20, 36, 270, "", frontage=1.5, depth=2),
    create_base("Baggara horse", "mahdist", CAV, 12, 22, 160, "17", StatusMarker.DISRUPTED, frontage=4.5, depth=1.5),
    create_base(
        "Hadendowa, 1st warband", "mahdist", INF, 18, 24, 175, "31", StatusMarker.COLLAPSED, frontage=6, depth=1.8
    ),
    create_base(
        "Hadendowa, 2nd warband", "mahdist", INF, 24.4, 28.9, 180, "27", StatusMarker.MELEE, frontage=6, depth=1.8
    ),
    create_base(
        "Hadendowa, 3rd warband",
        "mahdist",
        INF,
        31,
        25,
        185,
        "36",
        StatusMarker.FANATIC,
        kills=3,
        frontage=6,
        depth=1.8,
    ),
    create_base("Amarar", "mahdist", INF, 37.5, 24, 190, "22", StatusMarker.RETREATING, frontage=6, depth=1.8),
    create_base("Bisharin", "mahdist", INF, 45, 27, 200, "11", StatusMarker.ROUTED, frontage=5, depth=1.8),
    create_base(
        "Jihadiyya riflemen", "mahdist", INF, 47, 19, 180, "24", StatusMarker.GONE_TO_GROUND, frontage=5, depth=1.2
    ),
    create_base("Captured Krupp gun", "mahdist", GUN, 53, 18, 185, "4", frontage=1.5, depth=1.5),
    create_base("Osman Digna", "mahdist", Symbol.GENERAL, 30, 20, 180, "", StatusMarker.OUT, frontage=1, depth=1),
    create_base("The Imam", "mahdist", Symbol.IMAM, 22, 20, 180, "", frontage=1, depth=1),
    create_base("Camelmen", "mahdist", Symbol.CAMELRY, 59, 23, 225, "14", StatusMarker.SHAKEN, frontage=4, depth=1.5),
    create_base("Dhow", "mahdist", Symbol.BOAT, 40, 40, 270, "6", StatusMarker.DISORDERED, frontage=1.5, depth=3),
)

ARROWS = (
    Arrow(start=(25, 22), end=(24.4, 28.9), kind="move", side="mahdist"),
    Arrow(start=(55, 42), end=(47, 35), kind="move", side="british"),
    Arrow(start=(37.6, 31.4), end=(37.5, 24), kind="fire", side="british"),
    Arrow(start=(43.5, 31), end=(45, 27), kind="retreat", side="mahdist"),
    Arrow(start=(24.4, 30.6), end=(24.4, 28.9), kind="melee", side="british"),
)

BATTLE = TableScene(
    width=72,
    height=48,
    ground=Ground.DESERT,
    title="Suakin 1885 — turn 3, British",
    subtitle="Tofrek: the zareba is attacked before it is finished",
    sides=(BRITISH, MAHDIST),
    terrain=TERRAIN,
    bases=BASES,
    arrows=ARROWS,
    off_table=("Hadendowa, 4th warband (destroyed)", "9th Bengal Cavalry (left the field)"),
    alt="British in line behind the zareba; three warbands come on from the north.",
)
EMPTY = TableScene(
    width=72, height=48, ground=Ground.VELD, title="Colenso 1899 — turn 1, Boers", sides=(BRITISH, MAHDIST)
)
