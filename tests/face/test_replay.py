"""`/game replay`: the game as an animation for everyone, limited to public knowledge."""

from io import BytesIO

import pytest
from PIL import Image, ImageSequence

from bot.games.history import StoredState, states_of_last_turns
from bot.jobs.replay import select_evenly
from cogs.game import replay

from .table import Answer, Table, text

DEFERRED = 5
"""Discord's type of the first response "thinking…"."""


async def count_frames(answer: Answer) -> int:
    (film,) = answer.announced.attachments
    assert film.filename == "replay.gif"
    return sum(1 for _ in ImageSequence.Iterator(Image.open(BytesIO(await film.read()))))


async def play_two_moves_and_a_turn(table: Table) -> None:
    await table.start()
    for unit in ("arteiga", "amarar"):
        moved = await table.give(table.umpire, "move", unit=unit, to="forward 2")
        assert moved.public, moved.text
    passed = await table.pass_on(table.umpire)
    assert passed.public, passed.text
    await table.give(table.umpire, "move", unit="berkshires", to="forward 2")


async def test_a_replay_shows_the_whole_game_or_its_last_turns(table: Table) -> None:
    await play_two_moves_and_a_turn(table)
    answer = await table.give(table.onlooker, "game replay")
    (*_, thinking) = (request.json for request in table.env.http_requests if request.path.endswith("/callback"))
    assert thinking is not None
    assert thinking["type"] == DEFERRED
    assert "Turn 1, British" in text(answer.announced)
    assert await count_frames(answer) == 5
    await table.pass_on(table.umpire)
    assert await count_frames(await table.give(table.onlooker, "game replay")) == 6
    assert await count_frames(await table.give(table.onlooker, "game replay", turns=1)) == 2


async def test_a_replay_of_an_empty_game_is_refused_privately(table: Table) -> None:
    assert "/game new" in (await table.give(table.british, "game replay")).private_text
    await table.start()
    assert "Play a turn first" in (await table.give(table.british, "game replay")).private_text


async def test_a_large_replay_has_fewer_frames(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    await play_two_moves_and_a_turn(table)
    replay_answer = await table.give(table.onlooker, "game replay")
    monkeypatch.setattr(replay, "LARGEST_FILE", replay_answer.announced.attachments[0].size - 1)
    shorter = await table.give(table.onlooker, "game replay")
    assert 2 <= await count_frames(shorter) < await count_frames(replay_answer)
    assert shorter.announced.attachments[0].size <= replay.LARGEST_FILE


def test_the_last_turns_begin_at_the_end_of_the_turn_before() -> None:
    states = [StoredState(seq, turn, b"") for seq, turn in enumerate((1, 1, 2, 2, 3), 1)]
    assert states_of_last_turns(states, 1) == states[3:]
    assert states_of_last_turns(states, 2) == states[1:]
    assert (
        states_of_last_turns(states, 3)
        == states_of_last_turns(states, 9)
        == states_of_last_turns(states, None)
        == states
    )
    assert states_of_last_turns([], 2) == []


@pytest.mark.parametrize("length", [1, 2, 59, 60, 61, 200])
def test_a_replay_has_at_most_60_frames_with_the_first_and_the_last(length: int) -> None:
    indices = select_evenly(range(length), 60)
    assert len(indices) == min(length, 60)
    assert (indices[0], indices[-1]) == (0, length - 1)
    assert list(indices) == sorted(set(indices))
