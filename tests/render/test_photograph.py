"""Photographs of real tables: accepted files, refusals, and accuracy of rectification."""

import math
from collections.abc import Callable
from io import BytesIO
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from render import photo_grid, photograph, scenes, table
from render.geometry import Box
from render.photograph import KEPT_SIDE, MOST_BYTES, MOST_KEPT, encode_jpeg, read_photograph
from render.rectification import rectify
from rules.core.scene import Point
from tests.camera import CORNERS, FLOOR, SIZE, create_jpeg, encode_image, find_mark, take_photograph
from tests.daily_choice import one_a_day
from tests.render.samples import BATTLE

WIDE, HIGH = 72.0, 48.0
MARKS: list[Point] = [(x, y) for x, y in product((2, 20, 36, 51, 70), (2, 17, 31, 46))]
PARTS = [(x / SIZE[0], y / SIZE[1]) for x, y in CORNERS]
MAX_ERROR = 0.3
"""Maximum error of a mark after rectification, in inches."""


@pytest.fixture(scope="module")
def slanted_photograph() -> Image.Image:
    return take_photograph(WIDE, HIGH, MARKS)


def measure_farthest(flat: bytes) -> float:
    """Return the largest error of a mark, in inches."""
    image = Image.open(BytesIO(flat))
    inch = image.width / WIDE
    offs = []
    for x, y in MARKS:
        at = find_mark(image, (x * inch, y * inch), round(1.6 * inch))
        offs.append(math.dist((at[0] / inch, at[1] / inch), (x, y)))
    return max(offs)


def test_a_table_seen_slantwise_lies_flat_every_mark_in_its_place(slanted_photograph: Image.Image) -> None:
    size, image = read_photograph(create_jpeg(slanted_photograph))
    assert size == SIZE
    flat = rectify(image, PARTS, WIDE, HIGH)
    assert measure_farthest(flat) < MAX_ERROR
    assert len(flat) <= MOST_KEPT


@pytest.mark.parametrize(
    "corners",
    one_a_day(
        [
            CORNERS,
            [(x + 25, y + 31) for x, y in CORNERS],
            [(900, 700), (2300, 650), (3000, 1900), (100, 1800)],
            [(200, 150), (3050, 180), (3000, 2050), (150, 2010)],
            [(1000, 600), (2200, 620), (2700, 1500), (500, 1450)],
        ]
    ),
    ids=["usual", "moved", "steep", "overhead", "far away"],
)
def test_corners_named_by_two_lettered_grids_are_near_enough(corners: list[Point]) -> None:
    _, image = read_photograph(create_jpeg(take_photograph(WIDE, HIGH, MARKS, corners)))
    parts = [(x / SIZE[0], y / SIZE[1]) for x, y in corners]
    first = [(int(x * photo_grid.COARSE.columns), int(y * photo_grid.COARSE.rows)) for x, y in parts]
    exactly = []
    for (x, y), square in zip(parts, photo_grid.parse_squares(photo_grid.square_names(first)), strict=True):
        part = photo_grid.box_around_square(square)
        across, down = (x - part.left) / part.width, (y - part.top) / part.height
        exactly.append(
            photo_grid.fine_square_centre(
                (int(across * photo_grid.FINE.columns), int(down * photo_grid.FINE.rows)), part
            )
        )
    assert measure_farthest(rectify(image, exactly, WIDE, HIGH)) < MAX_ERROR


@pytest.mark.parametrize(
    "corners",
    [
        [PARTS[0], PARTS[3], PARTS[2], PARTS[1]],
        [PARTS[0], PARTS[2], PARTS[1], PARTS[3]],
        [PARTS[0]] * 4,
        [(0.5, 0.5), (0.51, 0.5), (0.51, 0.51), (0.5, 0.51)],
        [(0.1, 0.1), (0.9, 0.1), (0.2, 0.2), (0.1, 0.9)],
    ],
    ids=["mirrored", "crossed", "one point", "a speck", "hollow"],
)
def test_corners_that_form_no_table_are_refused(slanted_photograph: Image.Image, corners: list[Point]) -> None:
    with pytest.raises(ValueError, match="top left, top right, bottom right, bottom left"):
        rectify(slanted_photograph, corners, WIDE, HIGH)


def test_a_table_photographed_upside_down_is_turned(slanted_photograph: Image.Image) -> None:
    _, image = read_photograph(create_jpeg(slanted_photograph.rotate(180)))
    turned = [(1 - x, 1 - y) for x, y in PARTS]
    assert measure_farthest(rectify(image, turned, WIDE, HIGH)) < MAX_ERROR


@pytest.mark.parametrize("turn", range(1, 9))
def test_a_photograph_is_turned_upright(turn: int) -> None:
    image = Image.new("RGB", (600, 400), FLOOR)
    image.paste((250, 250, 250), (0, 0, 100, 100))
    exif = Image.Exif()
    exif[0x0112] = turn
    size, upright = read_photograph(create_jpeg(image, exif=exif))
    assert size == upright.size == ((600, 400) if turn < 5 else (400, 600))
    light = [
        upright.getpixel(at)[0] > 200
        for at in ((30, 30), (size[0] - 30, 30), (size[0] - 30, size[1] - 30), (30, size[1] - 30))
    ]
    assert light.index(True) == {1: 0, 2: 1, 3: 2, 4: 3, 5: 0, 6: 1, 7: 2, 8: 3}[turn]


def test_nothing_of_the_file_but_its_pixels_is_kept() -> None:
    exif = Image.Exif()
    exif[0x010E] = "taken at home"
    data = create_jpeg(Image.new("RGB", (500, 400), FLOOR), exif=exif, comment=b"a secret comment")
    assert b"taken at home" in data
    _, image = read_photograph(data)
    encoded = encode_jpeg(image)
    assert not image.info
    assert b"home" not in encoded
    assert b"secret" not in encoded
    assert b"Exif" not in encoded


@pytest.mark.parametrize(
    ("kind", "mode"),
    [("JPEG", "CMYK"), ("JPEG", "L"), ("PNG", "RGBA"), ("PNG", "P"), ("PNG", "I;16"), ("WEBP", "RGBA")],
)
def test_every_usual_kind_of_picture_is_taken(kind: str, mode: str) -> None:
    _, image = read_photograph(encode_image(Image.new(mode, (400, 300)), kind))
    assert (image.mode, image.size) == ("RGB", (400, 300))


def create_animation(kind: str) -> bytes:
    frames = [Image.new("RGB", (300, 300), colour) for colour in ("red", "blue")]
    return encode_image(frames[0], kind, save_all=True, append_images=frames[1:])


TURNED = Image.Exif()
TURNED[0x0112] = 6


def create_progressive_bomb() -> bytes:
    return create_jpeg(Image.new("RGB", (900, 700), FLOOR), progressive=True) + b"\xff\xda" * 200


def truncate_picture() -> bytes:
    picture = create_jpeg(Image.effect_noise((900, 700), 80).convert("RGB"))
    return picture[: len(picture) // 2]


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda: b"", "no picture"),
        (lambda: b"{}", "no picture"),
        (lambda: b"\xff\xd8" + bytes(5000), "no picture"),
        (truncate_picture, "no picture"),
        (lambda: encode_image(Image.new("RGB", (300, 300)), "BMP"), "no picture"),
        (lambda: create_animation("PNG"), "moves"),
        (lambda: create_animation("WEBP"), "moves"),
        (lambda: create_animation("GIF"), "no picture"),
        (lambda: encode_image(Image.new("RGB", (1, 1)), "PNG"), "1 by 1"),
        (lambda: encode_image(Image.new("1", (20_000, 20_000)), "PNG"), "more than 60,000,000 pixels"),
        (lambda: encode_image(Image.new("1", (10_000, 10_000)), "PNG"), "more than 60,000,000 pixels"),
        (lambda: encode_image(Image.new("RGB", (5_000, 5_000)), "PNG"), "more than 24,000,000 pixels"),
        (lambda: encode_image(Image.new("RGB", (5_000, 5_000)), "WEBP", lossless=True), "more than 24,000,000 pixels"),
        (lambda: create_jpeg(Image.new("RGB", (5_000, 5_000)), progressive=True), "more than 24,000,000 pixels"),
        (create_progressive_bomb, "no picture"),
        (lambda: encode_image(Image.new("RGB", (200, 4_000)), "PNG"), "times as long as wide"),
        (lambda: bytes(MOST_BYTES + 1), "the limit is"),
        (lambda: bytes(40_000_000), "the limit is"),
    ],
    ids=[
        "empty",
        "JSON",
        "no end",
        "half",
        "bitmap",
        "APNG",
        "WebP",
        "GIF",
        "1x1",
        "20,000",
        "10,000",
        "PNG",
        "lossless",
        "progressive",
        "passes",
        "slim",
        "too large",
        "40 MB",
    ],
)
def test_other_files_are_refused_with_the_reason(make: Callable[[], bytes], reason: str) -> None:
    data = make()
    with pytest.raises(ValueError, match=reason):
        read_photograph(data)


def test_sixteen_bit_greys_are_distinguishable() -> None:
    ramp = Image.fromarray(np.linspace(0, 65535, 300 * 300, dtype=np.uint16).reshape(300, 300))
    _, image = read_photograph(encode_image(ramp, "PNG"))
    assert image.getpixel((0, 0)) == (0, 0, 0)
    assert image.getpixel((0, 150)) == (127, 127, 127)
    assert image.getpixel((299, 299)) == (255, 255, 255)


@pytest.mark.filterwarnings("ignore:Corrupt EXIF data")
def test_odd_metadata_of_a_file_is_accepted() -> None:
    exif = b"Exif\x00\x00II*\x00\x08\x00\x00\x00" + bytes(range(200))
    _, image = read_photograph(create_jpeg(Image.new("RGB", (500, 400), FLOOR), exif=exif))
    assert image.size == (500, 400)


@pytest.mark.parametrize("options", [{"comment": b"at home"}, {"exif": TURNED}, {"progressive": True}])
def test_only_jpegs_of_the_bots_own_making_count_as_flat(options: dict[str, object]) -> None:
    image = Image.new("RGB", (500, 400), FLOOR)
    photograph.require_rectified_jpeg(create_jpeg(image))
    for data in (
        create_jpeg(image, **options),
        create_jpeg(image) + b"PK",
        create_jpeg(Image.new("RGB", (1600, 400))),
        encode_image(image, "PNG"),
    ):
        with pytest.raises(ValueError, match="it "):
            photograph.require_rectified_jpeg(data)


def test_a_large_photograph_is_made_smaller() -> None:
    size, image = read_photograph(create_jpeg(Image.new("RGB", (6000, 4000), FLOOR), quality=30))
    assert size == (6000, 4000)
    assert max(image.size) <= KEPT_SIDE


def test_noise_is_kept_small_too() -> None:
    noise = Image.effect_noise((2400, 1600), 120).convert("RGB")
    flat = rectify(noise, [(0, 0), (1, 0), (1, 1), (0, 1)], WIDE, HIGH)
    photograph.require_rectified_jpeg(flat)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("A1 B2 C3", "named 3"),
        ("A1 B2 C3 D4 E5", "named 5"),
        ("A1 B2 C3 Y4", "Y4"),
        ("A1 B2 C3 D17", "D17"),
        ("A1 B2 C3 D0", "D0"),
        ("", "named 0"),
        ("here there where nowhere", "here"),
    ],
)
def test_invalid_squares_are_refused(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        photo_grid.parse_squares(text)


@given(
    st.lists(
        st.tuples(st.integers(0, photo_grid.COARSE.columns - 1), st.integers(0, photo_grid.COARSE.rows - 1)),
        min_size=4,
        max_size=4,
    )
)
def test_squares_are_read_as_they_are_written(squares: list[tuple[int, int]]) -> None:
    assert photo_grid.parse_squares(photo_grid.square_names(squares)) == squares
    assert photo_grid.parse_squares(", ".join(photo_grid.square_names(squares).lower().split())) == squares
    for square in squares:
        box, close = photo_grid.square_box(square), photo_grid.box_around_square(square)
        assert close.left <= box.left < box.right <= close.right
        assert close.top <= box.top < box.bottom <= close.bottom
        assert close.left >= 0
        assert close.right <= 1
        fine = photo_grid.square_box(square, close, photo_grid.FINE)
        assert photo_grid.fine_square_centre(square, close) == (
            (fine.left + fine.right) / 2,
            (fine.top + fine.bottom) / 2,
        )


def test_corners_are_read_in_pixels_too() -> None:
    assert photo_grid.parse_pixel_corners("120,80 2300,95 2410,1600 40,1580") == [
        (120, 80),
        (2300, 95),
        (2410, 1600),
        (40, 1580),
    ]
    assert photo_grid.parse_pixel_corners("1.5,2;3,4; 5,6 7,8") == [(1.5, 2), (3, 4), (5, 6), (7, 8)]
    for none in (
        "C3 N2 P11 A12",
        "1 2 3",
        "-5,-8 23,95 24,16 4,15",
        "120.5,80 2300,95 2410,1600 40",
        "1234567,8 1,2 3,4 5,6",
    ):
        assert photo_grid.parse_pixel_corners(none) is None


def test_over_a_photograph_units_are_drawn_in_outline_and_figures_are_seen() -> None:
    cloth = (30, 200, 220)
    plain = encode_jpeg(Image.new("RGB", (1500, round(1500 * BATTLE.height / BATTLE.width)), cloth))
    base = BATTLE.bases[0]
    area = Box(base.at[0] - 8, base.at[1] - 8, base.at[0] + 8, base.at[1] + 8)
    image, laid = scenes.draw_image(BATTLE, area=area), scenes.draw_image(BATTLE, area=area, photograph=plain)
    assert image.size == laid.size
    sheet = table.plan_picture(BATTLE, area, "campaign").view
    middle = tuple(round(part) for part in sheet.pixel(base.at))
    assert all(abs(first - second) < 12 for first, second in zip(laid.getpixel(middle), cloth, strict=True))
    assert any(abs(first - second) > 30 for first, second in zip(image.getpixel(middle), cloth, strict=True))
    assert photograph.is_jpeg(scenes.draw(BATTLE, photograph=plain))
