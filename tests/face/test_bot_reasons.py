"""`/opponent why`: the bot's reasons for viewers of its side, and the umpire's menu to overrule a decision."""

import asyncio
import re
from typing import Any

from .sheet import menus, options
from .table import Answer, Message, Table, text
from .test_opponent import begin_great_war, game_of, seat_bot
from .test_tanga import post_menu

MENU = re.compile(r"Overrule")


async def play_bots_turn(table: Table, level: str = "easy") -> None:
    """Play the Great War against the bot's Germans until after their first turn."""
    await begin_great_war(table)
    await seat_bot(table, level)
    await table.pass_on(table.british)
    await table.env.settle()


async def first_order_number(table: Table) -> int:
    """Return the number of the bot's first decision that orders a unit."""
    completions = await table.complete(table.umpire, "opponent why", "number", "order")
    return int(completions[-1])


def overrule_menu(message: Message) -> str | None:
    """Return the placeholder of the umpire's menu, or None."""
    return next((name for name in menus(message) if MENU.match(name)), None)


async def choose(table: Table, actor: Any, message: Message, menu: str, label: str) -> Answer:
    """Choose the option with this label in a menu of the message."""
    custom_id = menus(message)[menu]["custom_id"]
    chosen = Answer(await actor.select(message, [options(message, menu)[label]], custom_id=custom_id))
    await table.env.settle()
    return chosen


async def test_why_shows_the_decision_and_its_alternatives(table: Table) -> None:
    await play_bots_turn(table)
    answer = await table.give(table.british, "opponent why", number=str(await first_order_number(table)))
    decided = re.search(r"### Why the Germans decided so\n\*\*(.*)\*\*\n", answer.private_text)
    first = re.search(r"\*\*1\*\* (.*) · \*\*([+-]?[\d.]+)\*\*(?:\n-# (.*))?", answer.private_text)
    assert decided is not None
    assert first is not None
    assert decided[1] == first[1]
    assert sum(float(part) for part in re.findall(r"[+-][\d.]+", first[3] or "")) == float(first[2])
    assert "a part of the map" in answer.private_text
    assert overrule_menu(answer.private[0]) is None
    (another,) = menus(answer.private[0])
    last = next(iter(options(answer.private[0], another)))
    chosen = await choose(table, table.british, answer.private[0], another, last)
    assert f"Number {last.split(' ')[0]} of `/game log` · the bot (easy)" in chosen.private_text


async def test_the_shown_reasons_are_those_of_the_decision(table: Table) -> None:
    await play_bots_turn(table, "hard")
    game, games = await game_of(table), table.env.bot.games
    decided = await games.bot_reasons.list_decisions(game, game.umpire)
    assert len(decided) > 3
    for entry in decided:
        _, why = await games.bot_reasons.explain_decision(game, game.umpire, entry.name)
        assert why.done == 0
        assert why.best[0].label == why.label


async def test_the_bot_plays_on_after_an_overruled_decision(table: Table) -> None:
    await play_bots_turn(table)
    number = await first_order_number(table)
    answer = await table.give(table.umpire, "opponent why", number=str(number))
    menu = overrule_menu(answer.private[0])
    assert menu is not None
    assert re.fullmatch(r"Overrule it, and \d+ after it …", menu)
    label = next(iter(options(answer.private[0], menu)))
    before = await game_of(table)
    refused = await choose(table, table.umpire, answer.private[0], menu, label)
    reply = "\n".join(map(text, refused.public))
    assert re.search(r"ursula overrules the bot, takes back what it did after that \(\d+ more\): ", reply)
    game = await game_of(table)
    entries = {entry.seq: entry for entry in await table.env.bot.games.readings.load_log(game, "umpire", 0)}
    assert all(entries[seq].undone for seq in range(number, before.seq + 1) if entries[seq].acts)
    instead = entries[before.seq + 1]
    assert instead.base == entries[number].base
    assert not instead.undone
    assert instead.thought is not None
    assert instead.thought.overruled
    assert any(entries[seq].actor.id < 0 for seq in range(instead.seq + 1, game.seq + 1)), "the bot went on"
    assert (
        "ursula overruled the bot"
        in (await table.give(table.umpire, "opponent why", number=str(instead.seq))).private_text
    )
    stale = await choose(table, table.umpire, answer.private[0], menu, label)
    assert "More has happened since" in "\n".join(map(text, stale.private))
    assert (await game_of(table)).seq == game.seq


async def test_an_overrule_can_be_undone_and_redone(table: Table) -> None:
    await play_bots_turn(table)
    answer = await table.give(table.umpire, "opponent why")
    menu = overrule_menu(answer.private[0])
    assert menu == "Overrule this decision …"
    (key, *_), before = options(answer.private[0], menu).values(), await game_of(table)
    games, actor, channel = table.env.bot.games, before.umpire, table.channel.id
    how = {"game_id": before.id, "progress": before.progress_for("umpire"), "key": key, "interaction": 0}
    instead = (await games.bot_reasons.overrule_decision(channel, actor, str(before.state_seq), **how)).game
    back = (await games.undo.undo_actions(channel, actor, 1, progress=str(instead.seq))).game
    assert back.state_seq == next(
        entry.base for entry in await games.readings.load_log(instead, "umpire", 0) if entry.seq == instead.seq
    )
    await games.undo.redo_action(channel, actor)
    redone = await game_of(table)
    assert (redone.state, redone.state_seq) == (instead.state, instead.state_seq)


async def test_a_second_overrule_may_restore_the_bots_choice(table: Table) -> None:
    await play_bots_turn(table)
    games, game = table.env.bot.games, await game_of(table)
    bots_own, own = await games.bot_reasons.explain_decision(game, game.umpire, None)
    number, second = bots_own.entry.seq, own.alternatives[0].label
    for label, reason in (
        (second, ", which thought number 1 best."),
        (own.label, "; this is what it thought best itself."),
    ):
        _, why = await games.bot_reasons.explain_decision(game, game.umpire, str(number))
        (key,) = (alternative.key for alternative in why.alternatives if alternative.label == label)
        how = {"game_id": game.id, "progress": game.progress_for("umpire"), "key": key, "interaction": number}
        game = (await games.bot_reasons.overrule_decision(table.channel.id, game.umpire, str(number), **how)).game
        number = game.state_seq
        assert (
            f"ursula overruled the bot{reason}"
            in (await table.give(table.umpire, "opponent why", number=str(number))).private_text
        )


async def test_why_waits_for_the_slot_of_long_jobs(table: Table) -> None:
    await play_bots_turn(table)
    game, bot = await game_of(table), table.env.bot
    async with bot.workers.long_job_slot():
        task = asyncio.create_task(bot.games.bot_reasons.explain_decision(game, game.umpire, None))
        assert not (await asyncio.wait({task}, timeout=0.3))[0]
    assert (await task)[1].best


async def test_only_the_umpire_overrules_and_only_before_others_act(table: Table) -> None:
    await play_bots_turn(table)
    answer = await table.give(table.umpire, "opponent why")
    menu = overrule_menu(answer.private[0])
    assert menu == "Overrule this decision …"
    label, before = next(iter(options(answer.private[0], menu))), await game_of(table)
    await post_menu(table, menus(answer.private[0])[menu])
    public = table.newest(table.british)
    custom_id, values = menus(answer.private[0])[menu]["custom_id"], [options(answer.private[0], menu)[label]]
    refused = Answer(await table.british.select(public, values, custom_id=custom_id))
    assert "Only the umpire, ursula, may overrule the bot." in "\n".join(map(text, refused.private))
    assert (await game_of(table)).seq == before.seq
    await table.pass_on(table.british)
    later = await table.give(table.umpire, "opponent why", number=str(await first_order_number(table)))
    assert overrule_menu(later.private[0]) is None
    assert "Others have acted since" in later.private_text


async def test_why_is_refused_to_users_who_may_not_see_the_bots_side(table: Table) -> None:
    await table.start(seated=False)
    await table.give(table.british, "game join", side="british")
    await seat_bot(table, side="mahdists")
    for _ in range(2):
        await table.pass_on(table.umpire)
        await table.env.settle()
    game = await game_of(table)
    sequence_numbers = [
        entry.seq
        for entry in await table.env.bot.games.readings.load_log(game, "umpire", 0)
        if entry.thought is not None
    ]
    answer = await table.give(table.umpire, "opponent why", number=str(sequence_numbers[0]))
    assert "### Why the Army of Osman Digna decided so" in answer.private_text
    for actor in (table.british, table.onlooker):
        for number in ({}, {"number": str(sequence_numbers[0])}, {"number": "1"}):
            refused = await table.give(actor, "opponent why", **number)
            assert refused.private_text == (
                "This would show what the Army of Osman Digna know. "
                "Only their players, and an umpire without a seat, may see it."
            )
            assert not menus(refused.private[0])
        assert not await table.complete(actor, "opponent why", "number")


async def test_why_says_when_the_bot_has_decided_nothing(table: Table) -> None:
    await begin_great_war(table)
    assert "The bot has decided nothing here" in (await table.give(table.british, "opponent why")).private_text
    await seat_bot(table)
    await table.pass_on(table.british)
    await table.env.settle()
    assert re.search(
        r"Number 1 is no decision of the bot's. Its last is number \d+",
        (await table.give(table.british, "opponent why", number=str(1))).private_text,
    )
