"""Seats in games with hidden units are closed to everyone who has seen the enemy's secrets, by any path."""

from typing import Any

import pytest
import simcord

from .rooms import hide
from .table import Answer, Table, text
from .test_clock import later, reminded

__all__ = ["later"]

KNOWS_SECRETS = "knows what is hidden there"
SEAT = "Play the Army of Osman Digna"


async def free_seat(table: Table) -> simcord.ResponseMessage:
    """Begin a game with a hidden Mahdist unit and a free British seat. Return the message with the join buttons."""
    begun = await table.start()
    await hide(table)
    await table.give(table.british, "game leave")
    return begun.announced


async def test_a_former_umpire_who_saw_hidden_units_may_not_join(table: Table) -> None:
    begun = await free_seat(table)
    await table.give(table.umpire, "umpire appoint", user=table.onlooker)
    for refused in (
        await table.give(table.umpire, "game join", side="british"),
        await table.press(table.umpire, begun, "Play the British"),
    ):
        assert (
            f"ursula has been the umpire and {KNOWS_SECRETS}, so somebody else must play the British." in refused.text
        )
        assert not refused.public
    joined = await table.give(table.british, "game join", side="british")
    assert "plays the **British**" in joined.text, "the former player of the seat"


async def test_a_former_umpire_may_not_become_a_substitute(table: Table, later: Any) -> None:
    await table.start()
    await hide(table)
    await table.give(table.umpire, "umpire appoint", user=table.onlooker)
    offer = await table.give(table.mahdist, "game substitute")
    for actor, reason in ((table.umpire, "ursula has been the umpire"), (table.onlooker, "olga has been the umpire")):
        refused = await table.press(actor, offer.announced, SEAT)
        assert reason in refused.private_text
    await table.give(table.onlooker, "game clock", hours=10)
    later(10)
    (message,) = await reminded(table)
    question = await table.press(table.onlooker, message, "Seat a substitute")
    refused = Answer(await table.onlooker.select(question.private[0], [table.umpire]), pressed=question.private[0].id)
    assert KNOWS_SECRETS in refused.private_text


async def test_an_umpire_who_resigned_before_units_were_hidden_may_play(table: Table) -> None:
    await table.start(seated=False)
    await table.give(table.umpire, "umpire option", name="hidden troops", value="yes")
    await table.give(table.umpire, "umpire appoint", user=table.onlooker)
    assert "plays the **British**" in (await table.give(table.umpire, "game join", side="british")).text


async def test_the_umpire_may_play_and_the_log_names_his_view(table: Table) -> None:
    await free_seat(table)
    joined = await table.give(table.umpire, "game join", side="british")
    assert "plays the **British**" in joined.text
    log = await table.give(table.onlooker, "game log")
    assert "As umpire you see what that side sees from now on" in log.private_text


async def test_a_former_player_may_not_replace_the_bot_on_the_other_side(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cogs.kit.automatic_play.start_automatic_play", lambda *_: None)
    await free_seat(table)
    await table.give(table.umpire, "opponent side", side="british", level="easy")
    await table.give(table.mahdist, "game leave")
    refused = await table.give(table.mahdist, "game join", side="british")
    assert f"musa has played the Army of Osman Digna and {KNOWS_SECRETS}" in refused.private_text


async def test_an_imported_game_knows_who_played_which_side(table: Table) -> None:
    await free_seat(table)
    (file,) = (await table.give(table.umpire, "game export")).private[0].attachments
    channel = table.guild.create_text_channel("elsewhere")
    document = ("game.json", table.env.backend.cdn.get(file.url))
    await table.give(table.umpire, "game import", file=document, channel=channel)
    await table.give(table.umpire, "umpire appoint", user=table.onlooker, channel=channel)
    for actor, side, name in ((table.mahdist, "british", "musa"), (table.british, "mahdists", "bertie")):
        refused = await table.give(actor, "game join", side=side, channel=channel)
        assert KNOWS_SECRETS in refused.private_text, name
    assert KNOWS_SECRETS in (await table.give(table.umpire, "game join", side="british", channel=channel)).private_text
    joined = await table.give(table.mahdist, "game join", side="mahdists", channel=channel)
    assert "plays the **Army of Osman Digna**" in text(joined.announced)
