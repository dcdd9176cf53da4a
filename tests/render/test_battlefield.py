"""Maps of the Great War: trenches and rivers join, tanks are distinguishable, dice are shown."""

import math
from itertools import combinations

import pytest
import shapely
from PIL import Image, ImageChops

from render.dice import FACES, die_size, die_sprite
from render.fixed_palette import APART, fixed_palette
from render.fonts import Face, font
from render.geometry import Box
from render.hexmap.counter_layout import visible_face
from render.hexmap.counters import ROOM, counter_sprite
from render.hexmap.heights import hill_contours
from render.hexmap.land_shapes import WATERS, KeyedBoard, land_shapes
from render.hexmap.legend import legend_rows
from render.hexmap.names import HEAD
from render.hexmap.network import link_hexes
from render.hexmap.picture import plan_picture, visible_part
from render.hexmap.plane import box_around_hexes, hex_centre
from render.hexmap.waters import water_area
from render.palette import PRINT_SIDES, SIDES
from render.replay import draw_replay
from render.scenes import draw, draw_image
from render.text_size import TELEPHONE, minimum_text_size
from render.tiles import TILES
from rules.core.hexboard.hex_scene import HexBoard, HexCell, HexGround, HexNote, HexScene, NoteKind
from rules.core.hexboard.hexes import Hex
from rules.core.scene import DieFace, StatusMarker, Symbol

from .great_war_samples import EMPTY, FIGURES, LETTERS, SCENE, create_unit
from .hex_samples import create_track
from .pictures import open_picture, record_texts

TANKS = Symbol.MALE_TANK, Symbol.FEMALE_TANK, Symbol.A7V
LEGIBLE = 22
"""Minimum size of a die in pixels on a telephone."""


def read_board(*rows: str) -> KeyedBoard:
    """Return a board from rows of terrain letters; the first hex is 0101."""
    cells = [
        HexCell(hex=Hex.at(column, row), ground=LETTERS[letter])
        for row, line in enumerate(rows, 1)
        for column, letter in enumerate(line.split(), 1)
    ]
    return KeyedBoard("/".join(rows), HexBoard(key="/".join(rows), cells=tuple(cells)))


def find_hexside_middle(first: str, second: str) -> shapely.Point:
    """Return the middle of the hexside between two hexes."""
    (ax, ay), (bx, by) = (hex_centre(Hex.from_label(label)) for label in (first, second))
    return shapely.Point((ax + bx) / 2, (ay + by) / 2)


def merge_lines(board: KeyedBoard, *kinds: HexGround) -> shapely.MultiLineString:
    return shapely.MultiLineString(link_hexes(board, frozenset(kinds)))


def test_a_trench_joins_every_neighbouring_trench_only() -> None:
    dug = merge_lines(read_board(". . . . .", ". t t . .", ". . . t .", ". . . . ."), HexGround.TRENCH)
    assert dug.distance(find_hexside_middle("0202", "0302")) < 0.01
    assert dug.distance(find_hexside_middle("0302", "0403")) < 0.01
    assert dug.distance(find_hexside_middle("0202", "0102")) > 0.1
    assert dug.distance(find_hexside_middle("0403", "0404")) > 0.1
    alone = merge_lines(read_board(". . .", ". t .", ". . ."), HexGround.TRENCH)
    assert 0.6 < alone.length < 1


def test_a_line_at_the_edge_of_the_map_runs_off_it() -> None:
    keyed_board = read_board(". . .", "w w w", ". . .")
    reached, board = (
        merge_lines(keyed_board, HexGround.WATERWAY).bounds,
        box_around_hexes(cell.hex for cell in keyed_board.board.cells),
    )
    west, east = hex_centre(Hex.from_label("0102"))[0], hex_centre(Hex.from_label("0302"))[0]
    assert west - reached[0] > 0.5
    assert reached[2] - east > 0.5
    assert reached[0] >= board.left - 0.3


def test_a_line_that_ends_beside_the_edge_of_the_map_bends_off_it() -> None:
    board = read_board(". . .", ". . .", ". . w", ". . w", ". . w", ". . .")
    east = max(x for line in link_hexes(board, WATERS) for x, _ in line)
    assert east - hex_centre(Hex.from_label("0303"))[0] > 0.5


def test_a_trench_alone_lies_as_the_others_do() -> None:
    lone = [
        max(merge_lines(read_board(*rows), HexGround.TRENCH).geoms, key=lambda line: line.bounds[2]).bounds
        for rows in ((". t . . t .", ". t . . . .", ". . . . . ."), (". . . . t .", ". . . . . .", "t t . . . ."))
    ]
    assert [right - left > bottom - top for left, top, right, bottom in lone] == [False, True]


def test_six_trenches_round_a_hex_form_a_ring_but_three_do_not() -> None:
    corner = merge_lines(read_board(". . . .", ". t t .", ". t . .", ". . . ."), HexGround.TRENCH)
    assert shapely.polygonize(list(corner.geoms)).is_empty
    ring = dict.fromkeys(Hex.from_label("0303").neighbours(), HexGround.TRENCH)
    cells = tuple(
        HexCell(hex=at, ground=ring.get(at, HexGround.OPEN))
        for at in (Hex.at(c, r) for c in range(6) for r in range(6))
    )
    strongpoint = merge_lines(KeyedBoard("ring", HexBoard(key="ring", cells=cells)), HexGround.TRENCH)
    assert len(shapely.polygonize(list(strongpoint.geoms)).geoms) == 1


def test_neighbouring_hills_are_one_height() -> None:
    joined = hill_contours(read_board(". . . . .", ". h h . h", ". . . . ."))[0]
    parts = shapely.get_parts(joined)
    assert len(parts) == 2
    assert joined.contains(find_hexside_middle("0202", "0302"))
    assert not joined.contains(find_hexside_middle("0402", "0502"))


def test_a_waterway_is_one_water_with_its_fords() -> None:
    wet = water_area(read_board(". . . . .", "w w o . .", ". . . w w"))
    assert len(shapely.get_parts(wet)) == 1
    for first, second in (("0102", "0202"), ("0202", "0302"), ("0302", "0403"), ("0403", "0503")):
        assert wet.contains(find_hexside_middle(first, second)), (first, second)
    assert not wet.contains(find_hexside_middle("0301", "0302"))


def test_the_hexes_of_a_trench_join_in_the_picture_too() -> None:
    dark = []
    for key, ground in (("joined", HexGround.TRENCH), ("not", HexGround.OPEN)):
        cells = tuple(
            cell.model_copy(update={"ground": ground}) if cell.hex.label == "0602" else cell
            for cell in EMPTY.board.cells
        )
        scene = EMPTY.model_copy(update={"board": HexBoard(key=f"trench {key}", cells=cells)})
        area = Box(3, 0, 8, 5)
        image, view = draw_image(scene, area=area), plan_picture(scene, area, "campaign").view
        x, y = view.pixel(find_hexside_middle("0502", "0602").coords[0])
        dark.append(sum(image.crop((int(x) - 12, int(y) - 12, int(x) + 12, int(y) + 12)).convert("L").histogram()[:90]))
    assert dark[0] > dark[1] + 40


def draw_counter(kind: str, *markers: StatusMarker, size: int = 40) -> Image.Image:
    return counter_sprite(visible_face(create_unit("0101", "a", kind, "", "", *markers).counters[0]), SIDES[0], size)


@pytest.mark.parametrize("size", [40, 76])
def test_arms_are_distinguishable_on_a_small_counter(size: int) -> None:
    counters = {kind: draw_counter(kind, size=size) for kind in FIGURES}
    for first, second in combinations(counters, 2):
        difference = ImageChops.difference(counters[first].convert("L"), counters[second].convert("L"))
        middle = difference.crop((0, round(size * (ROOM + 0.2)), difference.width, round(size * (ROOM + 0.7))))
        assert sum(middle.histogram()[60:]) > size * size // 50, (first, second)


def test_a_tank_takes_most_of_its_counter_and_stays_on_it() -> None:
    size = 80
    for symbol in (*TANKS, Symbol.INFANTRY):
        blank, tank = (
            counter_sprite(
                visible_face(create_unit("0101", "a", "inf", "", "").counters[0])._replace(symbol=sign),
                SIDES[0],
                size,
            )
            for sign in (None, symbol)
        )
        box = ImageChops.difference(blank.convert("RGB"), tank.convert("RGB")).getbbox()
        assert box is not None
        assert (box[2] - box[0] > size * 0.7) is (symbol in TANKS)
        assert box[0] > size * ROOM
        assert box[2] < size * (1 + ROOM)


def test_damage_signs_hide_neither_a_tank_nor_its_figures() -> None:
    size = 80
    counters = [
        draw_counter("male", *markers, size=size) for markers in ((), (StatusMarker.BOGGED, StatusMarker.ORDERED))
    ]
    below = (0, round(size * (ROOM + 0.3)), counters[0].width, counters[0].height)
    assert counters[0].crop(below).tobytes() == counters[1].crop(below).tobytes()
    assert counters[0].tobytes() != counters[1].tobytes()


@pytest.mark.parametrize("part", ["the whole map", "a few hexes"])
def test_wire_leaves_the_number_of_its_hex_free(part: str) -> None:
    at = Hex.from_label("0704")
    wired = EMPTY.model_copy(update={"notes": (HexNote(hex=at, kind=NoteKind.WIRE),)})
    area = None if part == "the whole map" else box_around_hexes([at]).grow(2)
    bare, fenced = draw_image(EMPTY, area=area), draw_image(wired, area=area)
    sheet = plan_picture(EMPTY, area, "campaign")
    x, y = sheet.view.pixel((hex_centre(at)[0], hex_centre(at)[1] - HEAD))
    left, top, right, bottom = font(Face.PLAIN, sheet.text_size).getbbox("0704", anchor="mm", stroke_width=1)
    number = round(x + left), round(y + top), round(x + right), round(y + bottom)
    assert ImageChops.difference(bare.crop(number), fenced.crop(number)).getbbox() is None
    assert ImageChops.difference(bare, fenced).getbbox() is not None


@pytest.mark.parametrize("size", [LEGIBLE, 100])
def test_faces_of_a_die_are_distinguishable(size: int) -> None:
    assert set(FACES) == set(DieFace)
    for first, second in combinations(DieFace, 2):
        difference = ImageChops.difference(die_sprite(first, size).convert("L"), die_sprite(second, size).convert("L"))
        assert sum(difference.histogram()[50:]) > size * size // 20, (first, second)


def create_dice_scene(count: int) -> HexScene:
    return SCENE.model_copy(update={"dice": tuple(list(DieFace)[number % 5] for number in range(count))})


@pytest.mark.parametrize(("area", "count"), [(None, 5), (Box(2, 2, 7, 7), 1), (Box(2, 2, 7, 7), 30)])
def test_dice_stand_under_the_title_and_are_legible_on_a_telephone(area: Box | None, count: int) -> None:
    without, with_dice = draw_image(create_dice_scene(0), area=area), draw_image(create_dice_scene(count), area=area)
    sheets = [plan_picture(scene, area, "campaign") for scene in (create_dice_scene(0), create_dice_scene(count))]
    assert with_dice.size == (sheets[1].width, sheets[1].height)
    lower = with_dice.height - without.height
    head = sheets[0].strip_top
    map_part = without.crop((0, head, without.width, without.height))
    assert (
        ImageChops.difference(map_part, with_dice.crop((0, head + lower, with_dice.width, with_dice.height))).getbbox()
        is None
    )
    size = die_size(with_dice.width)
    assert size * TELEPHONE >= LEGIBLE * with_dice.width
    assert lower >= size * math.ceil(count / 15)
    strip = ImageChops.difference(
        with_dice.crop((0, sheets[1].strip_top, with_dice.width, sheets[1].strip_top + lower)),
        Image.new("RGB", (with_dice.width, lower), with_dice.getpixel((2, 2))),
    ).getbbox()
    assert strip is not None
    assert strip[2] < with_dice.width - 40
    assert strip[2] - strip[0] > min(count, 5) * size * 0.9


def test_the_legend_explains_the_first_figure() -> None:
    rows = legend_rows(SCENE, visible_part(SCENE, None), "campaign", 1100, 21, grounds=True, ranges=True)
    words = [entry.word for row in rows for entry in row]
    assert "figures ◂range▸ movement" in words
    assert {"wire", "trench", "shell craters", "ford", "ordered", "bogged", "ditched"} <= set(words)


def test_a_battlefield_does_not_depend_on_earlier_pictures() -> None:
    area, pictures = Box(2, 2, 7, 7), set()
    for earlier in (None, Box(3, 3, 9, 9)):
        for cache in (TILES, land_shapes, link_hexes, hill_contours, water_area, counter_sprite, die_sprite):
            cache.cache_clear()
        if earlier:
            draw(SCENE, area=earlier)
        pictures.add(draw(SCENE, area=area))
    assert len(pictures) == 1


def test_the_whole_battlefield_can_be_posted() -> None:
    png = draw(SCENE)
    image = open_picture(png)
    assert image.mode == "P"
    assert len(png) < 700_000


def test_the_palette_has_room_and_its_colours_are_apart() -> None:
    flat = fixed_palette().getpalette() or []
    colours = list(dict.fromkeys(zip(flat[::3], flat[1::3], flat[2::3], strict=True)))
    assert len(colours) <= 256
    assert min(math.dist(first, second) for first, second in combinations(colours, 2)) >= APART
    assert len({side.colour for side in (*SIDES, *PRINT_SIDES)}) == 8


def test_dice_do_not_move_the_map_of_a_replay() -> None:
    with_dice, without = (draw_replay([EMPTY.model_copy(update={"dice": dice})]) for dice in (SCENE.dice, ()))
    assert with_dice == without


def test_every_unit_without_a_formation_has_a_plate_with_its_name() -> None:
    stacks = tuple(
        create_unit(label, side, kind, name, "")
        for label, side, kind, name in (
            ("0605", "british", "male", "Deborah of D"),
            ("0504", "german", "inf", "84th Infantry"),
            ("0804", "german", "inf", "387th Infantry"),
        )
    )
    scene = EMPTY.model_copy(update={"stacks": stacks, "tracks": (create_track("fire", "0605", "0504"),)})
    with record_texts() as texts:
        image = draw_image(scene, area=box_around_hexes([Hex.from_label("0605")]).grow(2))
    legible = [text for text, size in texts if size >= minimum_text_size(image.width)]
    assert {"Deborah of D", "84th Infantry", "387th Infantry"} <= set(legible)
