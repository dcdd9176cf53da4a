"""`/photo`: the umpire lays a photograph of the real table under the units, in two steps by lettered grids."""

from typing import Any

import pytest

from cogs.kit.cards.card import Card
from cogs.photo import CornersButton, OutdatedGridButton
from render import photo_grid
from render import photograph as rectified
from render.photograph import MOST_KEPT, is_jpeg
from tests.camera import CORNERS, SIZE, create_jpeg
from tests.camera import take_photograph as camera

from .table import Answer, Table, labels, text
from .test_opponent import game_of

real_maps = pytest.mark.usefixtures("real_maps")

REDUCTION = 4
"""Divisor of the camera's resolution. `tests/render` checks full photographs."""
WIDE, HIGH = (side // REDUCTION for side in SIZE)
PARTS = [(x / SIZE[0], y / SIZE[1]) for x, y in CORNERS]
COARSE = photo_grid.COARSE
FIRST = photo_grid.square_names([(int(x * COARSE.columns), int(y * COARSE.rows)) for x, y in PARTS])
PIXELS = " ".join(f"{x // REDUCTION},{y // REDUCTION}" for x, y in CORNERS)


def make_photograph(mark: tuple[int, int]) -> bytes:
    """Return a photograph of a table with a mark at this place."""
    return create_jpeg(camera(72, 48, [mark], smaller=REDUCTION), quality=70)


@pytest.fixture(scope="module")
def photograph() -> bytes:
    return make_photograph((36, 24))


@pytest.fixture(autouse=True)
def small_result(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rectified photographs of a small size. No test here measures them."""
    monkeypatch.setattr(rectified, "FLAT_SIDE", 300)


def fine_squares() -> str:
    """Return the corners' squares in the second form."""
    squares = []
    for (x, y), square in zip(PARTS, photo_grid.parse_squares(FIRST), strict=True):
        part = photo_grid.box_around_square(square)
        across, down = (x - part.left) / part.width, (y - part.top) / part.height
        squares.append((int(across * photo_grid.FINE.columns), int(down * photo_grid.FINE.rows)))
    return photo_grid.square_names(squares)


async def name_corners(table: Table, message: Any, squares: str, actor: Any = None) -> Answer:
    """Press the button of the photograph and submit the squares in the form."""
    player = actor or table.umpire
    (label,) = labels(message)
    form = await table.press(player, message, label)
    assert form.result.modal is not None
    (part,) = form.result.modal["components"]
    return Answer(await player.submit_modal(form.result, {part["component"]["custom_id"]: squares}))


async def add_photo(table: Table, photograph: bytes, **how: Any) -> Answer:
    return await table.give(table.umpire, "photo add", file=("table.jpg", photograph), **how)


async def lay_photo(table: Table, photograph: bytes) -> Answer:
    return await add_photo(table, photograph, corners=PIXELS)


@real_maps
async def test_two_lettered_grids_lay_a_photograph(table: Table, photograph: bytes) -> None:
    await table.start()
    first = await add_photo(table, photograph)
    assert "Where are the table's four corners?" in first.private_text
    assert [attachment.filename for attachment in first.private[0].attachments] == ["photograph.jpg"]
    second = await name_corners(table, first.private[0], FIRST)
    assert "1. Top left" in second.private_text
    assert len(second.private[0].attachments) == 4
    assert (await game_of(table)).photograph is None
    answer = await name_corners(table, second.private[0], fine_squares())
    reply = text(answer.announced)
    assert "ursula lays a photograph of the table under the units." in reply
    assert [attachment.filename for attachment in answer.announced.attachments] == ["table.jpg"]
    photograph_kept = (await game_of(table)).photograph
    assert photograph_kept is not None
    assert is_jpeg(photograph_kept)
    assert len(photograph_kept) <= MOST_KEPT
    log = await table.give(table.onlooker, "game log")
    assert "lays a photograph" in log.text


async def test_laying_survives_a_restart_between_the_steps(table: Table, photograph: bytes) -> None:
    await table.start()
    first = await add_photo(table, photograph)
    await table.restart()
    second = await name_corners(table, first.private[0], FIRST)
    await table.restart()
    answer = await name_corners(table, second.private[0], fine_squares())
    assert "lays a photograph" in text(answer.announced)
    await table.restart()
    assert (await game_of(table)).photograph is not None


async def test_corners_may_be_typed_in_pixels(table: Table, photograph: bytes) -> None:
    await table.start()
    assert "lays a photograph" in text((await lay_photo(table, photograph)).announced)


@real_maps
async def test_the_map_is_drawn_over_the_photograph_until_it_is_removed(table: Table, photograph: bytes) -> None:
    await table.start()

    async def of_map(**how: Any) -> str:
        (file,) = (await table.give(table.british, "map", **how)).messages[0].attachments
        data = table.env.backend.cdn.get(file.url)
        assert is_jpeg(data) is file.filename.endswith(".jpg")
        return str(file.filename)

    assert await of_map() == "table.png"
    await lay_photo(table, photograph)
    assert await of_map() == "table.jpg"
    assert await of_map(area="C3") == "table.jpg"
    assert await of_map(side="british") == "table.jpg"
    assert await of_map(style="campaign") == "table.png"
    gone = await table.give(table.umpire, "photo remove")
    assert "ursula removes the photograph." in text(gone.announced)
    assert await of_map() == "table.png"
    answer = await table.give(table.umpire, "photo remove")
    assert "No photograph lies under this table." in answer.private_text


@real_maps
async def test_actions_and_sheets_are_drawn_over_the_photograph(table: Table, photograph: bytes) -> None:
    await table.start()
    await lay_photo(table, photograph)
    moved = await table.give(table.mahdist, "move", unit="Amarar", to="forward 6")
    await table.env.settle()
    assert [attachment.filename for attachment in table.now(moved.announced).attachments] == ["table.jpg"]
    sheet = await table.give(table.mahdist, "turn orders", text="Arteiga: forward 6")
    (over_it,) = sheet.private[0].attachments
    assert over_it.filename.endswith(".jpg")
    await table.give(table.umpire, "photo remove")
    answer = await table.give(table.mahdist, "turn orders")
    (without,) = answer.private[0].attachments
    assert without.filename.endswith(".png")


async def test_an_old_button_lays_no_newer_photograph(table: Table, photograph: bytes) -> None:
    await table.start()
    first = await add_photo(table, photograph)
    second = await name_corners(table, first.private[0], FIRST)
    newer = await add_photo(table, make_photograph((10, 10)))
    assert "another was sent since" in (await name_corners(table, second.private[0], fine_squares())).private_text
    assert "another was sent since" in (await name_corners(table, first.private[0], FIRST)).private_text
    assert "Where exactly?" in (await name_corners(table, newer.private[0], FIRST)).private_text


async def test_a_button_of_an_old_grid_asks_for_the_photograph_again(table: Table) -> None:
    await table.start()
    button = OutdatedGridButton(
        "Name the four corners", game=(await game_of(table)).id, tag="12ab34cd", named="C3 V2 X15 A16"
    )
    view = Card().text("Yesterday's").buttons([button]).view()
    await table.env.bot.get_partial_messageable(table.channel.id).send(view=view)
    pressed = await table.press(table.umpire, table.newest(table.umpire), "Name the four corners")
    assert "Send the photograph again by /photo add. Nothing was changed." in pressed.private_text


async def test_only_the_umpire_lays_and_removes_photographs(table: Table, photograph: bytes) -> None:
    await table.start()
    refused = await table.give(table.british, "photo add", file=("table.jpg", photograph))
    assert "Only the umpire, ursula, may lay photographs under the units." in refused.private_text
    await add_photo(table, photograph)
    button = CornersButton("Name them", game=(await game_of(table)).id, tag="12ab34cd", named="")
    view = Card().text("For everyone").buttons([button]).view()
    await table.env.bot.get_partial_messageable(table.channel.id).send(view=view)
    tried = await name_corners(table, table.newest(table.british), FIRST, table.british)
    assert "Only the umpire" in tried.private_text
    await lay_photo(table, photograph)
    assert "Only the umpire" in (await table.give(table.british, "photo remove")).private_text
    assert (await game_of(table)).photograph is not None


async def test_corners_need_a_table_in_inches(table: Table, photograph: bytes) -> None:
    assert "No game runs" in (await add_photo(table, photograph)).private_text
    await table.give(table.umpire, "game new", rules="tanga", scenario="initial-assault")
    assert "Tanga 1914 is played on hexes" in (await lay_photo(table, photograph)).private_text


@pytest.mark.parametrize(
    ("file", "refusal"),
    [(b"", "no picture"), (b"{}", "no picture"), (b"\xff\xd8\xff" * 99, "no picture"), (bytes(40_000_000), "limit")],
    ids=["empty", "JSON", "broken", "40 MB"],
)
async def test_a_file_that_is_no_picture_is_refused(table: Table, file: bytes, refusal: str) -> None:
    await table.start()
    before = await game_of(table)
    answer = await add_photo(table, file)
    assert refusal in answer.private_text
    assert "Nothing was changed." in answer.private_text
    assert (await game_of(table)).seq == before.seq


BAD_CORNERS = [
    ("C3 N2 P11", "You named 3."),
    ("C3 N2 P11 Z99", "Z99"),
    ("1,1 2,1 2,2 1,2", "not the four corners of a table"),
    ("10,395 600,400 575,24 30,20", "not the four corners of a table"),
    ("99999,1 2,99999 2,2 1,2", f"which is {WIDE} by {HIGH} pixels"),
    ("-125,-20 575,24 600,400 10,395", "Or give all four in pixels"),
]


async def test_bad_corners_are_refused(table: Table, photograph: bytes) -> None:
    await table.start()
    before = await game_of(table)
    for corners, reason in BAD_CORNERS:
        assert reason in (await add_photo(table, photograph, corners=corners)).private_text
        assert (await game_of(table)).seq == before.seq


async def test_an_outdated_photograph_must_be_added_again(table: Table, photograph: bytes) -> None:
    await table.start()
    first = await add_photo(table, photograph)
    await lay_photo(table, photograph)
    assert "Give /photo add again" in (await name_corners(table, first.private[0], FIRST)).private_text
    await add_photo(table, photograph)
    await table.give(table.umpire, "game end", confirm=True)
    await table.start()
    assert "Give /photo add again" in (await name_corners(table, first.private[0], FIRST)).private_text
