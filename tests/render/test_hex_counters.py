"""Counters, stacks, notes and tracks on hex maps: distinguishable, legible, and without hidden facts."""

from functools import cache
from itertools import combinations

import pytest
from PIL import Image, ImageChops

from render.geometry import Box
from render.hexmap.counter_layout import LEAST as LEAST_PRINT
from render.hexmap.counter_layout import CounterFace, lay_out_counter, visible_face
from render.hexmap.counters import counter_sprite
from render.hexmap.legend import legend_rows, note_sample
from render.hexmap.picture import SCALES, visible_part
from render.hexmap.stacks import READABLE, counter_positions
from render.palette import SIDES
from render.scenes import draw, draw_image
from render.text_size import LEAST as LEAST_WORDS
from render.text_size import TELEPHONE, minimum_text_size
from rules.core.hexboard.hex_scene import HexGround, HexScene, HexStack, NoteKind
from rules.core.hexboard.hexes import Hex
from rules.core.scene import StatusMarker, Symbol

from .country_samples import SCENE as COUNTRY
from .great_war_samples import SCENE as GREAT_WAR
from .hex_samples import BACK, EMPTY, SCENE, create_company, create_note, create_stack, create_track, frame_hexes
from .pictures import count_differing_pixels, open_picture, record_texts

CLOSE_UP_WIDTH = 8
"""Width of a close-up in hexes, with its margins."""


KINDS = ("move", "retreat", "fire", "miss", "melee")


def draw_counter(*markers: StatusMarker, symbol: Symbol = Symbol.INFANTRY) -> Image.Image:
    return counter_sprite(visible_face(create_company("A", "13 Raj", 5, *markers, symbol=symbol)), SIDES[0], 80)


@pytest.mark.parametrize(
    ("name", "symbol", "size", "start"),
    [
        ("2nd Rifle Brigade", Symbol.INFANTRY, 50, "2nd Ri"),
        ("Mitchell's tank", Symbol.MALE_TANK, 60, "Mit"),
        ("Nixe", Symbol.A7V, 60, "Nixe"),
    ],
)
def test_a_long_name_is_cut_so_that_units_stay_distinguishable(
    name: str, symbol: Symbol, size: int, start: str
) -> None:
    of_formation = CounterFace(name, symbol, "4", "4", "2", formation="F")
    line = lay_out_counter(of_formation, size, LEAST_PRINT).name
    assert line is not None
    assert line.words.startswith(start)
    assert (line.words == name) is (name == "Nixe")
    assert name.startswith(line.words)
    alone = lay_out_counter(of_formation._replace(formation=""), size, LEAST_PRINT).name
    assert (alone is not None) is (name == "Nixe")  # a unit without a formation has a plate with its whole name


def test_counters_differ_by_arm_factor_formation_name_and_side() -> None:
    first = create_company("A", "13 Raj", 5)
    variants = [
        create_company("B", "13 Raj", 5),
        create_company("A", "61 Pnr", 5),
        create_company("A", "13 Raj", 4),
        create_company("A", "13 Raj", 5, symbol=Symbol.MACHINE_GUN),
        first.model_copy(update={"right": "3"}),
    ]
    for size in (39, 80):
        sprites = [counter_sprite(visible_face(counter), SIDES[0], size).tobytes() for counter in (first, *variants)]
        sprites.append(counter_sprite(visible_face(first), SIDES[1], size).tobytes())
        assert len(set(sprites)) == len(sprites)


def test_a_range_stands_between_the_factors_where_there_is_room_to_read_it() -> None:
    near, far = (create_company("A", "17. FK", 5).model_copy(update={"middle": reach}) for reach in ("2", "3"))
    large = [counter_sprite(visible_face(counter), SIDES[0], 80).tobytes() for counter in (near, far)]
    assert large[0] != large[1]
    small = [counter_sprite(visible_face(counter), SIDES[0], 39).tobytes() for counter in (near, far)]
    assert small[0] == small[1]
    scene = EMPTY.model_copy(update={"stacks": (create_stack("2812", near),)})
    for area, is_shown in ((None, False), (frame_hexes("2812"), True)):
        with record_texts() as texts:
            draw(scene, area=area)
        assert any("range" in text for text, _ in texts) is is_shown


def test_every_marker_shows_on_a_counter_and_hides_no_factor() -> None:
    bare = draw_counter()
    foot = (0, bare.height * 2 // 3, bare.width, bare.height)
    for marker in StatusMarker:
        counter = draw_counter(marker)
        assert ImageChops.difference(bare.convert("RGB"), counter.convert("RGB")).getbbox(), marker
        assert counter.crop(foot).tobytes() == bare.crop(foot).tobytes(), marker


def test_a_face_down_counter_shows_nothing_of_what_it_hides() -> None:
    gun = create_company("MG", "2 LNL", 7, StatusMarker.FIRED, symbol=Symbol.MACHINE_GUN).model_copy(
        update={"face_down": True}
    )
    decoy = BACK.model_copy(update={"unit": "other", "name": "dummy"})
    scenes = [SCENE.model_copy(update={"stacks": (create_stack("3308", back),)}) for back in (gun, decoy)]
    assert draw(scenes[0]) == draw(scenes[1])


@pytest.mark.parametrize("count", range(1, 13))
@pytest.mark.parametrize("scale", [43.0, 54.0, 80.0, 124.0])
def test_counters_of_a_stack_lie_side_by_side_or_are_fanned(count: int, scale: float) -> None:
    spots = counter_positions(count, scale, LEAST_PRINT)
    assert len(spots) == count
    assert max(abs(spot.x) + spot.edge / 2 for spot in spots) < 0.62
    assert max(abs(spot.y) + spot.edge / 2 for spot in spots) < 0.62
    if count > 1 and spots[0].edge < 0.5:
        assert spots[0].edge * scale >= READABLE
        for first, second in combinations(spots, 2):
            assert max(abs(first.x - second.x), abs(first.y - second.y)) >= first.edge


@pytest.mark.parametrize("count", range(2, 5))
def test_in_a_close_up_every_counter_of_a_stack_is_read(count: int) -> None:
    words = minimum_text_size(round(CLOSE_UP_WIDTH * SCALES[0]))
    assert counter_positions(count, SCALES[0], words)[0].edge < 0.5


def test_a_fan_tells_how_many_it_has() -> None:
    def fan(count: int) -> HexScene:
        counters = tuple(create_company(letter, "13 Raj", 5) for letter in "ABCDEFGH"[:count])
        return EMPTY.model_copy(update={"stacks": (HexStack(hex=Hex.from_label("3308"), counters=counters),)})

    fans = [draw(fan(count)) for count in range(1, 9)]
    assert len(set(fans)) == len(fans)


@pytest.mark.parametrize("kind", NoteKind)
@pytest.mark.parametrize("style", ["campaign", "print"])
def test_every_note_is_seen_beside_a_counter_and_comes_into_the_legend(kind: NoteKind, style: str) -> None:
    scene = EMPTY.model_copy(update={"stacks": (create_stack("2713", create_company("A", "13 Raj", 5)),)})
    noted = scene.model_copy(update={"notes": (create_note("2713", kind, "7", "german"),)})
    area = frame_hexes("2713")
    bare, image = (draw_image(scene, area=area, style=style) for scene in (scene, noted))
    size = min(bare.height, image.height) - 60
    field = (0, 0, bare.width, size)
    changed = ImageChops.difference(bare.crop(field), image.crop(field)).convert("L").tobytes()
    assert sum(1 for value in changed if value > 24) > 150
    assert len(list_legend(noted, area)) == len(list_legend(scene, area)) + 1


def list_legend(scene: HexScene, area: Box) -> list[str]:
    return [entry.word for row in legend_rows(scene, area, "campaign", 900, 21, grounds=False) for entry in row]


def test_every_note_has_a_sign_of_its_own() -> None:
    signs = [note_sample(kind, "campaign", 25).tobytes() for kind in NoteKind]
    assert len(set(signs)) == len(signs)


def test_the_legend_tells_only_of_what_is_in_sight() -> None:
    assert list_legend(SCENE, frame_hexes("1812")) == ["British", "Germans"]
    assert "disrupted" in list_legend(SCENE, frame_hexes("3210"))
    assert "face down" in list_legend(SCENE, frame_hexes("3308"))
    words = set[str]()
    for scene in (SCENE, GREAT_WAR, COUNTRY):
        rows = legend_rows(scene, visible_part(scene, None), "campaign", 1300, 21, grounds=True)
        words |= {entry.word for row in rows for entry in row}
    assert "Off the map: 1. FK (turn 4, by train)" in words
    assert {ground.value for ground in HexGround} - words == {"sea", "open"}


@cache
def draw_track(name: str) -> bytes:
    scene = EMPTY.model_copy(update={"tracks": (create_track(name, "2811", "2812", "2713"),)})
    return draw(scene, area=frame_hexes("2812"))


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_track_is_seen_and_differs_from_the_others(kind: str) -> None:
    assert count_differing_pixels(draw_track(kind), draw(EMPTY, area=frame_hexes("2812"))) > 200
    assert all(
        count_differing_pixels(draw_track(kind), draw_track(second_kind)) > 100 for second_kind in set(KINDS) - {kind}
    )


def test_a_track_of_an_unknown_kind_is_drawn_as_a_move() -> None:
    tracks = [
        draw(EMPTY.model_copy(update={"tracks": (create_track(kind, "2811", "2813"),)}), area=frame_hexes("2812"))
        for kind in ("move", "saunter")
    ]
    assert tracks[0] == tracks[1]


def test_the_result_of_a_shot_is_written_beside_it() -> None:
    silent, reported = (
        EMPTY.model_copy(update={"tracks": (create_track("fire", "2812", "2612", text=text),)}) for text in ("", "hit")
    )
    area = frame_hexes("2712")
    assert count_differing_pixels(draw(silent, area=area), draw(reported, area=area)) > 200
    far = frame_hexes("3617")
    assert draw(silent, area=far) == draw(EMPTY, area=far) == draw(reported, area=far)


def test_a_plate_names_formations_of_counters_too_small_to_read() -> None:
    rajputs = (create_company("A", "13 Raj", 5), create_company("E", "13 Raj", 5))
    scene = EMPTY.model_copy(
        update={
            "stacks": (
                create_stack("3308", *rajputs),
                create_stack("3410", create_company("G", "13 Raj", 4)),
                create_stack("2012", create_company("1", "13 Raj", 4)),
                create_stack("2609", create_company("1", "17. FK", 5, side="german"), BACK),
                create_stack("3911", create_company("A", "2 LNL", 6).model_copy(update={"face_down": True})),
            )
        }
    )
    with record_texts() as texts:
        image = open_picture(draw(scene))
    large = [text for text, size in texts if size * TELEPHONE >= LEAST_WORDS * image.width]
    assert [(text, large[at + 1]) for at, text in enumerate(large) if text in ("13 Raj", "17. FK", "2 LNL")] == [
        ("13 Raj", "1"),
        ("13 Raj", "3"),
        ("17. FK", "1"),
    ]
    with record_texts() as texts:
        draw(scene, area=frame_hexes("2012"))
    assert [text for text, _ in texts].count("13 Raj") == 1, "on its counter, or on a plate besides"
