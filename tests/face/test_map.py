"""`/map`: the table as a picture, parts of the table, styles, and a side's private view."""

from io import BytesIO

import discord
import pytest
from PIL import Image

from render.fixed_palette import palette_entries
from render.palette import PALETTES

from .table import Table, text

pytestmark = pytest.mark.usefixtures("real_maps")


async def picture_size(message) -> tuple[int, int]:
    (picture,) = message.attachments
    return Image.open(BytesIO(await picture.read())).size


async def test_the_map_shows_the_whole_table_with_a_description(table: Table) -> None:
    await table.start()
    answer = await table.give(table.onlooker, "map")
    reply = text(answer.announced)
    assert "turn 1" in reply
    assert "1st Berkshires C3 24" in reply
    assert min(await picture_size(answer.announced)) > 400


@pytest.mark.parametrize(
    ("area", "inside", "outside"),
    [
        ("C1-D1", "Amarar", "1st Berkshires"),
        ("c3", "1st Berkshires", "Amarar"),
        ("ashraf", "Ashraf", "5th Lancers"),
        ("Baggara horse", "Jaalin horse", "1st Berkshires"),
    ],
)
async def test_an_area_is_drawn_larger(area: str, inside: str, outside: str, table: Table) -> None:
    await table.start()
    reply = text((await table.give(table.onlooker, "map", area=area)).announced)
    assert inside in reply
    assert outside not in reply


BAD_AREAS = ["Z9", "A1-Z9", "nowhere", "A0", "-"]


async def test_an_unknown_area_is_refused_privately(table: Table) -> None:
    await table.start()
    for area in BAD_AREAS:
        answer = await table.give(table.onlooker, "map", area=area)
        assert "A1" in answer.private_text


async def test_styles_differ(table: Table) -> None:
    await table.start()
    images = set()
    for style in ("campaign", "print"):
        (picture,) = (await table.give(table.onlooker, "map", style=style)).announced.attachments
        images.add(await picture.read())
    assert len(images) == 2


async def test_a_sides_view_is_private(table: Table) -> None:
    await table.start()
    before = list(table.read_by(table.onlooker))
    answer = await table.give(table.mahdist, "map", side="mahdists")
    assert answer.private[0].attachments
    assert not answer.public
    assert list(table.read_by(table.onlooker)) == before


@pytest.mark.parametrize("side", ["british", "umpire"])
async def test_nobody_else_sees_a_sides_view(side: str, table: Table) -> None:
    await table.start()
    for actor in (table.mahdist, table.onlooker):
        answer = await table.give(actor, "map", side=side)
        assert "ursula" in answer.private_text
        assert not answer.private[0].attachments
    assert (await table.give(table.umpire, "map", side=side)).private[0].attachments


async def test_an_unknown_side_is_refused_with_the_known_sides(table: Table) -> None:
    await table.start()
    assert "British" in (await table.give(table.umpire, "map", side="french")).private_text


async def test_without_a_game_there_is_no_map(table: Table) -> None:
    assert "/game new" in (await table.give(table.onlooker, "map")).private_text


async def test_the_table_of_an_ended_game_can_still_be_seen(table: Table) -> None:
    await table.start()
    await table.give(table.umpire, "game end", confirm=True)
    assert (await table.give(table.onlooker, "map")).announced.attachments


async def test_area_and_side_complete(table: Table) -> None:
    await table.start()
    assert "ashraf" in await table.complete(table.onlooker, "map", "area", "ashr")
    assert (await table.complete(table.onlooker, "map", "area", "D2"))[0] == "D2"
    assert set(await table.complete(table.onlooker, "map", "side")) == {"british", "mahdists"}


async def test_a_name_missing_from_the_fonts_is_a_number_with_a_legend(table: Table) -> None:
    await table.start()
    troop = (await table.complete(table.umpire, "unit add", "troop", "british"))[0]
    await table.give(table.umpire, "unit add", troop=troop, side="British", name="義和団 第1隊", at="C3")
    answer = await table.give(table.british, "map")
    assert "On the picture: #1 = 義和団 第1隊" in answer.text
    assert "On the picture" not in (await table.give(table.british, "map", area="A1")).text
    sheet = await table.give(table.british, "turn orders", text="義和団 第1隊: forward 3")
    assert "On the picture: #1 = 義和団 第1隊" in sheet.private_text


async def plain_colours(message: discord.Message) -> set[tuple[int, int, int]]:
    """Return the colours of the message's picture."""
    (picture,) = message.attachments
    image = Image.open(BytesIO(await picture.read())).convert("RGB")
    return {colour for _, colour in image.getcolors(1 << 24)}


def side_colour(palette: str) -> tuple[int, int, int]:
    """Return the first side's colour."""
    return tuple(PALETTES[palette].side_colours[0])


async def test_a_users_palette_applies_to_private_pictures_only(table: Table) -> None:
    await table.start()
    answer = await table.give(table.mahdist, "map", style="tritanopia", **{"for": "me"})
    assert "tritanopia" in answer.private_text
    assert not answer.public
    own = (await table.give(table.mahdist, "map", side="mahdists")).private[0]
    assert side_colour("tritanopia") in await plain_colours(own)
    public = (await table.give(table.mahdist, "map")).announced
    assert side_colour("campaign") in await plain_colours(public)
    assert side_colour("tritanopia") not in await plain_colours(public)
    umpires = (await table.give(table.umpire, "map", side="mahdists")).private[0]
    assert side_colour("campaign") in await plain_colours(umpires)
    await table.give(table.mahdist, "map", style="campaign", **{"for": "me"})
    own = (await table.give(table.mahdist, "map", side="mahdists")).private[0]
    assert side_colour("campaign") in await plain_colours(own)


PRIVATE: tuple[tuple[str, dict[str, str]], ...] = (
    ("map", {"side": "mahdists"}),
    ("map", {"side": "mahdists", "area": "C3"}),
    ("odds", {"test": "fire", "unit": "Riflemen of Tokar", "target": "1st Berkshires"}),
    ("turn orders", {"text": "Amarar: forward 3"}),
    ("turn orders", {}),
    ("game since", {}),
    ("game brief", {}),
)


async def test_every_private_picture_has_the_users_own_palette(table: Table) -> None:
    """The user's palette wins over the game's, which the umpire set, in every kind of picture."""
    await table.start()
    await table.give(table.umpire, "map", style="protanopia", **{"for": "game"})
    await table.give(table.mahdist, "map", style="tritanopia", **{"for": "me"})
    await table.give(table.umpire, "umpire set", unit="amarar", field="place", value="30,20")
    for command, options in PRIVATE:
        answer = await table.give(table.mahdist, command, **options)
        pictures = [
            attachment
            for message in answer.private
            for attachment in message.attachments
            if attachment.filename.endswith(".png")
        ]
        assert pictures, f"{command} {options}"
        for picture in pictures:
            data = table.env.backend.cdn.get(picture.url)
            assert palette_entries("tritanopia") in data, f"{command} {options}: {picture.filename}"
    brief = await table.give(table.british, "game brief")
    assert palette_entries("protanopia") in table.env.backend.cdn.get(brief.private[0].attachments[0].url)


async def test_the_umpire_sets_the_games_palette(table: Table) -> None:
    await table.start()
    refused = await table.give(table.mahdist, "map", style="protanopia", **{"for": "game"})
    assert "umpire" in refused.private_text
    answer = await table.give(table.umpire, "map", style="protanopia", **{"for": "game"})
    assert "protanopia" in text(answer.announced)
    message = (await table.give(table.onlooker, "map")).announced
    assert side_colour("protanopia") in await plain_colours(message)


@pytest.mark.parametrize("scope", ["me", "game"])
async def test_only_a_palette_can_be_kept(scope: str, table: Table) -> None:
    await table.start()
    assert "cannot be kept" in (await table.give(table.umpire, "map", style="print", **{"for": scope})).private_text
    assert "Nothing was changed" in (await table.give(table.umpire, "map", **{"for": scope})).private_text
