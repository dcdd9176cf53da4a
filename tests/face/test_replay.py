"""/game replay: the game again as moving pictures, for everyone and as everyone may see it."""

from io import BytesIO

import pytest
from PIL import Image, ImageSequence

from bot.games.history import StoredState, last_turns
from bot.jobs.replay import spread_evenly
from cogs.game import replay

from .table import Answer, Table, text

DEFERRED = 5
"""The kind of a first answer that only says "thinking…"."""


async def frames(answer: Answer) -> int:
    (film,) = answer.announced.attachments
    assert film.filename == "replay.gif"
    return sum(1 for _ in ImageSequence.Iterator(Image.open(BytesIO(await film.read()))))


async def two_moves_and_a_turn(table: Table) -> None:
    await table.start()
    for unit in ("arteiga", "amarar"):
        moved = await table.give(table.umpire, "move", unit=unit, to="forward 2")
        assert moved.public, moved.text
    passed = await table.pass_on(table.umpire)
    assert passed.public, passed.text
    await table.give(table.umpire, "move", unit="berkshires", to="forward 2")


async def test_the_whole_game_is_shown_to_everyone_or_its_last_turns(table: Table) -> None:
    await two_moves_and_a_turn(table)
    answer = await table.give(table.onlooker, "game replay")
    (*_, thinking) = (request.json for request in table.env.http_requests if request.path.endswith("/callback"))
    assert thinking is not None
    assert thinking["type"] == DEFERRED
    assert "Turn 1, British" in text(answer.announced)
    assert await frames(answer) == 5
    await table.pass_on(table.umpire)
    assert await frames(await table.give(table.onlooker, "game replay")) == 6
    assert await frames(await table.give(table.onlooker, "game replay", turns=1)) == 2


async def test_nothing_to_show_yet_is_refused_privately(table: Table) -> None:
    assert "/game new" in (await table.give(table.british, "game replay")).private_text
    await table.start()
    assert "Play a turn first" in (await table.give(table.british, "game replay")).private_text


async def test_a_film_too_large_for_a_message_has_fewer_frames(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    await two_moves_and_a_turn(table)
    whole = await table.give(table.onlooker, "game replay")
    monkeypatch.setattr(replay, "LARGEST_FILE", whole.announced.attachments[0].size - 1)
    shorter = await table.give(table.onlooker, "game replay")
    assert 2 <= await frames(shorter) < await frames(whole)
    assert shorter.announced.attachments[0].size <= replay.LARGEST_FILE


def test_the_last_turns_begin_where_the_turn_before_them_ended() -> None:
    states = [StoredState(seq, turn, b"") for seq, turn in enumerate((1, 1, 2, 2, 3), 1)]
    assert last_turns(states, 1) == states[3:]
    assert last_turns(states, 2) == states[1:]
    assert last_turns(states, 3) == last_turns(states, 9) == last_turns(states, None) == states
    assert last_turns([], 2) == []


@pytest.mark.parametrize("length", [1, 2, 59, 60, 61, 200])
def test_no_more_frames_than_sixty_the_first_and_the_last_among_them(length: int) -> None:
    kept = spread_evenly(range(length), 60)
    assert len(kept) == min(length, 60)
    assert (kept[0], kept[-1]) == (0, length - 1)
    assert list(kept) == sorted(set(kept))
