"""Hex maps: size and format, terrain, names, close-ups and print; cached pictures stay unchanged."""

from concurrent.futures import ThreadPoolExecutor
from itertools import combinations

import pytest
from PIL import Image, ImageChops

from render.fixed_palette import fixed_palette
from render.geometry import Box, View
from render.hexmap.counters import counter_sprite
from render.hexmap.land_shapes import BOTTOM_UP, KeyedBoard, land_shapes
from render.hexmap.map_canvas import MapCanvas
from render.hexmap.picture import LEAST, plan_picture, visible_part
from render.hexmap.plane import hex_centre
from render.hexmap.stops import draw_stops
from render.scenes import draw, draw_image
from render.text_size import LEAST as LEAST_WORDS
from render.text_size import TELEPHONE
from render.tiles import TILES
from rules.core.hexboard.hex_scene import (
    Course,
    HexBoard,
    HexCell,
    HexGround,
    HexLine,
    HexName,
    HexScene,
    Track,
    TrackStop,
)
from rules.core.hexboard.hexes import Hex
from rules.core.scene import Feature
from tests.daily_choice import one_a_day

from .hex_samples import BOARD, CHOICE, EMPTY, SCENE, create_company, create_stack, frame_hexes
from .pictures import count_differing_pixels, count_unlike_pixels, open_picture, record_texts


def create_meadow(kind: HexGround, name: str = "") -> HexScene:
    """Return a small board of one terrain with a name in its middle hex."""
    cells = tuple(
        HexCell(hex=Hex.at(c, r), ground=kind, name=name if (c, r) == (4, 4) else "")
        for c in range(1, 8)
        for r in range(1, 8)
    )
    return EMPTY.model_copy(update={"board": HexBoard(key=f"{kind} {name}", cells=cells)})


def test_a_full_map_is_a_png_in_the_fixed_palette_small_enough_to_post() -> None:
    png = draw(SCENE)
    image = open_picture(png)
    assert image.format == "PNG"
    assert image.mode == "P"
    assert 1200 <= image.width <= 1500
    assert 1200 <= image.height <= 2000
    assert len(png) < 700_000
    palette = fixed_palette().getpalette() or []
    colours = set(zip(palette[::3], palette[1::3], palette[2::3], strict=True))
    assert {colour for _, colour in image.convert("RGB").getcolors(1 << 24) or []} <= colours


def test_a_picture_does_not_depend_on_earlier_pictures() -> None:
    part, areas = (
        frame_hexes("2611", "2912"),
        [None, frame_hexes("2509", "2510"), frame_hexes("3012"), frame_hexes("2813", "2914")],
    )
    pictures = set()
    for earlier in areas:
        for cache in (TILES, land_shapes, counter_sprite):
            cache.cache_clear()
        if earlier:
            draw(EMPTY, area=earlier)
        pictures.add(draw(SCENE, area=part))
    assert len(pictures) == 1


def test_cached_pictures_are_never_drawn_on() -> None:
    area = frame_hexes("2611", "2912")
    bare = draw(EMPTY, area=area)
    draw(SCENE, area=area)
    draw(CHOICE, area=area)
    assert draw(EMPTY, area=area) == bare


def test_threads_draw_the_same_pictures_as_one_thread() -> None:
    jobs = [
        (SCENE, frame_hexes("2611")),
        (CHOICE, frame_hexes("2713")),
        (EMPTY, frame_hexes("2611")),
        (SCENE, frame_hexes("3308")),
    ]
    alone = [draw(scene, area=area) for scene, area in jobs] * 3
    with ThreadPoolExecutor(6) as pool:
        together = list(pool.map(lambda job: draw(job[0], area=job[1]), jobs * 3))
    assert together == alone


@pytest.mark.parametrize("style", one_a_day(["campaign", "print"]))
def test_every_ground_looks_different_from_every_other(style: str) -> None:
    images = {kind: draw_image(create_meadow(kind), style=style, shrink=0.4) for kind in HexGround}
    for first, second in combinations(images, 2):
        assert count_unlike_pixels(images[first], images[second]) > 1_000, (first, second)


@pytest.mark.parametrize("feature", [Feature.ROAD, Feature.RAILWAY, Feature.RIVER])
def test_lines_run_from_centre_to_centre(feature: Feature) -> None:
    plain = create_meadow(HexGround.OPEN)
    line = HexLine(feature=feature, hexes=tuple(Hex.at(4, row) for row in range(2, 7)))
    board = plain.board.model_copy(update={"key": feature.value, "lines": (line,)})
    lined = plain.model_copy(update={"board": board})
    assert count_differing_pixels(draw(lined), draw(plain)) > 1_500


def test_a_telegraph_is_seen_beside_a_road() -> None:
    plain, hexes = create_meadow(HexGround.OPEN), tuple(Hex.at(4, row) for row in range(2, 7))
    road = HexLine(feature=Feature.ROAD, hexes=hexes)
    boards = [
        plain.board.model_copy(update={"key": f"wired {bool(wires)}", "lines": (road,), "telegraphs": wires})
        for wires in ((), (hexes,))
    ]
    alone, wired = (draw(plain.model_copy(update={"board": board})) for board in boards)
    assert count_differing_pixels(alone, wired) > 200


def test_the_shore_is_round_but_every_hex_keeps_its_ground() -> None:
    shapes = land_shapes(KeyedBoard(BOARD.key, BOARD))
    assert (
        0.97 < shapes.land.area / sum(0.866 for ground in shapes.grounds.values() if ground is not HexGround.SEA) < 1.03
    )
    from shapely import Point

    for cell in BOARD.cells:
        middle = Point(hex_centre(cell.hex))
        assert shapes.land.contains(middle) is (cell.ground is not HexGround.SEA), cell.hex.label
        if cell.ground in BOTTOM_UP:
            higher = BOTTOM_UP[BOTTOM_UP.index(cell.ground) + 1 :]
            assert shapes.covers[cell.ground].contains(middle)
            assert not any(shapes.covers[ground].contains(middle) for ground in higher), cell.hex.label


def test_boards_of_one_hex_odd_shape_or_with_gaps_are_drawn() -> None:
    lone = HexCell(hex=Hex.at(5, 5), ground=HexGround.DITCH)
    far = HexCell(hex=Hex.at(9, 2), ground=HexGround.EMBANKMENT, name="Halt")
    for number, cells in enumerate(((lone,), (lone, far))):
        board = HexBoard(key=f"odd {number}", cells=cells)
        assert open_picture(draw(EMPTY.model_copy(update={"board": board}))).width > 100


def test_names_are_written_where_they_belong_and_never_cut() -> None:
    plain = create_meadow(HexGround.SEA)
    edge = HexName(hex=Hex.at(1, 4), name="Indian Ocean", water=True)
    board = plain.board.model_copy(update={"key": "named", "names": (edge,)})
    changed = ImageChops.difference(draw_image(plain), draw_image(plain.model_copy(update={"board": board}))).getbbox()
    sheet = plan_picture(plain, None, "campaign")
    assert changed is not None
    assert changed[0] >= sheet.view.left
    assert changed[2] - changed[0] > 100
    assert (
        count_differing_pixels(draw(create_meadow(HexGround.OPEN, "Red House")), draw(create_meadow(HexGround.OPEN)))
        > 300
    )


def test_a_name_across_the_map_is_written_where_no_counter_covers_it() -> None:
    plain = create_meadow(HexGround.PLANTATION)
    middle, distant = Hex.at(4, 4), Hex.at(4, 1)
    board = plain.board.model_copy(update={"key": "across", "names": (HexName(hex=middle, name="Palms"),)})

    def written(at: Hex) -> tuple[int, int, int, int] | None:
        stacks = {"stacks": (create_stack(at.label, create_company("A", "13 Raj", 5)),)}
        nameless, named = (
            draw_image(scene.model_copy(update=stacks)) for scene in (plain, plain.model_copy(update={"board": board}))
        )
        return ImageChops.difference(nameless, named).getbbox()

    undisturbed, moved = written(distant), written(middle)
    assert undisturbed is not None
    assert moved is not None
    wide, high = (undisturbed[edge + 2] - undisturbed[edge] for edge in (0, 1))
    assert abs(moved[2] - moved[0] - wide) < 8
    assert abs(moved[3] - moved[1] - high) < 8
    assert moved[1] > undisturbed[3] or moved[3] < undisturbed[1] or moved[0] > undisturbed[2]


def test_a_close_up_is_larger_and_never_too_small_to_read() -> None:
    full, part = (plan_picture(SCENE, area, "campaign").view.scale for area in (None, frame_hexes("2812")))
    assert part > 1.9 * full
    tiny = visible_part(SCENE, frame_hexes("2812", room=0.0))
    assert min(tiny.width, tiny.height) >= LEAST
    with pytest.raises(ValueError, match="from 1501 to 4222"):
        visible_part(SCENE, Box(80, 0, 90, 10))


def test_print_is_ink_on_white() -> None:
    image = open_picture(draw(SCENE, style="print")).convert("RGB")
    colours = sorted(image.getcolors(1 << 24) or [], reverse=True)
    assert colours[0][1] == (255, 255, 255)
    assert all(max(colour) - min(colour) <= 24 for _, colour in colours)  # type: ignore[type-var, operator, arg-type]


def test_an_unknown_style_is_refused_with_those_there_are() -> None:
    with pytest.raises(ValueError, match="campaign, print, protanopia, deuteranopia, tritanopia or high contrast"):
        draw(EMPTY, style="cubist")


def test_drawing_does_not_change_the_scene() -> None:
    before = SCENE.model_dump_json()
    draw(SCENE, area=frame_hexes("2611"))
    assert SCENE.model_dump_json() == before


@pytest.mark.parametrize("area", [None, frame_hexes("2812"), frame_hexes("2208", "2616")])
def test_text_around_a_hex_map_is_legible_on_a_telephone(area: Box | None) -> None:
    with record_texts() as texts:
        image = open_picture(draw(SCENE, area=area))
    round_it = {SCENE.title, *(side.name for side in SCENE.sides)} & {text for text, _ in texts}
    assert len(round_it) == 1 + len(SCENE.sides)
    on_it = {text for cell in SCENE.board.cells for text in (cell.hex.label, cell.name)} & {text for text, _ in texts}
    assert on_it, "no hex has its number or name"
    expected = round_it | on_it
    assert not [text for text, size in texts if text in expected and size * TELEPHONE < LEAST_WORDS * image.width]


def test_hexes_have_numbers_only_where_they_can_be_read() -> None:
    labels = {cell.hex.label for cell in SCENE.board.cells}
    with record_texts() as texts:
        draw(SCENE)
    assert not [text for text, _ in texts if text in labels]
    with record_texts() as texts:
        draw(SCENE, area=frame_hexes("2812"))
    assert len([text for text, _ in texts if text in labels]) > 10


def test_a_long_title_is_written_whole() -> None:
    title = "The Big Push — turn 12 of 12, Germans, defensive fire and movement, 4 November 1914, 14:15"
    with record_texts() as texts:
        draw(EMPTY.model_copy(update={"title": title}))
    lines = [text for text, _ in texts if len(text) > 4 and text in title]
    assert " ".join(lines[:2]) == title


def test_the_stops_of_a_planned_move_are_written_beside_it():
    way = tuple(Hex.at(2, row) for row in range(2, 6))
    stops = tuple(
        TrackStop(hex=at, time="12", rest=rest) for at, rest in zip(way[1:], ("", "day 1", "day 2"), strict=True)
    )
    board = HexBoard(
        key="stops", cells=tuple(HexCell(hex=Hex.at(x, y), ground=HexGround.OPEN) for x in range(6) for y in range(8))
    )
    plain = HexScene(board=board, title="A march", sides=(), tracks=(Track(hexes=way, kind="course"),))
    planned = plain.model_copy(update={"tracks": (Course(hexes=way, stops=stops),)})
    image, view = Image.new("RGB", (900, 900), "white"), View(Box(0, 0, 10, 10), 90)
    pad = MapCanvas(image, view, "campaign", 20)
    draw_stops(pad, planned.tracks)
    assert len(pad.label_boxes) == len(stops)
    assert not any(first.overlaps(second) for first, second in combinations(pad.label_boxes, 2))
    assert draw(plain) != draw(planned)
    full = MapCanvas(image, view, "campaign", 20)
    full.name_boxes.append(Box(0, 0, 900, 900))
    draw_stops(full, planned.tracks)
    assert full.label_boxes == []
