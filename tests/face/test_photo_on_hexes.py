"""`/photo` on hexes: the umpire lays a picture of a real map under the hexes, by the places of three hexes."""

import io
import json
from typing import Any

import pytest
from PIL import Image

from bot.errors import UserError
from bot.games.photographs import hex_scene
from cogs.kit.panels.hex_photograph import parse_hexes
from render import photo_grid
from render import photograph as rectified
from render.geometry import Box
from render.hexmap.areas import map_box
from render.hexmap.plane import hex_centre
from render.photograph import is_jpeg
from rules.campaign.ground import read_map_text
from rules.campaign.scenarios import SCENARIOS
from rules.core.hexboard.hexes import Hex
from rules.core.refusal import NoPlace

from .live_page import Browser, open_page
from .table import Answer, Table, labels, text
from .test_opponent import game_of

real_maps = pytest.mark.usefixtures("real_maps")
WIDE, HIGH = 300, 334
LABELS = ("0212", "1406", "2416")
RED = (200, 30, 30)


@pytest.fixture(autouse=True)
def small_result(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rectified pictures of a small size. No test here measures them."""
    monkeypatch.setattr(rectified, "FLAT_SIDE", 400)


def make_picture(label_marked: str = "1009") -> tuple[bytes, dict[str, tuple[int, int]]]:
    """Return a picture with a red spot on one hex, and the pixels of the named hexes."""
    image = Image.new("RGB", (WIDE, HIGH), (120, 150, 90))
    at = {label: pixel_of(label) for label in (*LABELS, label_marked)}
    x, y = at[label_marked]
    image.paste(RED, (x - 6, y - 6, x + 6, y + 6))
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue(), at


def pixel_of(label: str) -> tuple[int, int]:
    """Return the pixel of a hex: 10 pixels per hex, slightly rotated."""
    x, y = hex_centre(Hex.from_label(label))
    return round(20 + 10 * x + y), round(27 + 10 * y - x)


async def begin(table: Table) -> None:
    await table.give(table.umpire, "game new", rules="campaign", scenario="suakin-1884")


async def add_photo(table: Table, data: bytes, **how: Any) -> Answer:
    return await table.give(table.umpire, "photo add", file=("map.png", data), **how)


def write_pixels(at: dict[str, tuple[int, int]]) -> str:
    return "; ".join(f"{label} {at[label][0]},{at[label][1]}" for label in LABELS)


async def name_hexes(table: Table, message: Any, words: str) -> Answer:
    """Press the button of the picture and submit the hexes' places in the form."""
    (label,) = labels(message)
    form = await table.press(table.umpire, message, label)
    assert form.result.modal is not None
    (part,) = form.result.modal["components"]
    return Answer(await table.umpire.submit_modal(form.result, {part["component"]["custom_id"]: words}))


async def is_red_at(table: Table, label: str) -> bool:
    """Whether the laid picture is red at the centre of the hex."""
    game = await game_of(table)
    assert game.photograph is not None
    laid = Image.open(io.BytesIO(game.photograph))
    box: Box = map_box(hex_scene(game))
    x, y = hex_centre(Hex.from_label(label))
    pixel = laid.getpixel(
        (round((x - box.left) / box.width * laid.width), round((y - box.top) / box.height * laid.height))
    )
    assert isinstance(pixel, tuple)
    return max(abs(value - expected) for value, expected in zip(pixel, RED, strict=True)) < 60


@real_maps
async def test_three_hexes_lay_the_picture_under_the_letters(table: Table) -> None:
    await begin(table)
    data, at = make_picture()
    answer = await add_photo(table, data, hexes=write_pixels(at))
    assert "ursula lays a picture of a map under the hexes." in text(answer.announced)
    assert "the terrain that the rules use" in text(answer.announced)
    assert await is_red_at(table, "1009")
    assert not await is_red_at(table, "1012")
    (file,) = (await table.give(table.umpire, "map")).messages[0].attachments
    assert is_jpeg(table.env.backend.cdn.get(file.url))
    assert file.description.startswith("Over a picture of the map: Suakin 1884")
    gone = await table.give(table.umpire, "photo remove")
    assert "removes the photograph" in text(gone.announced)
    assert (await game_of(table)).photograph is None


async def test_two_lettered_grids_lay_the_picture(table: Table) -> None:
    await begin(table)
    data, at = make_picture()
    first = await add_photo(table, data)
    assert "Where do three hexes lie?" in first.private_text
    parts = [(at[label][0] / WIDE, at[label][1] / HIGH) for label in LABELS]
    coarse = [(int(x * photo_grid.COARSE.columns), int(y * photo_grid.COARSE.rows)) for x, y in parts]
    names = photo_grid.square_names(coarse).split()
    await table.restart()
    second = await name_hexes(table, first.private[0], f"Sinkat {names[0]}; Suakin {names[1]}, Trinkitat {names[2]}")
    assert "1. 0212" in second.private_text
    assert len(second.private[0].attachments) == 3
    fine = []
    for (x, y), square in zip(parts, coarse, strict=True):
        part = photo_grid.box_around_square(square)
        across, down = (x - part.left) / part.width, (y - part.top) / part.height
        fine.append((int(across * photo_grid.FINE.columns), int(down * photo_grid.FINE.rows)))
    await table.restart()
    answer = await name_hexes(table, second.private[0], photo_grid.square_names(fine))
    assert "lays a picture of a map" in text(answer.announced)
    assert await is_red_at(table, "1009")


BAD_PLACES = [
    ("1406 100,100; 2416 800,800", "You named 2."),
    ("1406 100,100; 2416 800,800; nowhere 9,9", "is no hex of this map"),
    ("1406 100,100; 2416 800,800; 1406 9,9", "1406 is named twice"),
    ("1406; 2416 C3; 0212 D4", "“1406” is not a hex with its place"),
    ("1406 100,100; 2416 C3; 0212 D4", "Use squares for all, or pixels for all"),
]


async def test_bad_hexes_are_refused_with_the_reason(table: Table) -> None:
    await begin(table)
    data, at = make_picture()
    before = await game_of(table)
    for words, reason in BAD_PLACES:
        with pytest.raises((UserError, NoPlace), match=reason):
            parse_hexes(before, words)
    for words, reason in (
        ("1406 Z3; 2416 C3; 0212 D4", "“Z3” is no square"),
        ("1406 100,100; 2416 300,980; 0212 5,5", f"2416 lies outside the picture, which is {WIDE} by {HIGH} pixels"),
        ("0212 280,200; 1406 100,50; 2416 10,300", "would be mirrored"),
    ):
        answer = await add_photo(table, data, hexes=words)
        assert reason in answer.private_text
    assert "which have no corners" in (await add_photo(table, data, corners="1,1 2,1 2,2 1,2")).private_text
    refused = await table.give(table.british, "photo add", file=("map.png", data), hexes=write_pixels(at))
    assert "Only the umpire" in refused.private_text
    assert (await game_of(table)).seq == before.seq
    await table.give(table.umpire, "game end", confirm=True)
    await table.start()
    assert "name its four corners, not hexes" in (await add_photo(table, data, hexes=write_pixels(at))).private_text


async def test_an_uploaded_campaign_keeps_its_picture_in_exports(table: Table) -> None:
    own = SCENARIOS.text("suakin-1884").replace("suakin-1884", "mine").replace("Suakin 1884", "Mine")
    files = {"file": ("my.toml", own.encode()), "map": ("my.txt", read_map_text("suakin").encode())}
    await table.give(table.umpire, "scenario upload", rules="campaign", **files)
    await table.give(table.umpire, "game new", rules="campaign", scenario="mine")
    data, at = make_picture()
    await add_photo(table, data, hexes=write_pixels(at))
    (file,) = (await table.give(table.umpire, "game export")).private[0].attachments
    exported = await file.read()
    assert len(json.loads(exported)["photographs"]) == 1
    channel = table.guild.create_text_channel("elsewhere")
    await table.give(table.umpire, "game import", file=(file.filename, exported), channel=channel)
    await table.give(table.umpire, "game end", confirm=True)
    (attachment,) = (await table.give(table.umpire, "map", channel=channel)).messages[0].attachments
    assert attachment.description.startswith("Over a picture of the map: Mine")


async def test_the_live_map_shows_the_picture_under_the_hexes(table: Table, browser: Browser) -> None:
    await begin(table)
    await table.give(table.british, "game join", side="British under Graham")
    await open_page(table, table.british, browser)
    before = (await browser.view())["map"]["ground"]
    data, at = make_picture()
    await add_photo(table, data, hexes=write_pixels(at))
    name = (await browser.view())["map"]["ground"]
    assert name != before
    answer = await browser.client.get(f"/ground/{name}-small", params={"seat": browser.seat})
    assert (answer.status, answer.content_type) == (200, "image/jpeg")
    picture, laid = Image.open(io.BytesIO(await answer.read())), (await game_of(table)).photograph
    assert laid is not None
    assert picture.size != Image.open(io.BytesIO(laid)).size, "drawn again with roads and hexes"
