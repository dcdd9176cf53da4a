"""`/move`: distances, pictures, refusals with their rule, and completion of `to`."""

import pytest

from .loaded_dice import LoadedDice
from .table import Table, text


@pytest.fixture
def dice(monkeypatch: pytest.MonkeyPatch) -> LoadedDice:
    return LoadedDice(monkeypatch)


async def test_mm_2_5_native_foot_throws_for_its_move(table: Table, dice: LoadedDice) -> None:
    await table.start()
    dice.fall(3, 2)
    answer = await table.give(table.mahdist, "move", unit="ashraf", to="forward 10")
    reply = text(answer.announced)
    assert "2D6 3 2, +2 native and irregular foot = 7: up to 7 inches" in reply
    assert 'Ashraf move 7".' in reply
    assert "They stand at E2 facing south." in reply
    card = await table.give(table.onlooker, "unit show", unit="ashraf")
    assert "E2 facing south (52.5,16 facing 180°)" in card.private_text


@pytest.mark.usefixtures("real_maps")
async def test_the_picture_comes_later_and_shows_the_moves_area(table: Table) -> None:
    await table.start()
    answer = await table.give(table.mahdist, "move", unit="ashraf", to="forward 3")
    (picture,) = answer.announced.attachments
    assert (await picture.read()).startswith(b"\x89PNG")
    assert "Ashraf 30" in text(answer.announced)
    assert "a part of the table" in text(answer.announced)
    assert "5th Lancers" not in text(answer.announced)


async def test_the_answer_does_not_wait_for_the_picture(table: Table) -> None:
    await table.start()
    await table.give(table.mahdist, "move", unit="ashraf", to="forward 3")
    callback = [request for request in table.env.http_requests if "/callback" in request.path][-1]
    edited = [request for request in table.env.http_requests if request.method == "PATCH"][-1]
    requests = list(table.env.http_requests)
    assert requests.index(callback) < requests.index(edited)


async def test_a_move_is_done_even_if_its_picture_fails(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    await table.start()

    def broken(*_: object, **__: object) -> bytes:
        raise OSError("no ink")

    monkeypatch.setattr("render.scenes.draw", broken)
    answer = await table.give(table.mahdist, "move", unit="ashraf", to="forward 3")
    assert "Ashraf move" in text(answer.announced)
    assert not answer.private


async def test_formation_changes_are_circumstances(table: Table) -> None:
    await table.start()
    answer = await table.give(table.mahdist, "move", unit="camels-bisharin", **{"with": "dismount"})
    assert "camelmen dismount." in text(answer.announced)


REFUSED = [
    ({"unit": "ashraf", "to": "nowhere at all"}, "is no destination here. Write inches as “forward 6”"),
    ({"unit": "ashraf", "to": "towards Nobody"}, "The nearest"),
    ({"unit": "berkshires", "to": "forward 3"}, "You play the Army of Osman Digna"),
    ({"unit": "ashraf", "to": "forward 3", "with": "galop"}, "no circumstance"),
    ({"unit": "zzz", "to": "forward 3"}, "No unit here is called"),
]


async def test_a_refused_move_is_private_and_moves_nothing(table: Table) -> None:
    await table.start()
    games = table.env.bot.games
    before = (await games.running_game(table.channel.id)).state
    for options, hint in REFUSED:
        answer = await table.give(table.mahdist, "move", **options)
        assert hint in answer.private_text
        assert (await games.running_game(table.channel.id)).state == before


async def test_an_onlooker_moves_nothing(table: Table) -> None:
    await table.start()
    answer = await table.give(table.onlooker, "move", unit="ashraf", to="forward 3")
    assert "You are an onlooker" in answer.private_text


async def test_to_completes_for_the_named_unit(table: Table) -> None:
    await table.start()
    completions = await table.complete(table.mahdist, "move", "to", unit="ashraf")
    assert any(place.startswith("forward") for place in completions)
    assert "towards 1st Berkshires" in await table.complete(table.mahdist, "move", "to", "towards berk", unit="ashraf")
    assert await table.complete(table.mahdist, "move", "to", "for") == []


async def test_circumstances_complete(table: Table) -> None:
    await table.start()
    assert "dismount" in await table.complete(table.mahdist, "move", "with", "dism", unit="camels-bisharin")
