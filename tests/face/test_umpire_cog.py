"""`/umpire`: the umpire's tools, which never tell players a secret."""

import json

import pytest

from .table import Table, text

SECRET = "-2"
UMPIRES_CALL = {"with": "umpire's call"}
"""Options of a test that the umpire calls outside the rules."""


async def test_only_the_umpire_appoints_a_successor(table: Table) -> None:
    await table.start()
    refused = await table.give(table.british, "umpire appoint", user=table.british)
    assert "ursula" in refused.private_text
    appointed = await table.give(table.umpire, "umpire appoint", user=table.onlooker)
    assert "**olga** is the umpire" in text(appointed.announced)
    assert (
        "olga"
        in (await table.give(table.umpire, "umpire set", unit="amarar", field="quality", value="-1")).private_text
    )


async def test_options_are_shown_and_changed(table: Table) -> None:
    await table.start()
    answer = await table.give(table.onlooker, "umpire option")
    assert "refill within" in answer.private_text
    details = await table.give(table.onlooker, "umpire option", name="refill within")
    assert "Inches within which a wagon" in details.private_text
    changed = await table.give(table.umpire, "umpire option", name="refill within", value="9")
    assert "refill within = 9" in text(changed.announced)
    assert (
        "refill within: **9**" in (await table.give(table.british, "umpire option", name="refill_within")).private_text
    )


async def test_wrong_options_are_refused(table: Table) -> None:
    await table.start()
    assert "There is no option" in (await table.give(table.umpire, "umpire option", name="gravity")).private_text
    assert "no option" in (await table.give(table.umpire, "umpire option", name="gravity", value="0")).private_text
    assert (await table.give(table.umpire, "umpire option", name="refill within", value="far")).private_text
    assert "ursula" in (await table.give(table.british, "umpire option", name="refill within", value="9")).private_text


async def test_options_and_values_complete(table: Table) -> None:
    await table.start()
    assert "refill_within" in await table.complete(table.umpire, "umpire option", "name", "refill")
    assert await table.complete(table.umpire, "umpire option", "value", name="magazine_artillery") == ["no", "yes"]


@pytest.fixture
async def secret_quality(table: Table) -> Table:
    """A game in which the Amarar have a secretly lower quality and casualties."""
    await table.start()
    answer = await table.give(table.umpire, "umpire secret", unit="amarar", value=SECRET)
    assert SECRET in answer.private_text
    await table.give(table.umpire, "umpire set", unit="amarar", field="casualties", value="6")
    return table


def find_leaks(table: Table, *readers: object) -> list[str]:
    """Return the messages that tell these readers the secret."""
    words = ("secret quality", "secret_quality", f"quality: {SECRET}", "secret of", "Secret quality")
    return [
        text_read
        for reader in readers
        for text_read in table.read_by(reader)
        if any(word in text_read for word in words)
    ]  # type: ignore[arg-type]


async def test_secret_quality_shows_in_no_command_a_player_can_give(secret_quality: Table) -> None:
    table = secret_quality
    await table.give(table.umpire, "morale", unit="amarar", **UMPIRES_CALL)
    for reader in (table.mahdist, table.british, table.onlooker):
        for command, options in (
            ("unit list", {}),
            ("unit show", {"unit": "amarar"}),
            ("game status", {}),
            ("game log", {"last": 50}),
            ("turn status", {}),
            ("odds", {"test": "morale", "unit": "amarar", **UMPIRES_CALL}),
            ("map", {}),
        ):
            await table.give(reader, command, **options)
        for field in ("field", "value"):
            await table.complete(
                reader, "umpire secret", field, unit="amarar", field="secret quality"
            ) if field == "value" else None
        choices = await reader.autocomplete(
            table.channel, "umpire secret", "value", "", unit="amarar", field="secret quality"
        )
        assert not any(SECRET in choice["name"] for choice in choices)
        exported = await table.give(reader, "game export")
        (file,) = exported.private[0].attachments
        game = (await file.read()).decode()
        assert "secret of" not in game
        assert f'"secret_quality": {SECRET}' not in json.dumps(json.loads(game))
    assert find_leaks(table, table.mahdist, table.british, table.onlooker) == []


async def test_mm_5_4_players_read_umpires_modifier_and_no_sum(secret_quality: Table) -> None:
    table = secret_quality
    tested = await table.give(table.umpire, "morale", unit="amarar", **UMPIRES_CALL)
    reply = text(tested.announced)
    assert "umpire's modifier" in reply
    assert "% " not in reply, "the chance would tell the modifier"
    (own,) = tested.private
    assert "secret" in text(own).casefold() or SECRET in text(own)
    assert table.newest(table.umpire).id == own.id
    assert table.newest(table.british).id != own.id


async def test_only_the_umpire_sees_odds_of_a_test_he_calls(secret_quality: Table) -> None:
    answer = await secret_quality.give(secret_quality.mahdist, "odds", test="morale", unit="amarar", **UMPIRES_CALL)
    assert "Only the umpire, ursula" in answer.private_text
    assert "%" not in answer.private_text


async def test_a_player_learns_nothing_by_the_refusal_of_secret(secret_quality: Table) -> None:
    answer = await secret_quality.give(secret_quality.mahdist, "umpire secret", unit="amarar", value="1")
    assert "ursula" in answer.private_text


async def test_undoing_a_secret_tells_players_nothing(secret_quality: Table) -> None:
    table = secret_quality
    await table.give(table.umpire, "umpire secret", unit="amarar", value="=-1")
    preview = await table.give(table.umpire, "game undo")
    assert "a secret of Amarar" in preview.private_text
    answer = await table.press(table.umpire, preview.private[0], "Take it back")
    assert "something secret" in text(answer.announced)
    assert find_leaks(table, table.british) == []


async def test_reveal_tells_everyone(secret_quality: Table) -> None:
    table = secret_quality
    answer = await table.give(table.umpire, "umpire reveal", unit="amarar")
    assert SECRET in text(answer.announced)
    tested = await table.give(table.umpire, "morale", unit="amarar", **UMPIRES_CALL)
    assert "umpire's modifier" not in text(tested.announced)


async def test_revealing_nothing_is_refused(table: Table) -> None:
    await table.start()
    answer = await table.give(table.umpire, "umpire reveal", unit="amarar")
    assert "no secret" in answer.private_text


async def test_secret_throw_is_read_by_the_units_side_and_the_umpire(table: Table) -> None:
    await table.start()
    await table.give(table.umpire, "umpire set", unit="amarar", field="casualties", value="6")
    answer = await table.give(table.umpire, "morale", unit="amarar", secret=True, **UMPIRES_CALL)
    assert "2D6" in answer.private_text
    for reader in (table.mahdist, table.british, table.onlooker):
        assert not any("2D6" in text_read for text_read in table.read_by(reader)), "no message is public"
    for reader, reads in ((table.mahdist, True), (table.british, False), (table.onlooker, False)):
        logged = await table.give(reader, "game log", last=50)
        assert ("2D6" in logged.private_text) is reads
