"""Pictures of umpire's events: stored once per command with the entry, in reports and files."""

import json
import re
from base64 import b64encode
from collections.abc import AsyncIterator
from io import BytesIO

import pytest
from PIL import Image

from bot.errors import BadFile, NotAllowed, UserError
from bot.games import events
from bot.games.readings import load_raw_entries, load_seeds
from bot.jobs.game_export import export_game
from bot.jobs.photograph import Illustration, MapPhotograph
from bot.journal.game import Actor, Played
from bot.reports.job import write_report
from bot.services import Games
from bot.store import Store
from render.photograph import MOST_KEPT, UnfitPicture, convert_illustration, require_rectified_jpeg
from rules.core.model import PUBLIC, UMPIRE
from rules.registry import rulesets
from tests.camera import create_jpeg, encode_image
from tests.readings import export_latest, write_latest_page

from .conftest import ANNA, BEN, CHANNEL

OTHER = 88
RED, BLUE = (230, 20, 20), (20, 20, 230)


@pytest.fixture
async def games(store: Store) -> AsyncIterator[Games]:
    """A game of Magdala in CHANNEL with Anna as umpire."""
    games = Games(store, rulesets())
    await games.starter.start(CHANNEL, 5, ANNA, "magdala", "suakin-1885", interaction=1)
    yield games
    await games.wait_for_changes()


def create_picture(colour: tuple[int, int, int] = RED) -> bytes:
    return create_jpeg(Image.new("RGB", (400, 300), colour))


async def tell_event(
    games: Games, text: str = "It rains.", colour: tuple[int, int, int] = RED, actor: Actor = ANNA, interaction: int = 0
) -> Played:
    async def fetch() -> bytes:
        return create_picture(colour)

    return await games.events.tell_event(CHANNEL, actor, text, fetch, interaction=interaction)


def test_a_stored_picture_is_upright_small_and_without_metadata() -> None:
    exif = Image.Exif()
    exif[0x0112], exif[0x010E] = 6, "secret"
    noise = Image.effect_noise((3000, 1500), 200)
    jpeg = convert_illustration(encode_image(noise.convert("CMYK"), "JPEG", exif=exif.tobytes()))
    require_rectified_jpeg(jpeg)
    assert len(jpeg) <= MOST_KEPT
    assert b"secret" not in jpeg
    wide, high = Image.open(BytesIO(jpeg)).size
    assert wide < high <= 1280


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"<svg/>", "no picture"),
        (encode_image(Image.new("RGB", (1, 1)), "PNG"), "16 each way"),
        (encode_image(Image.new("1", (8000, 8000)), "PNG"), "more than"),
        (encode_image(Image.new("RGB", (900, 100)), "PNG"), "6 times"),
        (encode_image(Image.new("RGB", (99, 99)), "GIF"), "no picture"),
    ],
    ids=["SVG", "1x1", "bomb", "slim", "GIF"],
)
def test_an_unusable_picture_is_refused_with_the_reason(data: bytes, why: str) -> None:
    with pytest.raises(UnfitPicture, match=why):
        convert_illustration(data)


async def test_the_same_interaction_tells_once(games: Games) -> None:
    event = await tell_event(games, interaction=50)
    repeated = await tell_event(games, interaction=50)
    assert repeated.entry.seq == event.entry.seq == (await games.running_game(CHANNEL)).seq
    assert await games.events.load_picture(event.game, repeated.entry) is not None
    with pytest.raises(NotAllowed, match="Only the umpire, Anna"):
        await tell_event(games, actor=BEN)


async def test_the_number_of_pictures_in_a_game_is_limited(games: Games, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events, "MOST_PICTURES", 2)
    for number in (1, 2):
        last = await tell_event(games, interaction=number + 10)
    with pytest.raises(UserError, match="the most there can be"):
        await tell_event(games)
    assert (await tell_event(games, interaction=12)).entry.seq == last.entry.seq, "it is told already"


async def test_a_command_in_two_processes_posts_one_event(games: Games, database_url: str) -> None:
    store = Store(database_url)
    both = games, Games(store, rulesets())
    events = [await tell_event(process, interaction=60) for process in both]
    assert events[0].entry == events[1].entry
    await store.close()


async def test_an_exported_game_has_its_pictures_for_everyone_and_is_equal_when_imported(games: Games) -> None:
    await tell_event(games, "It rains.", RED)
    event = await tell_event(games, "It clears.", BLUE)
    await games.undo.undo_actions(CHANNEL, ANNA, 1, progress=str(event.game.seq))
    exported = await export_latest(games, CHANNEL, BEN)
    imported = await games.importer.import_game(OTHER, 6, BEN, exported)
    second, first = json.loads(await export_latest(games, OTHER, BEN)), json.loads(exported)
    assert second["pictures"] == first["pictures"]
    assert [picture["seq"] for picture in first["pictures"]] == [event.entry.seq - 1, event.entry.seq]
    page = await write_latest_page(games, OTHER, PUBLIC)
    is_shown = {picture["seq"]: picture["jpeg"] in page for picture in first["pictures"]}
    assert is_shown == {event.entry.seq - 1: True, event.entry.seq: False}
    await games.undo.redo_action(OTHER, BEN, progress=str(imported.seq))
    assert first["pictures"][1]["jpeg"] in await write_latest_page(games, OTHER, PUBLIC)


async def test_an_export_omits_and_counts_the_oldest_surplus_pictures(games: Games) -> None:
    game = (await tell_event(games)).game
    photographs = [MapPhotograph(1, 1, bytes(MOST_KEPT)), MapPhotograph(2, 1, None)]
    illustrations = [Illustration(number, bytes([number]) * MOST_KEPT) for number in (3, 4, 5)]
    contents = await load_raw_entries(games._ledger, game), await load_seeds(games._ledger, game)
    largest = len(export_game(game, *contents, UMPIRE).data) + MOST_KEPT * 3
    export = export_game(game, *contents, UMPIRE, photographs, largest, illustrations)
    document = json.loads(export.data)
    assert export.left_out == 2
    assert (document["photographs"], len(document["pictures"])) == ([], 2)
    assert len(export.data) <= largest


async def test_a_report_counts_the_pictures_it_omits(games: Games) -> None:
    game = [(await tell_event(games, text)).game for text in ("One.", "Two.", "Three.")][-1]
    entries = await load_raw_entries(games._ledger, game, PUBLIC)
    large = [Illustration(game.seq - number, b"\xff\xd8" + bytes(MOST_KEPT)) for number in (2, 1, 0)]

    def page(largest: int) -> str:
        return write_report(game, entries, (), PUBLIC, "html", largest, (), large)

    assert "Pictures left out" not in page(4_000_000)
    assert page(4_000_000).count("image/jpeg") == 3
    small = page(1_000_000)
    assert "Pictures left out, the oldest, because with them this page would be too large to send: 2." in small
    assert small.index("image/jpeg") > small.index("Three.")
    assert len(small.encode()) <= 1_000_000


@pytest.mark.parametrize(
    ("pictures", "place"),
    [
        ([{"seq": 1, "jpeg": b64encode(create_picture()).decode()}], "pictures[0].seq"),
        ([{"seq": 10**5, "jpeg": b64encode(create_picture()).decode()}], "pictures[0].seq"),
        ([{"seq": 2, "jpeg": b64encode(b"{}").decode()}], "pictures[0].jpeg"),
        ([{"seq": 2, "jpeg": None}], "pictures[0].jpeg"),
        ([{"seq": 2, "jpeg": b64encode(create_picture()).decode(), "file": "/etc/passwd"}], "pictures[0].file"),
        ([{"seq": 2, "jpeg": b64encode(create_picture()).decode()}] * 2, "pictures[1].seq"),
    ],
)
async def test_a_file_with_a_bad_picture_is_refused_with_its_place(
    games: Games, pictures: list[object], place: str
) -> None:
    await games.actions.act_by_kind(CHANNEL, ANNA, "event", {"text": "It rains."}, interaction=0)
    document = {**json.loads(await export_latest(games, CHANNEL, ANNA)), "pictures": pictures}
    with pytest.raises(BadFile, match=re.escape(place)):
        await games.importer.import_game(OTHER, 6, BEN, json.dumps(document).encode())
