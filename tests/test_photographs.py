"""Stored photographs of tables: one per turn in report and replay, and carried by exports."""

import json
import re
from base64 import b64decode, b64encode
from collections.abc import AsyncIterator, Sequence
from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageSequence
from sqlalchemy import func, select

from bot.channel.boards import BoardMessage, Boards
from bot.errors import BadFile, NotAllowed, Stale, UserError
from bot.games import photographs
from bot.games.readings import load_raw_entries, load_seeds
from bot.jobs.game_export import export_game
from bot.jobs.photograph import MapPhotograph, PreparedPhotograph, find_photograph_under_map
from bot.jobs.pictures import draw_table
from bot.journal.cache import GameCache
from bot.journal.game import Actor, Game
from bot.services import Games
from bot.store import Store
from bot.store.tables import PHOTOGRAPHS
from render import photograph
from render.photograph import MOST_KEPT
from rules.core.model import PUBLIC, UMPIRE
from rules.registry import rulesets
from tests.camera import CORNERS, SIZE, create_jpeg, encode_image
from tests.readings import export_latest, render_replay, write_latest_page

from .conftest import ANNA, BEN, CHANNEL

PARTS = [(x / SIZE[0], y / SIZE[1]) for x, y in CORNERS]
WHOLE = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]
RED, GREEN, BLUE = (230, 20, 20), (20, 200, 20), (20, 20, 230)
OTHER = 88


@pytest.fixture(autouse=True)
def small_photographs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rectified photographs made small: these tests only check their colour."""
    monkeypatch.setattr(photograph, "FLAT_SIDE", 300)


@pytest.fixture
async def games(store: Store) -> AsyncIterator[Games]:
    """A game of Magdala in CHANNEL with Anna as umpire."""
    games = Games(store, rulesets())
    await games.starter.start(CHANNEL, 5, ANNA, "magdala", "suakin-1885", interaction=1)
    yield games
    await games.wait_for_changes()


def create_cloth(colour: tuple[int, int, int]) -> bytes:
    return create_jpeg(Image.new("RGB", (600, 400), colour))


async def send_photograph(games: Games, data: bytes, actor: Actor = ANNA) -> tuple[Game, PreparedPhotograph]:
    async def fetch() -> bytes:
        return data

    return await games.photographs.store_pending_photograph(CHANNEL, actor, fetch)


async def lay_photograph(games: Games, colour: tuple[int, int, int] | bytes, interaction: int = 0) -> Game:
    data = colour if isinstance(colour, bytes) else create_cloth(colour)
    game, prepared = await send_photograph(games, data)
    return (
        await games.photographs.lay_on_table(CHANNEL, ANNA, game.id, prepared.tag, WHOLE, interaction=interaction)
    ).game


async def pass_turn(games: Games, turn: int) -> None:
    while (await games.running_game(CHANNEL)).state.turn < turn:
        await games.actions.act_by_kind(CHANNEL, ANNA, "turn_next", {}, interaction=0)


def find_main_colour(data: bytes | Image.Image | None) -> tuple[int, int, int] | None:
    """Return the colour, of three, that covers most of a picture, or None."""
    if data is None:
        return None
    image = (Image.open(BytesIO(data)) if isinstance(data, bytes) else data).convert("RGB").resize((60, 40))
    pixels = [image.getpixel((x, y)) for x in range(60) for y in range(40)]
    near = {
        colour: sum(max(abs(a - b) for a, b in zip(pixel, colour, strict=True)) < 60 for pixel in pixels)
        for colour in (RED, GREEN, BLUE)
    }
    main = max(near, key=lambda colour: near[colour])
    return main if near[main] > len(pixels) // 5 else None


async def test_a_photograph_lies_under_all_later_maps(games: Games, store: Store) -> None:
    assert (await games.running_game(CHANNEL)).photograph is None
    assert find_main_colour((await lay_photograph(games, RED)).photograph) == RED
    assert find_main_colour((await Games(store, rulesets()).running_game(CHANNEL)).photograph) == RED
    assert find_main_colour((await lay_photograph(games, BLUE)).photograph) == BLUE
    await games.rolls.roll(CHANNEL, ANNA, "1d6", interaction=0)
    assert find_main_colour((await games.running_game(CHANNEL)).photograph) == BLUE
    game_without = (await games.photographs.remove_photograph(CHANNEL, ANNA, interaction=0)).game
    assert game_without.photograph is None
    assert (await Games(store, rulesets()).running_game(CHANNEL)).photograph is None
    with pytest.raises(UserError, match="No photograph lies"):
        await games.photographs.remove_photograph(CHANNEL, ANNA, interaction=0)


async def test_the_number_of_photographs_in_a_game_is_limited(games: Games, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(photographs, "MOST_PHOTOGRAPHS", 2)
    await lay_photograph(games, RED)
    await games.photographs.remove_photograph(CHANNEL, ANNA, interaction=0)
    await lay_photograph(games, BLUE)
    with pytest.raises(UserError, match="photographs have been laid in this game, the most there can be"):
        await send_photograph(games, create_cloth(GREEN))


async def test_an_interaction_lays_a_photograph_once(games: Games) -> None:
    game, prepared = await send_photograph(games, create_cloth(RED))
    laid = await games.photographs.lay_on_table(CHANNEL, ANNA, game.id, prepared.tag, WHOLE, interaction=50)
    repeated = await games.photographs.lay_on_table(CHANNEL, ANNA, game.id, prepared.tag, WHOLE, interaction=50)
    assert repeated.entry.seq == laid.entry.seq
    with pytest.raises(Stale):
        await games.photographs.lay_on_table(CHANNEL, ANNA, game.id, prepared.tag, WHOLE, interaction=51)
    assert (await games.running_game(CHANNEL)).seq == laid.game.seq


async def test_a_press_in_two_processes_lays_a_photograph_once(games: Games, database_url: str) -> None:
    store = Store(database_url)
    game, prepared = await send_photograph(games, create_cloth(RED))
    both = games, Games(store, rulesets())
    laid = [
        await process.photographs.lay_on_table(CHANNEL, ANNA, game.id, prepared.tag, WHOLE, interaction=60)
        for process in both
    ]
    assert laid[0].entry == laid[1].entry
    gone = [await process.photographs.remove_photograph(CHANNEL, ANNA, interaction=61) for process in both]
    assert gone[0].entry == gone[1].entry
    assert gone[0].game.seq == game.seq + 2
    await store.close()


async def test_a_pictures_description_mentions_the_photograph(games: Games) -> None:
    system, state = (game := await games.running_game(CHANNEL)).ruleset, game.state
    assert not draw_table(system, state).words.startswith("Over a photograph")
    laid = draw_table(system, state, photograph=(await lay_photograph(games, RED)).photograph)
    assert laid.words.startswith("Over a photograph of the table: Suakin 1885")


async def test_a_photograph_without_corners_is_the_umpires_and_stored_once(games: Games, store: Store) -> None:
    with pytest.raises(NotAllowed, match="Only the umpire, Anna"):
        await send_photograph(games, create_cloth(RED), BEN)
    (_, older), (game, prepared) = [await send_photograph(games, create_cloth(colour)) for colour in (RED, GREEN)]
    async with store.query_connection() as connection:
        assert await connection.scalar(select(func.count()).select_from(PHOTOGRAPHS)) == 1
    for work in (
        games.photographs.enlarge_corners(CHANNEL, BEN, game.id, prepared.tag, [(0, 0)] * 4),
        games.photographs.lay_on_table(CHANNEL, BEN, game.id, prepared.tag, WHOLE, interaction=0),
        games.photographs.remove_photograph(CHANNEL, BEN, interaction=0),
    ):
        with pytest.raises(NotAllowed):
            await work
    assert (await games.running_game(CHANNEL)).photograph is None
    with pytest.raises(Stale, match="another was sent since"):
        await games.photographs.lay_on_table(CHANNEL, ANNA, game.id, older.tag, WHOLE, interaction=0)
    with pytest.raises(Stale, match="another was sent since"):
        await games.photographs.enlarge_corners(CHANNEL, ANNA, game.id, older.tag, [(0, 0)] * 4)
    laid = await games.photographs.lay_on_table(CHANNEL, ANNA, game.id, prepared.tag, WHOLE, interaction=0)
    assert find_main_colour(laid.game.photograph) == GREEN


async def test_report_and_replay_show_each_turns_photograph(games: Games) -> None:
    await lay_photograph(games, RED)
    await games.actions.act_by_kind(CHANNEL, ANNA, "move", {"unit": "amarar", "to": "forward 6"}, interaction=0)
    await pass_turn(games, 2)
    await games.actions.act_by_kind(CHANNEL, ANNA, "move", {"unit": "arteiga", "to": "forward 6"}, interaction=0)
    await lay_photograph(games, BLUE)
    await pass_turn(games, 3)
    await games.photographs.remove_photograph(CHANNEL, ANNA, interaction=0)
    await games.actions.act_by_kind(
        CHANNEL, ANNA, "set", {"unit": "marines", "field": "casualties", "value": "4"}, interaction=0
    )
    page = await write_latest_page(games, CHANNEL, PUBLIC)
    pictures = re.findall(r"data:image/(png|jpeg);base64,([A-Za-z0-9+/=]+)", page)
    maps = [(kind, find_main_colour(b64decode(data))) for kind, data in pictures]
    assert maps == [("jpeg", RED), ("jpeg", BLUE), ("jpeg", BLUE), ("png", None)]
    film = await render_replay(games, CHANNEL, None, 10_000_000)
    assert film is not None
    frames = [find_main_colour(frame.copy()) for frame in ImageSequence.Iterator(Image.open(BytesIO(film.gif)))]
    assert list(dict.fromkeys(frames)) == [RED, BLUE, None]


@given(
    st.lists(st.tuples(st.integers(1, 40), st.integers(1, 6), st.booleans()), unique_by=lambda event: event[0]),
    st.data(),
)
def test_a_turn_has_its_own_or_the_previous_photograph(
    events: list[tuple[int, int, bool]], data: st.DataObject
) -> None:
    turns = sorted(turn for _, turn, _ in events)
    photographs = [
        MapPhotograph(seq, turn, str(seq).encode() if has_picture else None)
        for (seq, _, has_picture), turn in zip(sorted(events), turns, strict=True)
    ]
    seq, turn = data.draw(st.integers(0, 41)), data.draw(st.integers(1, 7))
    jpeg = find_photograph_under_map(photographs, turn, seq)
    before = [laid for laid in photographs if laid.seq <= seq]
    own = [laid.jpeg for laid in photographs if laid.turn == turn]
    if before and before[-1].turn >= turn:
        assert jpeg == before[-1].jpeg
    elif any(own):
        assert jpeg in own
    else:
        assert jpeg == (before[-1].jpeg if before else None)


async def test_an_exported_game_has_its_photographs_and_is_equal_when_imported(games: Games) -> None:
    for colour in (RED, GREEN):
        await lay_photograph(games, colour)
    await games.photographs.remove_photograph(CHANNEL, ANNA, interaction=0)
    await lay_photograph(games, BLUE)
    exported = await export_latest(games, CHANNEL, BEN)
    imported = await games.importer.import_game(OTHER, 6, BEN, exported)
    assert imported.photograph == (await games.running_game(CHANNEL)).photograph
    second, first = json.loads(await export_latest(games, OTHER, BEN)), json.loads(exported)
    assert second["photographs"] == first["photographs"]
    assert [photograph["jpeg"] is None for photograph in first["photographs"]] == [False, False, True, False]


async def test_an_export_omits_and_counts_the_oldest_surplus_photographs(games: Games) -> None:
    for colour in (RED, GREEN, BLUE):
        game = await lay_photograph(games, colour)
    photographs = [MapPhotograph(number, 1, bytes([number]) * MOST_KEPT) for number in range(1, 4)]
    contents = await load_raw_entries(games._ledger, game), await load_seeds(games._ledger, game)
    largest = len(export_game(game, *contents, UMPIRE).data) + MOST_KEPT * 3
    export = export_game(game, *contents, UMPIRE, photographs, largest)
    assert export.left_out == 1
    assert len(export.data) <= largest
    assert [photograph["seq"] for photograph in json.loads(export.data)["photographs"]] == [2, 3]


GIF = encode_image(Image.new("RGB", (300, 300)), "GIF")


@pytest.mark.parametrize(
    ("photographs", "place"),
    [
        ([{"seq": 0, "jpeg": None}], "photographs[0].seq"),
        ([{"seq": 10**5, "jpeg": None}], "photographs[0].seq"),
        ([{"seq": 1, "jpeg": None}, {"seq": 1, "jpeg": None}], "photographs[1].seq"),
        ([{"seq": 1, "jpeg": "not base64!"}], "photographs[0].jpeg"),
        ([{"seq": 1, "jpeg": b64encode(b"{}").decode()}], "photographs[0].jpeg"),
        ([{"seq": 1, "jpeg": b64encode(GIF).decode()}], "photographs[0].jpeg"),
        ([{"seq": 1, "jpeg": b64encode(b"\xff\xd8" + bytes(99)).decode()}], "photographs[0].jpeg"),
        ([{"seq": 1, "jpeg": b64encode(create_jpeg(Image.new("RGB", (3000, 20)))).decode()}], "photographs[0].jpeg"),
        ([{"seq": 1, "jpeg": b64encode(b"\xff\xd8" + bytes(MOST_KEPT)).decode()}], "photographs[0].jpeg"),
        ([{"seq": 1, "file": "/etc/passwd"}], "photographs[0].file"),
    ],
)
async def test_a_file_with_a_bad_photograph_is_refused_with_its_place(
    games: Games, photographs: Sequence[object], place: str
) -> None:
    document = {**json.loads(await export_latest(games, CHANNEL, ANNA)), "photographs": photographs}
    with pytest.raises(BadFile, match=re.escape(place)):
        await games.importer.import_game(OTHER, 6, BEN, json.dumps(document).encode())


async def test_a_replay_after_an_undo_shows_the_present_photograph(games: Games) -> None:
    await lay_photograph(games, RED)
    await pass_turn(games, 2)
    last = await lay_photograph(games, BLUE)
    while (game := await games.running_game(CHANNEL)).state.turn == 2:
        await games.undo.undo_actions(CHANNEL, ANNA, 1, progress=str(game.seq))
    await games.actions.act_by_kind(
        CHANNEL, ANNA, "set", {"unit": "marines", "field": "casualties", "value": "4"}, interaction=0
    )
    assert (await games.running_game(CHANNEL)).photograph == last.photograph
    film = await render_replay(games, CHANNEL, None, 10_000_000)
    assert film is not None
    frames = [find_main_colour(frame.copy()) for frame in ImageSequence.Iterator(Image.open(BytesIO(film.gif)))]
    assert (frames[0], frames[-1]) == (RED, BLUE)


async def test_a_board_is_outdated_when_a_photograph_changes(games: Games, store: Store) -> None:
    boards, game = Boards(store, games), await games.running_game(CHANNEL)
    board = BoardMessage(game.id, CHANNEL, 7, game.seq, game.seq)
    assert not await boards.needs_new_card(board)
    await lay_photograph(games, RED)
    assert await boards.needs_new_card(board)


async def test_a_game_with_a_photograph_is_not_held_packed(games: Games) -> None:
    game_cache = GameCache(parsed=1)
    game = await lay_photograph(games, RED)
    game_cache.put(game, b"")
    assert await game_cache.running_game(CHANNEL) is game
    process = Games(games._ledger.store, rulesets())
    game_cache.put((await process.starter.start(OTHER, 5, ANNA, "magdala", "suakin-1885", interaction=2)).game, b"")
    assert await game_cache.running_game(CHANNEL) is None
    assert await game_cache.get(game.id) is None
