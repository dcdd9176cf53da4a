"""Turns planned ahead in games with phases: execution in every phase, and mentions of the players."""

import pytest

from .loaded_dice import LoadedDice
from .sheet import PlayersSheet, menus, options
from .table import Answer, Message, Table, labels, text
from .test_great_war import HQ, begin, correct_unit

FLAG = 4


@pytest.fixture(autouse=True)
def dice(monkeypatch: pytest.MonkeyPatch) -> LoadedDice:
    """Dice that always show an HQ, which does nothing."""
    return LoadedDice(monkeypatch, default=HQ)


def find_mentions(table: Table, player: object, since: set[int]) -> list[Message]:
    """Return the new messages in the channel that mention the player."""
    new = (message for message in table.channel.history() if message.id not in since)
    return [message for message in new if f"<@{player.id}>" in text(message)]


def message_ids(table: Table) -> set[int]:
    """Return the ids of the channel's messages."""
    return {message.id for message in table.channel.history()}


async def plan_german_turn(table: Table, orders: str, *, ends_turn: bool = True) -> PlayersSheet:
    """Plan the Germans' turn during the British turn."""
    sheet = PlayersSheet(table, table.mahdist)
    await sheet.open(orders)
    await sheet.press("Do all and end my turn" if ends_turn else "Do all in time")
    return sheet


async def pass_british_turn(table: Table) -> Answer:
    """End the British turn, in which no unit was ordered."""
    passed = await table.pass_on(table.british)
    await table.env.settle()
    return passed


async def test_orders_in_the_enemys_turn_name_the_players_own_phases(table: Table) -> None:
    await begin(table)
    sheet = PlayersSheet(table, table.mahdist)
    await sheet.open("84th Infantry, 387th Infantry order; 84th Infantry: 0700; 387th Infantry order")
    assert "**1** in orders: 84th Infantry, 387th Infantry order" in sheet.text
    assert "**3** in moves: 84th Infantry: 0700" in sheet.text, "after the orders, whenever it was written"
    assert "✖ 387th Infantry are ordered already" in sheet.text
    times = [
        "Whenever it is time for it",
        *(f"When it is my turn: {phase}" for phase in ("orders", "moves", "battles")),
    ]
    assert [*options(sheet.message, "When")] == times
    await sheet.choose("When", "When it is my turn: moves")
    assert "84th Infantry" not in options(sheet.message, "Which units?"), "these units have a move"
    assert "387th Infantry" in options(sheet.message, "Which units?")


async def test_a_planned_turn_runs_through_all_its_phases(table: Table) -> None:
    await begin(table)
    await correct_unit(table, "84th Infantry", "place", "0403")
    sheet = await plan_german_turn(
        table, "84th Infantry, 387th Infantry order; 387th Infantry: 0603; 84th Infantry fire Daphne"
    )
    assert sheet.public == 0
    assert "Saved. Later orders run in their phase." in sheet.text
    before = message_ids(table)
    reply = text((await pass_british_turn(table)).announced)
    for order in (
        "84th Infantry are ordered",
        "387th Infantry are ordered",
        "387th Infantry move",
        "84th Infantry fire",
    ):
        assert order in reply, reply
    assert (await table.env.bot.games.running_game(table.channel.id)).state.active == "british"
    assert not find_mentions(table, table.british, before), "the player who pressed is not mentioned"
    await sheet.open()
    assert "Choose units" in sheet.text, "nothing is left on it"
    assert "☐ End my turn when done" in sheet.labels, "the next turn is another"


async def test_a_player_is_mentioned_after_his_own_sheet_acted(table: Table) -> None:
    await begin(table)
    await plan_german_turn(table, "84th Infantry order", ends_turn=False)
    before = message_ids(table)
    await pass_british_turn(table)
    assert len(find_mentions(table, table.mahdist, before)) == 1


async def test_an_impossible_planned_order_is_told_once_and_blocks_nothing(table: Table) -> None:
    await begin(table)
    sheet = await plan_german_turn(
        table, "84th Infantry, 387th Infantry order; 84th Infantry: 0700; 387th Infantry: 0603"
    )
    await correct_unit(table, "27th Reserve", "place", "0700")
    before = message_ids(table)
    reply = text((await pass_british_turn(table)).announced)
    assert "387th Infantry move" in reply
    assert (await table.env.bot.games.running_game(table.channel.id)).state.active == "british", "the turn has ended"
    (called,) = [
        message
        for message in find_mentions(table, table.mahdist, before)
        if "on your sheet could not be done" in text(message)
    ]
    assert "1 order on your sheet could not be done. The sheet says why." in text(called)
    assert "84th" not in text(called)
    assert labels(called) == ["Give orders"]
    await sheet.open()
    assert "**1** in moves: 84th Infantry: 0700\n✖ " in sheet.text
    before = message_ids(table)
    await correct_unit(table, "Daphne", "place", "0102")
    assert not find_mentions(table, table.mahdist, before), "once"
    await sheet.press("Clear")
    assert "Choose units" in sheet.text


async def test_an_order_for_a_skipped_phase_is_told(table: Table) -> None:
    await begin(table)
    await correct_unit(table, "Daphne", "place", "0601")
    await plan_german_turn(table, "84th Infantry order; 84th Infantry fire Daphne")
    await correct_unit(table, "Daphne", "place", "0202")
    before = message_ids(table)
    reply = text((await pass_british_turn(table)).announced)
    assert "84th Infantry are ordered" in reply
    (called,) = find_mentions(table, table.mahdist, before)
    assert "1 order on your sheet could not be done" in text(called)
    sheet = PlayersSheet(table, table.mahdist)
    await sheet.open()
    assert "✖ Too late for this order" in sheet.text


async def face_norfolks(table: Table) -> None:
    """Place two German units within range of the 9th Norfolks, who have two hexes to retreat to."""
    await begin(table)
    await correct_unit(table, "84th Infantry", "place", "0308")
    await correct_unit(table, "387th Infantry", "place", "0307")


async def answer_flag(table: Table, fired: Message) -> Answer:
    """Press the first answer to the flag thrown at the 9th Norfolks."""
    button = next(label for label in labels(fired) if label.startswith("9th Norfolks: "))
    answer = await table.press(table.british, fired, button)
    await table.env.settle()
    return answer


async def test_planned_battles_go_on_after_the_enemys_answer(table: Table, dice: LoadedDice) -> None:
    await face_norfolks(table)
    await plan_german_turn(
        table, "84th Infantry, 387th Infantry order; 84th Infantry fire 9th Norfolks; 387th Infantry fire 5th Camerons"
    )
    dice.fall(FLAG, HQ)
    before = message_ids(table)
    met = (await pass_british_turn(table)).announced
    assert "84th Infantry fire at 9th Norfolks" in text(met)
    assert "387th Infantry fire" not in text(met), "the enemy answers the flag first"
    reply = (await answer_flag(table, met)).text
    assert "387th Infantry fire at 5th Camerons" in reply
    assert (await table.env.bot.games.running_game(table.channel.id)).state.active == "british"
    assert [text(message) for message in find_mentions(table, table.mahdist, before)] == []


async def test_the_firing_player_is_mentioned_after_the_enemys_answer(table: Table, dice: LoadedDice) -> None:
    await face_norfolks(table)
    await plan_german_turn(table, "84th Infantry, 387th Infantry order", ends_turn=False)
    await pass_british_turn(table)
    for _ in range(2):
        await table.give(table.mahdist, "turn next")
    dice.fall(FLAG, HQ)
    fired = (await table.give(table.mahdist, "fire", unit="84th Infantry", target="9th Norfolks")).announced
    assert f"<@{table.british.id}>: the game waits for you." in text(fired)
    before = message_ids(table)
    await answer_flag(table, fired)
    assert len(find_mentions(table, table.mahdist, before)) == 1, "the player who may go on is mentioned"


async def test_a_refused_order_leaves_the_turn_to_its_player(table: Table) -> None:
    await begin(table)
    sheet = PlayersSheet(table, table.british)
    await sheet.open("Daphne order; Daphne order")
    await sheet.press("Do all and end my turn")
    await table.env.settle()
    state = (await table.env.bot.games.running_game(table.channel.id)).state
    assert (state.active, state.phase) == ("british", "orders")
    assert "✖ Daphne is ordered already" in sheet.text
    assert "When" in menus(sheet.message)
