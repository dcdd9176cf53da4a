"""`/army`: printed army lists, and armies written as plain lines."""

from typing import Any

import simcord

from bot.store.scope import data_scope

from .table import Answer, Table, custom_ids, labels, text
from .test_opponent import game_of
from .test_own_table import open_battle_form, submit_battle_form

ARMY_LINES = "24 British regulars, breechloaders: 1st Berkshires, with Sir John McNeill\n3 Zulu impis of 36"
UNIT_NAMES = ["1st Berkshires", "Sir John McNeill", "Zulu impi 1", "Zulu impi 2", "Zulu impi 3"]
PUT, AGAIN = "Put on the table", "Write it again"


async def write_army(table: Table, lines: str, author: simcord.MemberActor | None = None) -> Answer:
    """Open the form for a British army, submit the lines and return the answer."""
    opened = await table.give(author or table.umpire, "army write", side="British")
    return await submit_form(author or table.umpire, opened, lines)


async def submit_form(author: simcord.MemberActor, opened: Any, lines: str) -> Answer:
    (field,) = [part["component"] for part in opened.result.modal["components"]]
    return Answer(await author.submit_modal(opened.result, {field["custom_id"]: lines}))


async def unit_names(table: Table) -> list[str]:
    return [unit.name for unit in (await game_of(table)).state.units.values()]


async def test_a_written_army_is_previewed_placed_and_undone(table: Table) -> None:
    await submit_battle_form(table, await open_battle_form(table))
    lines_read = await write_army(table, ARMY_LINES)
    assert (
        "1st Berkshires: British regulars, breechloaders, 24 figures, with Sir John McNeill" in lines_read.private_text
    )
    assert "4 units of 2 kinds of troops, 132 figures, and 1 leader" in lines_read.private_text
    assert await unit_names(table) == []
    await table.restart()
    answer = await table.press(table.umpire, lines_read.private[0], PUT)
    assert "5 units of the British are put on the table" in answer.text
    assert sorted(await unit_names(table)) == sorted(UNIT_NAMES)
    preview = await table.give(table.umpire, "game undo")
    await table.press(table.umpire, preview.private[0], "Take it back")
    assert await unit_names(table) == []


async def test_doubtful_lines_are_shown_and_can_be_rewritten(table: Table) -> None:
    await submit_battle_form(table, await open_battle_form(table))
    preview = await write_army(table, "24 British regulars, breechloaders: 1st Berkshires\n12 Zlu imps")
    assert "line 2" in preview.private_text
    assert "Zulu impi" in preview.private_text
    assert PUT not in labels(preview.private[0])
    form = await table.press(table.umpire, preview.private[0], AGAIN)
    (field,) = [part["component"] for part in form.result.modal["components"]]
    assert field["value"].endswith("12 Zlu imps")
    mended = await submit_form(table.umpire, form, ARMY_LINES)
    assert PUT in labels(mended.private[0])


async def test_a_printed_list_is_shown_and_placed_as_a_whole(table: Table) -> None:
    await submit_battle_form(table, await open_battle_form(table))
    assert "Suakin 1885: British" in (await table.give(table.umpire, "army list")).private_text
    assert "suakin-1885 british" in await table.complete(table.umpire, "army add", "list", "suakin")
    reply = (await table.give(table.onlooker, "army show", list="Suakin 1885: British")).private_text
    assert "1st Berkshires: British regulars, breechloaders, 24 figures" in reply
    await table.give(table.umpire, "army add", list="Suakin 1885: British", side="British")
    assert "1st Berkshires" in await unit_names(table)
    assert (
        "There is no list" in (await table.give(table.umpire, "army add", list="Narnia", side="British")).private_text
    )


async def test_players_place_their_own_armies_only_in_the_set_up(table: Table) -> None:
    await submit_battle_form(table, await open_battle_form(table))
    await table.give(table.british, "game join", side="British")
    await table.give(table.mahdist, "game join", side="Egyptians")
    preview = await write_army(table, "Zulu impi: Ours", table.mahdist)
    assert "This is for bertie" in (await table.press(table.mahdist, preview.private[0], PUT)).private_text
    assert await unit_names(table) == []
    preview = await write_army(table, "Zulu impi: Ours", table.british)
    await table.press(table.british, preview.private[0], PUT)
    assert await unit_names(table) == ["Ours"]
    await table.give(table.umpire, "army add", list="Suakin 1885: British", side="Egyptians")
    await table.pass_on(table.umpire)
    assert (await game_of(table)).state.setting_up is None
    preview = await write_army(table, "Zulu impi: Late", table.british)
    assert "ursula" in (await table.press(table.british, preview.private[0], PUT)).private_text


async def test_a_system_with_hexes_refuses_armies_with_the_reason(table: Table) -> None:
    await table.give(table.umpire, "game new", rules="tanga", scenario="initial-assault")
    for command, options in (("army list", {}), ("army write", {"side": "german"})):
        assert "not played on a table in inches" in (await table.give(table.umpire, command, **options)).private_text


FRONTIER = "North-West Frontier"


async def start_own_battle(table: Table, rules: str = "magdala") -> None:
    await submit_battle_form(table, await open_battle_form(table, rules))
    await table.give(table.british, "game join", side="British")


async def test_a_list_asks_for_its_choices_before_it_is_placed(table: Table) -> None:
    await start_own_battle(table)
    (key,) = [name for name in await table.complete(table.umpire, "army add", "list", "frontier") if "british" in name]
    reply = (await table.give(table.onlooker, "army show", list=key)).private_text
    assert "Indian: 15th Sikhs, 36th Sikhs, 3rd Sikhs, 2nd Gurkhas" in reply.replace("\\", "")
    question = await table.give(table.umpire, "army add", list=key, side="British")
    assert "3rd Sikhs" in question.private_text
    assert await unit_names(table) == []
    message = question.private[0]
    assert len(labels(message)) == len(set(labels(message))) == 6
    await table.restart()
    chosen = (await table.press(table.umpire, message, "Indian")).result.response
    assert chosen is not None
    message = chosen
    assert "15th Sikhs: Indian regulars, breechloaders, 20 figures" in text(message)
    assert "1st Buffs" not in text(message)
    answer = await table.press(table.umpire, message, PUT)
    assert "are put on the table" in answer.text
    assert "36th Sikhs" in await unit_names(table)
    entry = (await table.give(table.umpire, "game export")).private[0].attachments[0]
    assert b'"battalions":"Indian"' in table.env.backend.cdn.get(entry.url)


async def test_a_button_of_outdated_choices_is_refused(table: Table) -> None:
    await start_own_battle(table)
    (key,) = [name for name in await table.complete(table.umpire, "army add", "list", "frontier") if "british" in name]
    message = (await table.give(table.umpire, "army add", list=key, side="British")).private[0]
    good = next(custom_id for custom_id in custom_ids(message) if custom_id.endswith(":put"))
    head, side, tag, chosen, _ = good.rsplit(":", 4)
    of_side, of_list = f"{head}:{side}", f"{head}:{side}:{tag}"
    of_others = f"{head}:9:{tag}:{chosen}:put", f"{of_side}:00:{chosen}:put", f"{of_list}:7:put", f"{of_list}:0-0:put"
    for broken in (*of_others, f"{of_list}:{chosen}:0-9", f"{of_list}:{chosen}:7-0", f"{of_list}::0-0"):
        assert "can no longer be used" in (await table.press_late(table.umpire, message, broken)).private_text
    assert await unit_names(table) == []


async def test_a_saved_side_is_placed_in_another_game(table: Table) -> None:
    await start_own_battle(table)
    preview = await write_army(table, f"{ARMY_LINES}\n12 Zulu impi (lancer): “Men with guns”")
    await table.press(table.umpire, preview.private[0], PUT)
    casualties = {"unit": "1st Berkshires", "field": "casualties", "value": "4"}
    await table.give(table.umpire, "umpire set", **casualties)
    reply = (await table.give(table.british, "army save", name="My *own*  force", side="British")).private_text
    assert "1st Berkshires: British regulars, breechloaders, 20 figures, with Sir John McNeill" in reply.replace(
        "\\", ""
    )
    assert r"My \*own\* force" in reply
    await table.give(table.umpire, "game end", confirm=True)
    await table.give(table.british, "army save", name="After the battle", side="British")
    await start_own_battle(table)
    assert await table.complete(table.british, "army load", "name", "own") == ["My *own* force"]
    assert "My *own* force" in await table.complete(table.british, "army show", "list")
    assert "Men with guns" in (await table.give(table.british, "army show", list="my *OWN* force")).private_text
    assert "which you alone see" in (await table.give(table.british, "army list")).private_text
    await table.give(table.british, "army load", name="own force", side="British")
    assert sorted(await unit_names(table)) == sorted([*UNIT_NAMES, "Men with guns"])
    state = (await game_of(table)).state
    assert next(u for u in state.units.values() if u.name == "1st Berkshires").figures == 20


async def test_a_written_army_can_be_saved_before_it_is_placed(table: Table) -> None:
    await start_own_battle(table)
    preview = await write_army(table, "24 Zulu impi: Left", table.onlooker)
    await table.restart()
    form = await table.press(table.onlooker, preview.private[0], "Keep it")
    answer = await submit_form(table.onlooker, form, "Left  wing")
    assert "### Left wing" in answer.private_text
    assert await table.complete(table.onlooker, "army load", "name") == ["Left wing"]
    assert await unit_names(table) == []


async def test_a_saved_force_is_private(table: Table) -> None:
    await start_own_battle(table)
    preview = await write_army(table, "Zulu impi: Ours")
    await table.press(table.umpire, preview.private[0], PUT)
    await table.give(table.british, "army save", name="Secret", side="British")
    unknown = "You keep no force “Secret”"
    for actor in (table.umpire, table.onlooker):
        assert await table.complete(actor, "army load", "name") == []
        assert await table.complete(actor, "army forget", "name") == []
        assert "Secret" not in (await table.give(actor, "army list")).private_text
        assert "There is no army “Secret”" in (await table.give(actor, "army show", list="Secret")).private_text
        assert unknown in (await table.give(actor, "army load", name="Secret", side="British")).private_text
        assert unknown in (await table.give(actor, "army forget", name="Secret")).private_text
    assert (
        "/army save keeps one" in (await table.give(table.onlooker, "army load", name="X", side="British")).private_text
    )


async def test_a_player_saves_his_own_side_and_the_umpire_any_side(table: Table) -> None:
    await start_own_battle(table)
    await table.give(table.mahdist, "game join", side="Egyptians")
    for side in ("British", "Egyptians"):
        await table.give(table.umpire, "army add", list="Suakin 1885: British", side=side)
    for actor, side, is_kept in (
        (table.british, "British", True),
        (table.british, "Egyptians", False),
        (table.onlooker, "British", False),
        (table.umpire, "Egyptians", True),
    ):
        reply = (await table.give(actor, "army save", name="One", side=side)).private_text
        assert ("Kept for you alone" in reply) is is_kept
        assert is_kept or "Only those who play the" in reply
    assert (
        "one line of 1 to 80" in (await table.give(table.umpire, "army save", name="  ", side="British")).private_text
    )


async def test_hidden_units_are_saved_only_by_people_who_know_them(table: Table) -> None:
    await start_own_battle(table)
    preview = await write_army(table, "Zulu impi: Seen\nZulu impi: Ambush")
    await table.press(table.umpire, preview.private[0], PUT)
    await table.give(table.umpire, "umpire option", name="hidden troops", value="yes")
    await table.give(table.british, "unit hide", unit="Ambush")
    assert "Ambush" in (await table.give(table.british, "army save", name="Mine", side="British")).private_text
    await table.give(table.umpire, "umpire appoint", user=table.mahdist.user)
    await table.give(table.mahdist, "game join", side="Egyptians")
    reply = (await table.give(table.mahdist, "army save", name="Theirs", side="British")).private_text
    assert "Seen" in reply
    assert "Ambush" not in reply


async def test_saved_lines_that_became_unclear_are_shown(table: Table) -> None:
    await start_own_battle(table)
    armies, scope = table.env.bot.armies, data_scope(table.guild.id, 0)
    await armies.store_army(scope, table.british.id, "magdala", "Old", "12 Zlu imps: Left\nZulu impi: Right")
    await armies.store_army(
        scope, table.british.id, "magdala", "Long", "\n".join(["12 Zlu imps: Left" + "t" * 40] * 50)
    )
    back = await table.give(table.british, "army load", name="Old", side="British")
    assert "nearest: Zulu impi" in back.private_text
    assert labels(back.private[0]) == [AGAIN]
    assert "1 of its lines" in (await table.give(table.british, "army show", list="Old")).private_text
    back = await table.give(table.british, "army load", name="Long", side="British")
    assert "too many lines for the form" in back.private_text
    assert await unit_names(table) == []


async def test_a_force_is_forgotten_by_name_without_a_game(table: Table) -> None:
    armies, scope = table.env.bot.armies, data_scope(table.guild.id, 0)
    await armies.store_army(scope, table.british.id, "magdala", "Camel Corps", "Zulu impi")
    assert (
        "No game runs"
        in (await table.give(table.british, "army load", name="Camel Corps", side="British")).private_text
    )
    assert await table.complete(table.british, "army forget", "name", "cam") == ["magdala camel corps"]
    reply = (await table.give(table.british, "army forget", name="camel")).private_text
    assert "You no longer keep **Camel Corps · " in reply.replace("\\", "")
    assert "You keep no force" in (await table.give(table.british, "army forget", name="camel")).private_text


async def test_forty_long_lines_are_placed_as_written(table: Table) -> None:
    await start_own_battle(table)
    lines = "\n".join(f"Mountain gun, 4 crew: {'*' * 19} {number}" for number in range(40))
    preview = await write_army(table, lines)
    assert "more units" in preview.private_text
    await table.press(table.umpire, preview.private[0], PUT)
    assert len(await unit_names(table)) == 40


async def test_text_in_army_lines_is_shown_literally(table: Table) -> None:
    await start_own_battle(table)
    preview = await write_army(table, "Zulu impi: **Bold** @everyone <@1> ```")
    understood, _, lines_kept = preview.private_text.partition("```")
    assert r"\*\*Bold\*\*" in understood
    assert "@everyone" not in understood
    assert "<@1>" not in understood
    assert lines_kept.strip().endswith("'''\n```")


async def test_army_totals_omit_leaders_and_list_each_gun(table: Table) -> None:
    for rules, troops, general, total in (
        ("magdala", "3 Gatling guns: Naval Brigade", "General", "4 units of 2 kinds of troops, 9 figures"),
        ("empire", "3 Light guns: Naval Brigade", "Leader", "4 units of 2 kinds of troops, 3 stands"),
    ):
        await submit_battle_form(table, await open_battle_form(table, rules))
        reply = (await write_army(table, f"{troops}\n{general}: Sir Garnet Wolseley")).private_text
        assert f"Sir Garnet Wolseley: {general}\n" in reply
        assert reply.count(": Gatling gun, 3 figures" if rules == "magdala" else ": Light gun, 1 stand") == 3
        assert total in reply
        await table.give(table.umpire, "game end", confirm=True)


async def test_a_saved_force_keeps_the_troops_that_were_shown(table: Table) -> None:
    """A number before guns counts guns, not their crews.

    A saved force keeps the nation that was shown, for any side.
    """
    await start_own_battle(table)
    preview = await write_army(table, "• 12 lancers – 9th\n2 Gatling guns: Naval Brigade")
    assert "9th: British lancers, carbines, 12 figures" in preview.private_text
    assert "Naval Brigade 2: Gatling gun, 3 figures" in preview.private_text
    assert "12 British lancers, carbines: 9th\n2 Gatling gun of 3: Naval Brigade\n```" in preview.private_text
    keep = await table.press(table.umpire, preview.private[0], "Keep it")
    await submit_form(table.umpire, keep, "Mine")
    await table.give(table.umpire, "army load", name="Mine", side="Egyptians")
    units = (await game_of(table)).state.units.values()
    assert sorted((unit.name, unit.figures, unit.nation) for unit in units) == [
        ("9th", 12, "British"), ("Naval Brigade 1", 3, "British"), ("Naval Brigade 2", 3, "British")
    ]  # fmt: skip
    question = await write_army(table, "2 Gatling guns: A\n3 Zulu impis")
    assert "Does 3 count figures or units?" in question.private_text
    assert PUT not in labels(question.private[0])


async def test_a_pasted_table_is_parsed_and_its_faults_name_their_lines(table: Table) -> None:
    await start_own_battle(table)
    preview = await write_army(
        table, "**1st Brigade**\nUnit\tTroops\tFigures\nBerks\tBritish regulars, breechloaders\t24"
    )
    assert "Berks: British regulars, breechloaders, 24 figures" in preview.private_text
    assert "Read as titles, not as units: 1st Brigade" in preview.private_text
    assert PUT in labels(preview.private[0])
    question = await write_army(table, "Unit,Troops,Figures\nA,Zulu impi,0\nB,Zulu impi,36\nC,Zlu,36")
    assert "line 2, “A,Zulu impi,0”: A unit has from 1 to" in question.private_text
    assert "line 4, “C,Zlu,36”: No troops are called “Zlu”" in question.private_text
    assert "line 3" not in question.private_text


async def test_the_button_places_an_army_once(table: Table) -> None:
    await start_own_battle(table)
    preview = (await write_army(table, "Zulu impi: Left")).private[0]
    await table.press(table.umpire, preview, PUT)
    assert labels(preview) == ["Keep it", AGAIN]
    (key,) = [name for name in await table.complete(table.umpire, "army add", "list", "frontier") if "british" in name]
    question = (await table.give(table.umpire, "army add", list=key, side="British")).private[0]
    assert "are put on the table" in (await table.press(table.umpire, question, PUT)).text
    assert labels(question) == []


async def test_a_refused_army_can_be_placed_once_there_is_room(table: Table) -> None:
    await start_own_battle(table)
    preview = (await write_army(table, "Zulu impi: Left", table.onlooker)).private[0]
    assert "bertie" in (await table.press(table.onlooker, preview, PUT)).private_text
    assert PUT in labels(preview)
