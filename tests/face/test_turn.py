"""`/turn next` and `/turn status`: open prompts block the end of a turn, and only the umpire may skip them."""

import pytest

from .loaded_dice import LoadedDice, give_together
from .table import Table, labels, text

PASS_ON_ANYWAY = "Pass on anyway"


@pytest.fixture
def dice(monkeypatch: pytest.MonkeyPatch) -> LoadedDice:
    return LoadedDice(monkeypatch)


async def begin_with_due_test(table: Table, dice: LoadedDice) -> None:
    """Begin a game that waits for a morale test of the Berkshires."""
    await table.start()
    dice.fall(6, 6)
    await table.give(table.mahdist, "fire", unit="rifles-hashin", target="berkshires")


async def test_the_turn_passes_when_no_prompt_is_open(table: Table) -> None:
    await table.start()
    answer = await table.pass_on(table.mahdist)
    assert "British" in text(answer.announced)
    back = await table.pass_on(table.british)
    assert "Turn 2 of 6, Army of Osman Digna" in text(back.announced)


async def test_only_the_acting_side_or_the_umpire_passes_the_turn(table: Table) -> None:
    await table.start()
    for actor in (table.british, table.onlooker):
        answer = await table.pass_on(actor)
        assert "musa" in answer.private_text
    answer = await table.pass_on(table.umpire)
    assert "British" in text(answer.announced)


async def test_a_due_test_blocks_the_turn_and_has_a_button(table: Table, dice: LoadedDice) -> None:
    await begin_with_due_test(table, dice)
    answer = await table.pass_on(table.mahdist)
    assert "1st Berkshires: morale under fire (MM-5.2) · British" in answer.private_text
    assert labels(answer.private[0]) == ["Morale of 1st Berkshires: 100%"], "anybody at the table may throw it"
    answer = await table.pass_on(table.umpire)
    assert labels(answer.private[0]) == ["Morale of 1st Berkshires: 100%", PASS_ON_ANYWAY]
    game = await table.env.bot.games.running_game(table.channel.id)
    assert game.state.active == "mahdists"


async def test_the_refusals_button_throws_the_due_test(table: Table, dice: LoadedDice) -> None:
    await begin_with_due_test(table, dice)
    refusal = await table.pass_on(table.umpire)
    dice.fall(4, 5)
    settled = await table.press(table.umpire, refusal.private[0], "Morale of 1st Berkshires")
    assert any("they hold" in text(message) for message in settled.public)
    passed = await table.pass_on(table.mahdist)
    assert "British" in text(passed.announced)


async def test_the_umpire_may_pass_on_anyway(table: Table, dice: LoadedDice) -> None:
    await begin_with_due_test(table, dice)
    refusal = await table.pass_on(table.umpire)
    assert PASS_ON_ANYWAY in labels(refusal.private[0])
    passed = await table.press(table.umpire, refusal.private[0], PASS_ON_ANYWAY)
    reply = "\n".join(text(message) for message in passed.public)
    assert "British" in reply
    assert "waived" in reply
    (message,) = [message for message in passed.private if message.id == refusal.private[0].id] or [refusal.private[0]]
    assert PASS_ON_ANYWAY not in labels(message)


async def test_the_button_to_pass_on_anyway_becomes_stale(table: Table, dice: LoadedDice) -> None:
    await begin_with_due_test(table, dice)
    refusal = await table.pass_on(table.umpire)
    await table.give(table.mahdist, "fire", unit="rifles-tokar", target="marines")
    pressed = await table.press(table.umpire, refusal.private[0], PASS_ON_ANYWAY)
    assert "moved on" in "\n".join(map(text, pressed.private))
    game = await table.env.bot.games.running_game(table.channel.id)
    assert game.state.active == "mahdists"


async def test_the_button_to_pass_on_anyway_survives_a_restart(table: Table, dice: LoadedDice, new_bot) -> None:
    await begin_with_due_test(table, dice)
    refusal = await table.pass_on(table.umpire)
    await table.restart()
    passed = await table.press(table.umpire, refusal.private[0], PASS_ON_ANYWAY)
    assert any("British" in text(message) for message in passed.public)


async def test_a_former_umpire_may_not_pass_on_anyway(table: Table, dice: LoadedDice) -> None:
    await begin_with_due_test(table, dice)
    refusal = await table.pass_on(table.umpire)
    await table.give(table.umpire, "umpire appoint", user=table.onlooker)
    pressed = await table.press(table.umpire, refusal.private[0], PASS_ON_ANYWAY)
    assert "olga" in "\n".join(map(text, pressed.private))


async def test_status_lists_prompts_with_buttons_and_who_has_yet_to_act(table: Table, dice: LoadedDice) -> None:
    await begin_with_due_test(table, dice)
    answer = await table.give(table.british, "turn status")
    assert "To do before the turn can end:" in answer.private_text
    assert labels(answer.private[0]) == ["Morale of 1st Berkshires: 100%", "Give orders"]
    waiting, _, acted = answer.private_text.partition("Have acted")
    assert "Riflemen of Tokar" in waiting
    assert "Riflemen of Hashin (fire)" in acted
    dice.fall(4, 5)
    await table.press(table.british, answer.private[0], "Morale of 1st Berkshires")
    assert "You may end the turn." in (await table.give(table.mahdist, "turn status")).private_text
    for actor in (table.british, table.onlooker):
        reply = (await table.give(actor, "turn status")).private_text
        assert "You may end" not in reply
        assert "-# Waiting for musa (Army of Osman Digna)." in reply


async def test_status_forgets_what_was_undone(table: Table) -> None:
    await table.start()
    await table.give(table.mahdist, "move", unit="berkshires", to="forward 2")
    await table.give(table.umpire, "move", unit="mcneill", to="forward 2")
    assert "Have acted" not in (await table.give(table.umpire, "turn status")).private_text


async def test_both_commands_without_a_game_say_how_to_start_one(table: Table) -> None:
    for command in ("turn next", "turn status"):
        assert "/game new" in (await table.give(table.umpire, command)).private_text


async def test_a_shot_and_a_map_request_run_together(table: Table) -> None:
    await table.start()
    answers = await give_together(
        table,
        [
            (table.mahdist, "fire", {"unit": "rifles-hashin", "target": "berkshires"}),
            (table.onlooker, "map", {}),
        ],
    )
    assert "fire at" in text(answers[0].announced)
    assert answers[1].announced.attachments
