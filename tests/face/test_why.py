"""/opponent why: what the bot weighed, for whoever may see its side; and the umpire's menu of what it does instead."""

import asyncio
import re
from typing import Any

from .sheet import menus, options
from .table import Answer, Message, Table, text
from .test_opponent import begun, game_of, seated
from .test_tanga import put_up

MENU = re.compile(r"Overrule")


async def played(table: Table, level: str = "easy") -> None:
    """The Great War against the bot's Germans, after their first turn."""
    await begun(table)
    await seated(table, level)
    await table.pass_on(table.british)
    await table.env.settle()


async def of_order(table: Table) -> int:
    """The number of its first decision by which a unit did something."""
    offered = await table.complete(table.umpire, "opponent why", "number", "order")
    return int(offered[-1])


def overruling(message: Message) -> str | None:
    """What the umpire's menu is called, where there is one."""
    return next((name for name in menus(message) if MENU.match(name)), None)


async def choose(table: Table, actor: Any, message: Message, menu: str, label: str) -> Answer:
    """Chooses what is called so in a menu of a message."""
    named = menus(message)[menu]["custom_id"]
    chosen = Answer(await actor.select(message, [options(message, menu)[label]], custom_id=named))
    await table.env.settle()
    return chosen


async def test_it_shows_what_was_decided_and_what_it_was_weighed_against(table: Table) -> None:
    await played(table)
    answer = await table.give(table.british, "opponent why", number=str(await of_order(table)))
    decided = re.search(r"### Why the Germans decided so\n\*\*(.*)\*\*\n", answer.private_text)
    first = re.search(r"\*\*1\*\* (.*) · \*\*([+-]?[\d.]+)\*\*(?:\n-# (.*))?", answer.private_text)
    assert decided is not None
    assert first is not None
    assert decided[1] == first[1]
    assert sum(float(part) for part in re.findall(r"[+-][\d.]+", first[3] or "")) == float(first[2])
    assert "a part of the map" in answer.private_text
    assert overruling(answer.private[0]) is None
    (another,) = menus(answer.private[0])
    last = next(iter(options(answer.private[0], another)))
    chosen = await choose(table, table.british, answer.private[0], another, last)
    assert f"Number {last.split(' ')[0]} of `/game log` · the bot (easy)" in chosen.private_text


async def test_what_is_shown_of_every_decision_is_what_really_decided(table: Table) -> None:
    await played(table, "hard")
    game, games = await game_of(table), table.env.bot.games
    decided = await games.bot_reasons.decisions(game, game.umpire)
    assert len(decided) > 3
    for entry in decided:
        _, why = await games.bot_reasons.why(game, game.umpire, entry.name)
        assert why.done == 0
        assert why.best[0].label == why.label


async def test_the_umpire_overrules_a_decision_and_the_bot_goes_on_from_there(table: Table) -> None:
    await played(table)
    number = await of_order(table)
    shown = await table.give(table.umpire, "opponent why", number=str(number))
    menu = overruling(shown.private[0])
    assert menu is not None
    assert re.fullmatch(r"Overrule it, and \d+ after it …", menu)
    label = next(iter(options(shown.private[0], menu)))
    before = await game_of(table)
    refused = await choose(table, table.umpire, shown.private[0], menu, label)
    told = "\n".join(map(text, refused.public))
    assert re.search(r"ursula overrules the bot, takes back what it did after that \(\d+ more\): ", told)
    game = await game_of(table)
    entries = {one.seq: one for one in await table.env.bot.games.readings.log(game, "umpire", 0)}
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
    stale = await choose(table, table.umpire, shown.private[0], menu, label)
    assert "More has happened since" in "\n".join(map(text, stale.private))
    assert (await game_of(table)).seq == game.seq


async def test_what_was_done_instead_can_be_taken_back_and_put_back(table: Table) -> None:
    await played(table)
    shown = await table.give(table.umpire, "opponent why")
    menu = overruling(shown.private[0])
    assert menu == "Overrule this decision …"
    (key, *_), before = options(shown.private[0], menu).values(), await game_of(table)
    games, actor, channel = table.env.bot.games, before.umpire, table.channel.id
    how = {"game_id": before.id, "progress": before.progress_for("umpire"), "key": key, "interaction": 0}
    instead = (await games.bot_reasons.overrule(channel, actor, str(before.state_seq), **how)).game
    back = await games.undo.take_back(channel, actor, 1, progress=str(instead.seq))
    assert back.state_seq == next(
        one.base for one in await games.readings.log(instead, "umpire", 0) if one.seq == instead.seq
    )
    await games.undo.put_back(channel, actor)
    again = await game_of(table)
    assert (again.state, again.state_seq) == (instead.state, instead.state_seq)


async def test_overruled_twice_it_does_what_it_thought_best_and_that_is_said(table: Table) -> None:
    await played(table)
    games, game = table.env.bot.games, await game_of(table)
    bots_own, own = await games.bot_reasons.why(game, game.umpire, None)
    number, other = bots_own.entry.seq, own.alternatives[0].label
    for label, said in (
        (other, ", which thought number 1 best."),
        (own.label, "; this is what it thought best itself."),
    ):
        _, why = await games.bot_reasons.why(game, game.umpire, str(number))
        (key,) = (one.key for one in why.alternatives if one.label == label)
        how = {"game_id": game.id, "progress": game.progress_for("umpire"), "key": key, "interaction": number}
        game = (await games.bot_reasons.overrule(table.channel.id, game.umpire, str(number), **how)).game
        number = game.state_seq
        assert (
            f"ursula overruled the bot{said}"
            in (await table.give(table.umpire, "opponent why", number=str(number))).private_text
        )


async def test_it_waits_its_turn_among_what_takes_long_so_that_pictures_do_not(table: Table) -> None:
    await played(table)
    game, bot = await game_of(table), table.env.bot
    async with bot.workers.long_job_slot():
        asked = asyncio.create_task(bot.games.bot_reasons.why(game, game.umpire, None))
        assert not (await asyncio.wait({asked}, timeout=0.3))[0]
    assert (await asked)[1].best


async def test_only_the_umpire_overrules_and_only_what_nobody_has_acted_upon(table: Table) -> None:
    await played(table)
    shown = await table.give(table.umpire, "opponent why")
    menu = overruling(shown.private[0])
    assert menu == "Overrule this decision …"
    label, before = next(iter(options(shown.private[0], menu))), await game_of(table)
    await put_up(table, menus(shown.private[0])[menu])
    public = table.newest(table.british)
    named, values = menus(shown.private[0])[menu]["custom_id"], [options(shown.private[0], menu)[label]]
    refused = Answer(await table.british.select(public, values, custom_id=named))
    assert "Only the umpire, ursula, may overrule the bot." in "\n".join(map(text, refused.private))
    assert (await game_of(table)).seq == before.seq
    await table.pass_on(table.british)
    later = await table.give(table.umpire, "opponent why", number=str(await of_order(table)))
    assert overruling(later.private[0]) is None
    assert "Others have acted since" in later.private_text


async def test_who_may_not_see_its_side_learns_nothing_of_why(table: Table) -> None:
    await table.start(seated=False)
    await table.give(table.british, "game join", side="british")
    await seated(table, side="mahdists")
    for _ in range(2):
        await table.pass_on(table.umpire)
        await table.env.settle()
    game = await game_of(table)
    theirs = [one.seq for one in await table.env.bot.games.readings.log(game, "umpire", 0) if one.thought is not None]
    asked = await table.give(table.umpire, "opponent why", number=str(theirs[0]))
    assert "### Why the Army of Osman Digna decided so" in asked.private_text
    for actor in (table.british, table.onlooker):
        for number in ({}, {"number": str(theirs[0])}, {"number": "1"}):
            refused = await table.give(actor, "opponent why", **number)
            assert refused.private_text == (
                "This would show what the Army of Osman Digna know. "
                "Only their players, and an umpire without a seat, may see it."
            )
            assert not menus(refused.private[0])
        assert not await table.complete(actor, "opponent why", "number")


async def test_where_there_is_nothing_to_explain_it_says_so(table: Table) -> None:
    await begun(table)
    assert "The bot has decided nothing here" in (await table.give(table.british, "opponent why")).private_text
    await seated(table)
    await table.pass_on(table.british)
    await table.env.settle()
    assert re.search(
        r"Number 1 is no decision of the bot's. Its last is number \d+",
        (await table.give(table.british, "opponent why", number=str(1))).private_text,
    )
