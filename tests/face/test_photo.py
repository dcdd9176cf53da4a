"""/photo: the umpire's photograph of the real table is laid under the units, in two steps by lettered grids."""

from typing import Any

import pytest

from cogs.kit.cards.card import Card
from cogs.photo import CornersButton, OldGridButton
from render import photo_grid
from render import photograph as rectified
from render.photograph import MOST_KEPT, is_jpeg
from tests.photographing import CORNERS, SIZE, create_jpeg
from tests.photographing import take_photograph as camera

from .table import Answer, Table, labels, text
from .test_opponent import game_of

real_maps = pytest.mark.usefixtures("real_maps")

SMALLER = 4
"""Times that the photograph is smaller than the camera's: tests/render looks at large ones."""
WIDE, HIGH = (side // SMALLER for side in SIZE)
PARTS = [(x / SIZE[0], y / SIZE[1]) for x, y in CORNERS]
COARSE = photo_grid.COARSE
FIRST = photo_grid.square_names([(int(x * COARSE.columns), int(y * COARSE.rows)) for x, y in PARTS])
PIXELS = " ".join(f"{x // SMALLER},{y // SMALLER}" for x, y in CORNERS)


def seen(mark: tuple[int, int]) -> bytes:
    """A photograph of a table with a mark there."""
    return create_jpeg(camera(72, 48, [mark], smaller=SMALLER), quality=70)


@pytest.fixture(scope="module")
def photograph() -> bytes:
    return seen((36, 24))


@pytest.fixture(autouse=True)
def laid_flat_small(monkeypatch: pytest.MonkeyPatch) -> None:
    """A photograph is laid flat as a small picture: nobody measures it here."""
    monkeypatch.setattr(rectified, "FLAT_SIDE", 300)


def exactly() -> str:
    """The second form's squares."""
    named = []
    for (x, y), square in zip(PARTS, photo_grid.parse_squares(FIRST), strict=True):
        part = photo_grid.enlarged_box(square)
        across, down = (x - part.left) / part.width, (y - part.top) / part.height
        named.append((int(across * photo_grid.FINE.columns), int(down * photo_grid.FINE.rows)))
    return photo_grid.square_names(named)


async def name_corners(table: Table, message: Any, squares: str, actor: Any = None) -> Answer:
    """Presses the button under a photograph and fills the form in."""
    who = actor or table.umpire
    (label,) = labels(message)
    form = await table.press(who, message, label)
    assert form.result.modal is not None
    (part,) = form.result.modal["components"]
    return Answer(await who.submit_modal(form.result, {part["component"]["custom_id"]: squares}))


async def sent(table: Table, photograph: bytes, **how: Any) -> Answer:
    return await table.give(table.umpire, "photo add", file=("table.jpg", photograph), **how)


async def laid(table: Table, photograph: bytes) -> Answer:
    return await sent(table, photograph, corners=PIXELS)


@real_maps
async def test_it_is_laid_in_two_steps_by_lettered_grids(table: Table, photograph: bytes) -> None:
    await table.start()
    first = await sent(table, photograph)
    assert "Where are the table's four corners?" in first.private_text
    assert [one.filename for one in first.private[0].attachments] == ["photograph.jpg"]
    second = await name_corners(table, first.private[0], FIRST)
    assert "1. Top left" in second.private_text
    assert len(second.private[0].attachments) == 4
    assert (await game_of(table)).photograph is None
    done = await name_corners(table, second.private[0], exactly())
    said = text(done.announced)
    assert "ursula lays a photograph of the table under the units." in said
    assert [one.filename for one in done.announced.attachments] == ["table.jpg"]
    kept = (await game_of(table)).photograph
    assert kept is not None
    assert is_jpeg(kept)
    assert len(kept) <= MOST_KEPT
    log = await table.give(table.onlooker, "game log")
    assert "lays a photograph" in log.text


async def test_it_outlives_a_restart_between_the_steps(table: Table, photograph: bytes) -> None:
    await table.start()
    first = await sent(table, photograph)
    await table.restart()
    second = await name_corners(table, first.private[0], FIRST)
    await table.restart()
    done = await name_corners(table, second.private[0], exactly())
    assert "lays a photograph" in text(done.announced)
    await table.restart()
    assert (await game_of(table)).photograph is not None


async def test_corners_may_be_typed_in_pixels(table: Table, photograph: bytes) -> None:
    await table.start()
    assert "lays a photograph" in text((await laid(table, photograph)).announced)


@real_maps
async def test_the_map_is_over_it_until_it_is_removed_and_in_a_style_without_it(
    table: Table, photograph: bytes
) -> None:
    await table.start()

    async def of_map(**how: Any) -> str:
        (file,) = (await table.give(table.british, "map", **how)).messages[0].attachments
        data = table.env.backend.cdn.get(file.url)
        assert is_jpeg(data) is file.filename.endswith(".jpg")
        return str(file.filename)

    assert await of_map() == "table.png"
    await laid(table, photograph)
    assert await of_map() == "table.jpg"
    assert await of_map(area="C3") == "table.jpg"
    assert await of_map(side="british") == "table.jpg"
    assert await of_map(style="campaign") == "table.png"
    gone = await table.give(table.umpire, "photo remove")
    assert "ursula removes the photograph." in text(gone.announced)
    assert await of_map() == "table.png"
    again = await table.give(table.umpire, "photo remove")
    assert "No photograph lies under this table." in again.private_text


@real_maps
async def test_actions_and_order_sheets_are_shown_over_it(table: Table, photograph: bytes) -> None:
    await table.start()
    await laid(table, photograph)
    moved = await table.give(table.mahdist, "move", unit="Amarar", to="forward 6")
    await table.env.settle()
    assert [one.filename for one in table.now(moved.announced).attachments] == ["table.jpg"]
    sheet = await table.give(table.mahdist, "turn orders", text="Arteiga: forward 6")
    (over_it,) = sheet.private[0].attachments
    assert over_it.filename.endswith(".jpg")
    await table.give(table.umpire, "photo remove")
    again = await table.give(table.mahdist, "turn orders")
    (without,) = again.private[0].attachments
    assert without.filename.endswith(".png")


async def test_an_old_button_does_not_lay_a_newer_photograph(table: Table, photograph: bytes) -> None:
    await table.start()
    first = await sent(table, photograph)
    second = await name_corners(table, first.private[0], FIRST)
    newer = await sent(table, seen((10, 10)))
    assert "another was sent since" in (await name_corners(table, second.private[0], exactly())).private_text
    assert "another was sent since" in (await name_corners(table, first.private[0], FIRST)).private_text
    assert "Where exactly?" in (await name_corners(table, newer.private[0], FIRST)).private_text


async def test_a_button_under_a_grid_with_other_squares_asks_for_the_photograph_again(table: Table) -> None:
    await table.start()
    button = OldGridButton(
        "Name the four corners", game=(await game_of(table)).id, tag="12ab34cd", named="C3 V2 X15 A16"
    )
    view = Card().text("Yesterday's").buttons([button]).view()
    await table.env.bot.get_partial_messageable(table.channel.id).send(view=view)
    pressed = await table.press(table.umpire, table.newest(table.umpire), "Name the four corners")
    assert "Send the photograph again by /photo add. Nothing was changed." in pressed.private_text


async def test_only_the_umpire_lays_and_removes_it(table: Table, photograph: bytes) -> None:
    await table.start()
    refused = await table.give(table.british, "photo add", file=("table.jpg", photograph))
    assert "Only the umpire, ursula, may lay photographs under the units." in refused.private_text
    await sent(table, photograph)
    button = CornersButton("Name them", game=(await game_of(table)).id, tag="12ab34cd", named="")
    view = Card().text("For everyone").buttons([button]).view()
    await table.env.bot.get_partial_messageable(table.channel.id).send(view=view)
    tried = await name_corners(table, table.newest(table.british), FIRST, table.british)
    assert "Only the umpire" in tried.private_text
    await laid(table, photograph)
    assert "Only the umpire" in (await table.give(table.british, "photo remove")).private_text
    assert (await game_of(table)).photograph is not None


async def test_where_there_is_no_table_in_inches_corners_are_refused(table: Table, photograph: bytes) -> None:
    assert "No game runs" in (await sent(table, photograph)).private_text
    await table.give(table.umpire, "game new", rules="tanga", scenario="initial-assault")
    assert "Tanga 1914 is played on hexes" in (await laid(table, photograph)).private_text


@pytest.mark.parametrize(
    ("file", "said"),
    [(b"", "no picture"), (b"{}", "no picture"), (b"\xff\xd8\xff" * 99, "no picture"), (bytes(40_000_000), "limit")],
    ids=["empty", "JSON", "broken", "40 MB"],
)
async def test_a_file_that_is_no_photograph_changes_nothing(table: Table, file: bytes, said: str) -> None:
    await table.start()
    before = await game_of(table)
    answer = await sent(table, file)
    assert said in answer.private_text
    assert "Nothing was changed." in answer.private_text
    assert (await game_of(table)).seq == before.seq


NO_CORNERS = [
    ("C3 N2 P11", "You named 3."),
    ("C3 N2 P11 Z99", "Z99"),
    ("1,1 2,1 2,2 1,2", "not the four corners of a table"),
    ("10,395 600,400 575,24 30,20", "not the four corners of a table"),
    ("99999,1 2,99999 2,2 1,2", f"which is {WIDE} by {HIGH} pixels"),
    ("-125,-20 575,24 600,400 10,395", "Or give all four in pixels"),
]


async def test_corners_that_are_none_change_nothing(table: Table, photograph: bytes) -> None:
    await table.start()
    before = await game_of(table)
    for corners, said in NO_CORNERS:
        assert said in (await sent(table, photograph, corners=corners)).private_text
        assert (await game_of(table)).seq == before.seq


async def test_a_photograph_that_is_laid_or_of_another_game_is_not_taken_again(table: Table, photograph: bytes) -> None:
    await table.start()
    first = await sent(table, photograph)
    await laid(table, photograph)
    assert "Give /photo add again" in (await name_corners(table, first.private[0], FIRST)).private_text
    await sent(table, photograph)
    await table.give(table.umpire, "game end", confirm=True)
    await table.start()
    assert "Give /photo add again" in (await name_corners(table, first.private[0], FIRST)).private_text
