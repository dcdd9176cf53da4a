"""Sample hex map with every terrain, and counters, notes and tracks of every kind."""

from render.geometry import Box
from render.hexmap.plane import box_around_hexes
from rules.core.hexboard.hex_scene import (
    Counter,
    HexBoard,
    HexCell,
    HexGround,
    HexLine,
    HexName,
    HexNote,
    HexScene,
    HexStack,
    NoteKind,
    Track,
)
from rules.core.hexboard.hexes import Hex
from rules.core.scene import Feature, StatusMarker, Symbol
from rules.core.state import Side

COLUMNS, ROWS = range(15, 43), range(1, 23)
SHORE = dict(
    zip(COLUMNS, (7, 7, 7, 8, 8, 8, 8, 8, 8, 7, 7, 7, 7, 6, 6, 6, 6, 5, 5, 4, 4, 4, 4, 4, 3, 4, 99, 99), strict=True)
)
"""Row of the first land hex, by column."""
PLACES = {
    "1909": "Customs house",
    "2109": "Kaiser Hotel",
    "1812": "Station",
    "2707": "Hospital",
    "3905": "Red House",
    "1908": "Jetty",
}
BEACHES = {"4006": "A", "3903": "B", "3804": "C"}
ENTRY = ("2516", "2515", "2514", "2513", "2512", "2511", "2411", "2410", "2309", "2209", "2208")


def get_ground(column: int, row: int) -> HexGround:
    """Return the terrain of a hex of the sample."""
    label = f"{column:02}{row:02}"
    if label in BEACHES or label in ("4007", "4008"):
        return HexGround.BEACH
    if row < SHORE[column]:
        return HexGround.SEA
    if label in PLACES:
        return HexGround.KEY_BUILDING
    if (17 <= column <= 22 and 8 <= row <= 10) or label in ("2309", "2310"):
        return HexGround.EUROPEAN_TOWN
    if 17 <= column <= 23 and 11 <= row <= 15:
        return HexGround.NATIVE_TOWN
    if column == 26 and 8 <= row <= 17:
        return HexGround.EMBANKMENT
    if column in (27, 28):
        return HexGround.OPEN
    if column == 30:
        return HexGround.DITCH
    if column >= 39 and row >= 14:
        return HexGround.MANGROVE
    if row >= 16:
        return HexGround.PALMS
    if 31 <= column <= 38 and row >= 7:
        return HexGround.PLANTATION
    if column < 17 or 24 <= column <= 25:
        return HexGround.CULTIVATION if row % 5 < 3 else HexGround.OPEN
    return HexGround.BUSH


def create_line(feature: Feature, *labels: str, name: str = "") -> HexLine:
    return HexLine(feature=feature, hexes=tuple(Hex.from_label(label) for label in labels), name=name)


BOARD = HexBoard(
    key="sample",
    cells=tuple(
        HexCell(hex=Hex.at(c, r), ground=get_ground(c, r), name=PLACES.get(f"{c:02}{r:02}", ""))
        for c in COLUMNS
        for r in ROWS
    ),
    lines=(
        create_line(
            Feature.ROAD,
            "3905",
            "3805",
            "3706",
            "3606",
            "3506",
            "3406",
            "3306",
            "3207",
            "3107",
            "3007",
            "2907",
            "2808",
            "2708",
            "2609",
            "2509",
            "2409",
            "2309",
            "2209",
            "2109",
            "2009",
            "1909",
        ),
        create_line(
            Feature.ROAD,
            "2009",
            "2010",
            "2011",
            "2012",
            "2013",
            "2014",
            "2015",
            "2016",
            "2017",
            "2018",
            "2019",
            "2020",
            "2021",
            "2022",
            name="Pangani road",
        ),
        create_line(
            Feature.RAILWAY,
            *(f"26{r:02}" for r in range(8, 18)),
            "2517",
            "2418",
            "2317",
            "2218",
            "2117",
            "2018",
            "1917",
            "1817",
            "1816",
            "1815",
            "1814",
            "1813",
            "1812",
            name="Usambara railway",
        ),
    ),
    names=(
        HexName(hex=Hex.from_label("2504"), name="Tanga Bay", water=True),
        HexName(hex=Hex.from_label("4111"), name="Indian Ocean", water=True),
        HexName(hex=Hex.from_label("2013"), name="Tanga"),
        HexName(hex=Hex.from_label("3411"), name="Rubber plantation"),
    ),
)
GERMAN = Side(id="german", name="Germans", index=1)
BRITISH = Side(id="british", name="British", index=0)


def create_company(
    letter: str,
    formation: str,
    factor: int,
    *markers: StatusMarker,
    symbol: Symbol = Symbol.INFANTRY,
    side: str = "british",
) -> Counter:
    return Counter(
        unit=f"{formation} {letter}".casefold().replace(" ", "-"),
        name=letter,
        side=side,
        symbol=symbol,
        left=str(factor),
        right="6" if symbol is Symbol.GENERAL else "4",
        formation=formation,
        markers=markers,
    )


BACK = Counter(unit="marker", name="Marker", side="british", face_down=True)


def create_stack(label: str, *counters: Counter) -> HexStack:
    return HexStack(hex=Hex.from_label(label), counters=counters)


def create_note(label: str, kind: NoteKind, text: str = "", side: str = "") -> HexNote:
    return HexNote(hex=Hex.from_label(label), kind=kind, text=text, side=side)


def create_track(kind: str, *labels: str, side: str = "british", text: str = "") -> Track:
    return Track(hexes=tuple(Hex.from_label(label) for label in labels), kind=kind, side=side, text=text)


GUN, LEADER = Symbol.MACHINE_GUN, Symbol.GENERAL
STACKS = (
    create_stack(
        "3308",
        create_company("A", "13 Raj", 5),
        create_company("B", "13 Raj", 5),
        BACK,
        create_company("Codrington", "13 Raj", 1, symbol=LEADER),
    ),
    create_stack("3309", create_company("C", "13 Raj", 5, StatusMarker.FIRED), create_company("D", "13 Raj", 5), BACK),
    create_stack("3210", create_company("E", "13 Raj", 5, StatusMarker.DISRUPTED), create_company("F", "13 Raj", 5)),
    create_stack("3411", create_company("G", "61 Pnr", 4, StatusMarker.RETREATING)),
    create_stack("3612", create_company("H", "61 Pnr", 4, StatusMarker.ROUTED, StatusMarker.COLLAPSED)),
    create_stack(
        "2812",
        create_company("A", "2 LNL", 6),
        create_company("B", "2 LNL", 6),
        create_company("C", "2 LNL", 6),
        create_company("Jourdain", "2 LNL", 2, symbol=LEADER),
        create_company("Robb", "2 LNL", 1, symbol=LEADER),
    ),
    create_stack("2912", create_company("MG", "2 LNL", 7, symbol=GUN)),
    create_stack(
        "4006",
        create_company("Stev.", "IEF B", 0, symbol=Symbol.PACK),
        create_company("28 Mtn", "IEF B", 6, symbol=Symbol.ARTILLERY),
    ),
    create_stack(
        "2611",
        create_company("1", "17. FK", 5, side="german"),
        create_company("MG", "17. FK", 7, symbol=GUN, side="german"),
        create_company("Adler", "17. FK", 1, symbol=LEADER, side="german"),
    ),
    create_stack("2612", create_company("2", "17. FK", 5, StatusMarker.FIRED, side="german")),
    create_stack("2613", create_company("3", "17. FK", 5, StatusMarker.DISRUPTED, side="german")),
    create_stack(
        "2309", create_company("1", "6. Sch.K", 6, side="german"), create_company("2", "6. Sch.K", 6, side="german")
    ),
    create_stack(
        "1812",
        create_company("1", "6. FK", 5, side="german"),
        create_company("2", "6. FK", 5, side="german"),
        create_company("3", "6. FK", 5, side="german"),
    ),
)
NOTES = (
    *(
        create_note(label, NoteKind.ENTRY_HEX, str(roll))
        for label, roll in zip(ENTRY, (7, 8, 9, 10, 11, 12, 2, 3, 4, 5, 6), strict=True)
    ),
    *(create_note(label, NoteKind.BEACH, letter) for label, letter in BEACHES.items()),
    *(create_note(f"26{row:02}", NoteKind.VICTORY) for row in range(8, 18)),
    create_note("2515", NoteKind.ENTRY, "13 Raj", "british"),
    create_note("2411", NoteKind.ENTRY, "61 Pnr", "british"),
    create_note("2611", NoteKind.IMPROVED, "", "german"),
    create_note("2610", NoteKind.IMPROVED, "", "german"),
    create_note("2613", NoteKind.OBJECTIVE, "", "british"),
)
TRACKS = (
    create_track("move", "3406", "3407", "3307", "3308"),
    create_track("move", "3010", "2911", "2912"),
    create_track("fire", "2812", "2612", text="hit"),
    create_track("miss", "2611", "2912", side="german", text="no effect"),
    create_track("retreat", "3211", "3311", "3412", "3411"),
    create_track("melee", "2309", "2408", side="german"),
)
SCENE = HexScene(
    board=BOARD,
    title="Tanga 1914 — turn 6, British",
    subtitle="The 13th Rajputs and the Loyal North Lancashires come up to the railway",
    sides=(BRITISH, GERMAN),
    stacks=STACKS,
    notes=NOTES,
    tracks=TRACKS,
    off_map=("1. FK (turn 4, by train)",),
    alt="The British come up to the embankment from the east; the 17th Field Company holds it.",
)
EMPTY = HexScene(board=BOARD, title="Tanga 1914", sides=(BRITISH, GERMAN))
CHOICE = SCENE.model_copy(
    update={
        "tracks": (),
        "notes": (
            create_note("2713", NoteKind.CHOSEN, "", "british"),
            create_note("2712", NoteKind.CANDIDATE),
            create_note("2711", NoteKind.CANDIDATE),
            create_note("2813", NoteKind.PUT_OUT, "2"),
            create_note("2811", NoteKind.PUT_OUT, "1"),
        ),
    }
)


def frame_hexes(*labels: str, room: float = 2.0) -> Box:
    """Return the area of the map around these hexes, with a margin of `room`."""
    return box_around_hexes(Hex.from_label(label) for label in labels).grow(room)
