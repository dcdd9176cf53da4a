"""Maps of tables: size and format, distinguishable parts, and space for all texts."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import combinations

import pytest
from PIL import ImageChops

from render.badges import badge_sprite
from render.bases import base_sprite
from render.fixed_palette import fixed_palette
from render.geometry import Box, View, is_inside_ring
from render.overlay import Overlay
from render.palette import PRINT_SIDES, SIDES, USUAL_COLOURS, theme
from render.places import visible_terrain_names
from render.scenes import draw, find_area
from render.table import LEAST, plan_picture, visible_part
from render.text_size import LEAST as LEAST_WORDS
from render.text_size import TELEPHONE
from render.tiles import TILES
from rules.core.scene import Arrow, Feature, Goal, Ground, StatusMarker, Symbol, TableScene
from rules.core.tests.scripted import ScriptedDice
from rules.registry import rulesets

from .pictures import count_differing_pixels, open_picture, record_texts
from .samples import BATTLE, EMPTY, create_base, create_piece

MAGDALA = rulesets()["magdala"]


def create_overlay(scene: TableScene, area: Box | None = None) -> Overlay:
    sheet = plan_picture(scene, area, "campaign")
    return Overlay(scene, sheet.map_view, theme("campaign", scene.ground), sheet.text_size)


def create_scenario(name: str) -> TableScene:
    state = MAGDALA.setup(name, {}, ScriptedDice([3] * 500))
    return MAGDALA.scene(state, "public")


def test_a_full_map_is_a_small_png_in_the_fixed_palette() -> None:
    png = draw(BATTLE)
    image = open_picture(png)
    assert image.format == "PNG"
    assert image.mode == "P"
    assert 1200 <= image.width <= 1500
    assert 900 <= image.height <= 2200
    assert len(png) < 300_000
    palette = fixed_palette().getpalette() or []
    colours = set(zip(palette[::3], palette[1::3], palette[2::3], strict=True))
    assert {colour for _, colour in image.convert("RGB").getcolors(1 << 24) or []} <= colours


def test_every_picture_of_the_same_scene_is_the_same() -> None:
    first = draw(BATTLE)
    TILES.cache_clear()
    base_sprite.cache_clear()
    assert draw(BATTLE) == first


@pytest.mark.parametrize("name", sorted(MAGDALA.scenarios))
def test_every_scenario_is_drawn_small_enough_to_post(name: str) -> None:
    assert len(draw(create_scenario(name))) < 300_000


@cache
def draw_ground(kind: Ground, style: str = "campaign") -> bytes:
    return draw(EMPTY.model_copy(update={"ground": kind}), style=style)


@pytest.mark.parametrize("kind", Ground)
def test_every_ground_looks_different(kind: Ground) -> None:
    other_grounds = [draw_ground(ground) for ground in USUAL_COLOURS.grounds if ground is not kind]
    assert all(count_differing_pixels(draw_ground(kind), image) > 100_000 for image in other_grounds)


@pytest.mark.parametrize("feature", Feature)
@pytest.mark.parametrize("style", ["campaign", "print"])
def test_every_kind_of_terrain_is_seen(feature: Feature, style: str) -> None:
    closed = feature not in {Feature.RIVER, Feature.ROAD, Feature.RAILWAY}
    terrain = create_piece(feature, (20, 20), (40, 18), (44, 30), (22, 32), closed=closed)
    plain = EMPTY.model_copy(update={"ground": Ground.GREEN})
    image = draw(plain.model_copy(update={"terrain": (terrain,)}), style=style)
    assert count_differing_pixels(image, draw_ground(Ground.GREEN, style)) > 1500


@pytest.mark.parametrize("feature", [Feature.ROUGH, Feature.HILL, Feature.WOOD, Feature.MARSH])
def test_an_area_may_be_given_as_a_line_with_a_width(feature: Feature) -> None:
    strip = create_piece(feature, (10, 10), (30, 14), (50, 10), closed=False, width=4)
    assert count_differing_pixels(draw(EMPTY.model_copy(update={"terrain": (strip,)})), draw(EMPTY)) > 5000


@pytest.mark.parametrize("kills", [1, 3, 5])
@pytest.mark.parametrize("size", [(4.8, 1.0), (3.0, 3.0), (1.2, 4.0), (3.6, 2.0), (1.0, 1.0)])
@pytest.mark.parametrize("facing", [0, 135])
def test_kills_are_one_row_within_the_base_or_stand_in_the_plate(
    kills: int, size: tuple[float, float], facing: int
) -> None:
    hurt, hale = (
        create_base("A", "british", Symbol.INFANTRY, 30, 20, facing, "", frontage=size[0], depth=size[1], kills=count)
        for count in (kills, 0)
    )
    for area in (None, Box(24, 16, 38, 26)):
        overlay, bare = (create_overlay(EMPTY.model_copy(update={"bases": (base,)}), area) for base in (hurt, hale))
        (row,), (ring,) = overlay.pip_rows, overlay.rings
        if row is None:
            assert overlay.plates[0].width > bare.plates[0].width
        else:
            assert len(row.at) == kills
            assert all(
                is_inside_ring((x + dx, y + dy), ring)
                for x, y in row.at
                for dx, dy in ((5, 0), (-5, 0), (0, 5), (0, -5))
            )
            assert overlay.plates[0].size == bare.plates[0].size


def test_kills_are_not_drawn_under_another_unit() -> None:
    under, over = (
        create_base(name, "british", Symbol.INFANTRY, x, 20, 0, "", kills=kills)
        for name, x, kills in (("A", 30, 3), ("B", 31, 0))
    )
    overlay = create_overlay(EMPTY.model_copy(update={"bases": (under, over)}))
    row = overlay.pip_rows[0]
    assert row is None or not any(is_inside_ring(at, overlay.rings[1]) for at in row.at)
    smothered = create_overlay(EMPTY.model_copy(update={"bases": (under, over.model_copy(update={"at": under.at}))}))
    assert smothered.pip_rows == [None, None]
    assert smothered.plates[0].width > smothered.plates[1].width


def test_the_north_arrow_stands_clear_of_the_letters() -> None:
    scene = EMPTY.model_copy(update={"title": "", "subtitle": ""})
    png = open_picture(draw(scene, area=Box(12, 12, 36.7, 30), style="print")).convert("L")
    sheet = plan_picture(scene, Box(12, 12, 36.7, 30), "print")
    y = int(sheet.view.top) - sheet.text_size - 10
    assert min(png.crop((png.width - 80, y, png.width - 30, y + 1)).tobytes()) > 200


def test_every_symbol_is_different() -> None:
    sprites = {symbol: base_sprite(symbol, SIDES[0], 72, 27, 0).tobytes() for symbol in Symbol}
    assert len(set(sprites.values())) == len(Symbol)


def test_every_marker_is_different_even_without_colour() -> None:
    grey = {marker: badge_sprite(marker, 22).convert("LA") for marker in StatusMarker}
    for first, second in combinations(grey.values(), 2):
        difference = ImageChops.difference(first.getchannel("L"), second.getchannel("L")).tobytes()
        assert sum(value > 40 for value in difference) > 25


@pytest.mark.parametrize("looks", [SIDES, PRINT_SIDES])
def test_sides_differ_by_outline_and_by_filling_as_well_as_by_colour(looks: Sequence[object]) -> None:
    sprites = [base_sprite(Symbol.INFANTRY, look, 80, 30, 0) for look in looks]  # type: ignore[arg-type]
    for sprite, second_sprite in combinations(sprites, 2):
        shapes = ImageChops.difference(sprite.getchannel("A"), second_sprite.getchannel("A")).tobytes()
        assert sum(value > 128 for value in shapes) > 8
    first, second = (image.convert("L").crop((12, 40, 24, 60)).resize((1, 1)).getpixel((0, 0)) for image in sprites[:2])
    assert abs(first - second) > 90  # type: ignore[operator]


def test_facing_turns_the_base_and_its_front() -> None:
    north, east, south = (base_sprite(Symbol.ARTILLERY, SIDES[0], 72, 27, facing) for facing in (0, 90, 180))
    assert east.getbbox()[3] - east.getbbox()[1] > north.getbbox()[3] - north.getbbox()[1]  # type: ignore[index]
    assert north.getbbox()[1] < south.getbbox()[1]  # type: ignore[index]


def test_a_marker_shows_and_brings_its_word_into_the_legend() -> None:
    base = create_base("15th Sikhs", "british", Symbol.INFANTRY, 30, 20, 0, "24")
    plain = EMPTY.model_copy(update={"bases": (base,)})
    pinned = EMPTY.model_copy(update={"bases": (base.model_copy(update={"markers": (StatusMarker.PINNED,)}),)})
    before, after = open_picture(draw(plain)).convert("L"), open_picture(draw(pinned)).convert("L")
    legend = (0, before.height - 50, before.width, before.height)
    field = (0, 0, before.width, before.height - 60)
    assert ImageChops.difference(before.crop(field), after.crop(field)).getbbox()
    assert ImageChops.difference(before.crop(legend), after.crop(legend)).getbbox()


@cache
def draw_arrow(name: str) -> bytes:
    arrow = Arrow(start=(20, 20), end=(34, 26), kind=name, side="british")
    return draw(EMPTY.model_copy(update={"arrows": (arrow,)}))


@pytest.mark.parametrize("kind", ["move", "fire", "miss", "past", "retreat", "melee"])
def test_every_kind_of_arrow_is_seen_and_differs_from_the_others(kind: str) -> None:
    assert count_differing_pixels(draw_arrow(kind), draw(EMPTY)) > 100
    other_kinds = {"move", "fire", "miss", "past", "retreat", "melee"} - {kind}
    assert all(count_differing_pixels(draw_arrow(kind), draw_arrow(second_kind)) > 100 for second_kind in other_kinds)


def test_units_off_the_table_are_listed() -> None:
    gone = EMPTY.model_copy(update={"off_table": ("9th Bengal Cavalry",)})
    assert open_picture(draw(gone)).height > open_picture(draw(EMPTY)).height


def test_print_is_ink_on_white() -> None:
    image = open_picture(draw(BATTLE, style="print")).convert("RGB")
    colours = sorted(image.getcolors(1 << 24) or [], reverse=True)
    assert colours[0][1] == (255, 255, 255)
    assert all(max(colour) - min(colour) <= 24 for _, colour in colours)  # type: ignore[type-var, operator, arg-type]


def test_an_unknown_style_is_refused_with_those_there_are() -> None:
    with pytest.raises(ValueError, match="campaign, print, protanopia, deuteranopia, tritanopia or high contrast"):
        draw(EMPTY, style="cubist")


SCENES = {"battle": BATTLE} | {name: create_scenario(name) for name in MAGDALA.scenarios}


@pytest.mark.parametrize("name", SCENES)
def test_no_plate_lies_over_another_or_off_the_map(name: str) -> None:
    scene = SCENES[name]
    for area in (None, Box(0, 0, 36, 24), Box(18, 18, 54, 42)):
        overlay = create_overlay(scene, area)
        field = plan_picture(scene, area, "campaign").map_view.frame
        boxes = [position.box for position in overlay.plate_positions]
        assert len(boxes) == len(overlay.bases)
        assert all(box.clip_to(field) == box for box in boxes)
        assert not any(first.overlaps(second) for first, second in combinations(boxes, 2))


@pytest.mark.parametrize("area", [None, Box(18, 18, 54, 42), Box(20, 10, 36, 44)])
@pytest.mark.parametrize("name", SCENES)
def test_every_word_is_read_on_a_telephone(name: str, area: Box | None) -> None:
    with record_texts() as texts:
        image = open_picture(draw(SCENES[name], area=area))
    assert len(texts) > len(SCENES[name].sides)
    small = [(text, size) for text, size in texts if text and size * TELEPHONE < LEAST_WORDS * image.width]
    assert not small


def test_a_plate_far_from_its_base_has_a_leader_to_it() -> None:
    overlay = create_overlay(BATTLE)
    for position, ring in zip(overlay.plate_positions, overlay.rings, strict=True):
        xs, ys = [x for x, _ in ring], [y for _, y in ring]
        near = Box(min(xs), min(ys), max(xs), max(ys)).grow(14)
        assert position.leader is not None or near.overlaps(position.box)


def test_units_of_an_army_on_one_spot_are_distinguishable() -> None:
    crowd = tuple(
        create_base(f"{number}th Bengal Native Infantry", "british", Symbol.INFANTRY, 36 + number % 6, 24, 0, "20")
        for number in range(30)
    )
    boxes = [position.box for position in create_overlay(EMPTY.model_copy(update={"bases": crowd})).plate_positions]
    assert not any(first.overlaps(second) for first, second in combinations(boxes, 2))


def test_a_general_with_a_unit_leaves_its_symbol_in_sight() -> None:
    unit = create_base("Black Watch", "british", Symbol.INFANTRY, 30, 20, 90, "24")
    general = create_base("Wolseley", "british", Symbol.GENERAL, 30, 20, 90, "", frontage=1, depth=1)
    overlay = create_overlay(EMPTY.model_copy(update={"bases": (general, unit)}))
    assert [base.name for base in overlay.bases] == ["Black Watch", "Wolseley"]
    assert overlay.bases[1].at == pytest.approx((30, 18.5))


def test_long_titles_and_odd_tables_fit() -> None:
    scene = EMPTY.model_copy(
        update={"title": "A very long title indeed " * 8, "subtitle": "und Größe ½ – „Zitat“ " * 9}
    )
    assert open_picture(draw(scene)).width == open_picture(draw(EMPTY)).width
    for width, height in ((24.0, 24.0), (120.0, 48.0), (48.0, 96.0), (50.0, 37.5)):
        image = open_picture(draw(EMPTY.model_copy(update={"width": width, "height": height})))
        assert max(image.size) < 1500


def test_threads_draw_the_same_pictures_as_one_thread() -> None:
    jobs = [(BATTLE, None), (BATTLE, Box(12, 12, 48, 36)), (EMPTY, None), (create_scenario("suakin-1885"), None)] * 4
    alone = [draw(scene, area=area) for scene, area in jobs[:4]] * 4
    with ThreadPoolExecutor(6) as pool:
        together = list(pool.map(lambda job: draw(job[0], area=job[1]), jobs))
    assert together == alone


def test_the_words_of_a_scene_stay_its_own() -> None:
    before = BATTLE.model_dump_json()
    draw(BATTLE)
    assert BATTLE.model_dump_json() == before


@pytest.mark.parametrize(
    ("text", "box"),
    [
        ("A1", Box(0, 0, 12, 12)),
        ("c3", Box(24, 24, 36, 36)),
        (" F4 ", Box(60, 36, 72, 48)),
        ("B2-D4", Box(12, 12, 48, 48)),
        ("D4 – B2", Box(12, 12, 48, 48)),
        ("B2:B3", Box(12, 12, 24, 36)),
        ("15th Sikhs", Box(16.8, 18.6, 40.8, 42.6)),
        ("15th-sikhs", Box(16.8, 18.6, 40.8, 42.6)),
        ("sikhs", Box(16.8, 18.6, 40.8, 42.6)),
        ("20th Hussars", Box(0, 15, 20, 39)),
        ("C2 NW facing south", Box(14, 2, 38, 26)),
        ("30,18", Box(18, 6, 42, 30)),
    ],
)
def test_an_area_is_a_square_a_span_a_unit_or_around_a_place(text: str, box: Box) -> None:
    assert find_area(BATTLE, text) == pytest.approx(box)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("G1", "A1 in the north-west to F4 in the south-east"),
        ("A0", "A1 in the north-west"),
        ("A5", "to F4"),
        ("G1 NW", "A1 to F4"),
        ("B2-H4", "to F4"),
        ("15th Sihks", "15th Sikhs"),
        ("Hadendowa", "Hadendowa, 1st warband"),
        ("", "A1 to F4"),
    ],
)
def test_an_invalid_area_is_refused_with_valid_ones(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        find_area(BATTLE, text)


def test_a_zoom_is_larger_and_never_too_small_to_read() -> None:
    full, part = (plan_picture(BATTLE, area, "campaign").view.scale for area in (None, Box(12, 12, 36, 24)))
    assert part > 2 * full
    assert visible_part(BATTLE, Box(30, 20, 31, 21)) == Box(
        30.5 - LEAST / 2, 20.5 - LEAST / 2, 30.5 + LEAST / 2, 20.5 + LEAST / 2
    )
    draw(BATTLE, area=Box(30, 20, 31, 21))
    with pytest.raises(ValueError, match="72 by 48"):
        visible_part(BATTLE, Box(80, 0, 90, 10))


def test_the_legend_tells_only_of_what_is_in_sight() -> None:
    full, quiet = (plan_picture(BATTLE, area, "campaign").legend for area in (Box(0, 0, 72, 48), Box(0, 0, 24, 12)))
    signs = [entry for row in full for entry in row if " = " not in entry.word]
    markers = {marker for base in BATTLE.bases for marker in base.markers}
    off_table = [
        entry.word for entry in signs if entry.word.startswith("Off the table") or "left the field" in entry.word
    ]
    assert len(signs) == len(BATTLE.sides) + 1 + len(markers) + len(off_table)
    assert " ".join(off_table) == f"Off the table: {', '.join(BATTLE.off_table)}"
    assert [entry.word for row in quiet for entry in row] == [side.name for side in BATTLE.sides]


def test_ground_to_be_held_has_a_ring_its_name_and_a_word_in_the_legend() -> None:
    goal = Goal(side="british", name="the wells", at=(24, 18), within=6)
    aim = EMPTY.model_copy(update={"goals": (goal,)})
    with record_texts() as texts:
        image = draw(aim)
    aimless = aim.model_copy(update={"goals": (goal.model_copy(update={"at": (60, 18)}),)})
    assert count_differing_pixels(image, draw(aimless)) > 500
    assert {"the wells", "the British must hold the wells"} <= {text for text, _ in texts}
    with record_texts() as texts:
        draw(aim, area=Box(40, 30, 70, 46))
    assert not [text for text, _ in texts if "wells" in text]


def test_a_place_hardly_in_sight_has_no_name() -> None:
    wood = create_piece(Feature.WOOD, (10, 10), (20, 10), (20, 20), (10, 20), name="Thick mimosa")
    look = theme("campaign", Ground.DESERT)
    sliver, half = (View(Box(left, 8, left + 24, 24), 40.0) for left in (19.5, 15.0))
    assert visible_terrain_names([wood], sliver, look, 21) == ()
    assert len(visible_terrain_names([wood], half, look, 21)) == 1
