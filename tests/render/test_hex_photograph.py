"""Photographs of real hex maps, rectified by three hexes: correct positions, or a refusal with the reason."""

from io import BytesIO

import pytest
from PIL import Image, ImageDraw

from render import rectification
from render.geometry import View
from render.hexmap.areas import map_box
from render.hexmap.looks import hex_look
from render.hexmap.photograph import draw_over_photograph, has_terrain_letters
from render.hexmap.plane import hex_centre
from render.photograph import UnfitPicture
from rules.campaign.ruleset import Campaign
from rules.core.dice import NoDice
from rules.core.hexboard.hexes import Hex
from rules.core.scene import Point

SCENE = Campaign().scene(Campaign().setup("suakin-1884", {}, NoDice()), "public")
WIDE, HIGH = 900, 1000
MARKED = ("0000", "0522", "1009", "2416", "2503", "1323")
RED, GREEN = (220, 20, 20), (120, 150, 90)


def locate_hex(label: str) -> Point:
    """Return the pixel of a hex in the photograph: 30 pixels per hex, slightly rotated and slanted."""
    x, y = hex_centre(Hex.from_label(label))
    return 60 + 29 * x + 4 * y, 90 + 31 * y - 3 * x


def draw_picture() -> Image.Image:
    """Return the photograph with a red spot on each marked hex."""
    image = Image.new("RGB", (WIDE, HIGH), GREEN)
    for x, y in map(locate_hex, MARKED):
        ImageDraw.Draw(image).ellipse((x - 9, y - 9, x + 9, y + 9), fill=RED)
    return image


def lay_under_hexes(*points: tuple[str, float, float]) -> Image.Image:
    """Return the photograph rectified for the map by these hexes."""
    on_map = [hex_centre(Hex.from_label(label)) for label, _, _ in points]
    at = [(x / WIDE, y / HIGH) for _, x, y in points]
    return Image.open(BytesIO(rectification.fit_to_hex_map(draw_picture(), on_map, at, map_box(SCENE))))


def test_every_hex_lies_in_its_place() -> None:
    laid, box = lay_under_hexes(*((label, *locate_hex(label)) for label in ("0212", "1406", "2416"))), map_box(SCENE)
    for label in MARKED:
        x, y = hex_centre(Hex.from_label(label))
        at = round((x - box.left) / box.width * laid.width), round((y - box.top) / box.height * laid.height)
        pixel = laid.getpixel(at)
        assert isinstance(pixel, tuple)
        assert pixel[0] > 150 > 90 > pixel[1], label


@pytest.mark.parametrize(
    ("squares", "why"),
    [
        ("0000 10 10 0005 10 300 0010 90 600", "Those three hexes lie on one line"),
        ("0212 100 100 1406 200 200 2416 400 400", "Those three places in the picture lie on one line"),
        ("0212 100 100 1406 100 100 2416 400 400", "Those three places in the picture lie on one line"),
        ("0212 800 500 1406 400 200 2416 60 600", "would be mirrored"),
        ("0212 890 960 1406 894 940 2416 898 970", "lie close together"),
        ("0000 700 800 0004 700 950 0400 830 875", "would cover only"),
        ("0212 100 100 1406 500 100 2416 990 900", "lies outside the picture"),
    ],
)
def test_unsuitable_hexes_are_refused_with_the_reason(squares: str, why: str) -> None:
    words = squares.split()
    three = [(words[at], float(words[at + 1]), float(words[at + 2])) for at in (0, 3, 6)]
    with pytest.raises(UnfitPicture, match=why):
        lay_under_hexes(*three)


def test_letters_are_drawn_where_they_fit_or_are_asked_for() -> None:
    laid = BytesIO()
    lay_under_hexes(*((label, *locate_hex(label)) for label in ("0212", "1406", "2416"))).save(laid, "JPEG")
    near, far = View(map_box(SCENE), 60.0), View(map_box(SCENE), 20.0)
    assert has_terrain_letters(SCENE, near.scale, 20)
    assert not has_terrain_letters(SCENE, far.scale, 20)
    lettered = SCENE.model_copy(update={"has_letters": True})
    look = hex_look("campaign")
    plain, labelled = (draw_over_photograph(laid.getvalue(), scene, far, look, 8) for scene in (SCENE, lettered))
    assert plain.size == labelled.size
    assert plain.tobytes() != labelled.tobytes()
