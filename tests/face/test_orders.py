"""`/turn orders`: a private sheet, written by menus or as text, drawn on a map, readable by its side."""

from typing import Any

import discord
import pytest
from discord import ui

from bot.order_sheets.store import OLD
from cogs.kit.cards.card import Card

from .loaded_dice import LoadedDice
from .sheet import PlayersSheet, menus
from .table import DETAILS, Answer, Table, custom_ids, labels, text

TAKE_UNDERSTOOD = "Take what was understood"


@pytest.fixture(autouse=True)
def dice(monkeypatch: pytest.MonkeyPatch) -> LoadedDice:
    return LoadedDice(monkeypatch, default=3)


async def test_orders_by_menus_are_done_in_one_message(table: Table, sheet: PlayersSheet) -> None:
    await sheet.open()
    before = await table.seq()
    await sheet.order("Towards Royal Marine", "All 14")
    assert "**1** Hadendoa of Tamai, Hadendoa of Sinkat, Hadendoa of Erkowit and" in sheet.text
    await sheet.order("Fire 1st Berkshires", "Riflemen of Hashin")
    assert "*about*" in sheet.text
    assert await table.seq() == before, "nothing is done yet"
    assert sheet.public == 0
    answer = await sheet.press("Do all")
    reply = text(answer.announced)
    assert "Army of Osman Digna: " in reply
    assert "The Army of Osman Digna moved 11 units and fired with Riflemen of Hashin" in reply
    (details,) = (await table.press(table.onlooker, answer.announced, DETAILS)).private
    files = [(await attachment.read()).decode() for attachment in details.attachments]
    assert "Riflemen of Hashin fire at 1st Berkshires" in "".join((text(details), *files))
    assert len(answer.announced.attachments) == 1
    assert "Choose units" in sheet.text, "the sheet is empty again"
    assert await table.seq() > before + 10


async def test_menus_offer_only_actions_still_possible_after_earlier_orders(sheet: PlayersSheet) -> None:
    await sheet.open("Amarar: forward 4")
    await sheet.choose("Which units?", "Amarar", "Arteiga")
    (forward,) = [option for option in menus(sheet.message)["Do what?"]["options"] if option["label"] == "Forward 4"]
    assert forward["description"] == "Suits Arteiga; others if they can"


async def test_menus_offer_the_enemy_first(sheet: PlayersSheet) -> None:
    await sheet.open()
    await sheet.choose("Which units?", "Amarar")
    labels_offered = [option["label"] for option in menus(sheet.message)["Do what?"]["options"]]
    assert labels_offered[0].startswith("Towards "), "to the enemy"
    ways = [labels_offered.index(label) for label in ("Forward 4", "Lie down", "Back 4")]
    assert ways == sorted(ways)
    await sheet.order("Lie down", "Amarar")
    assert "**1** Amarar: lie down" in sheet.text
    await sheet.choose("Which units?", "Riflemen of Hashin")
    assert next(iter(menus(sheet.message)["Do what?"]["options"]))["label"].startswith("Fire ")


async def test_orders_as_text_with_errors_line_by_line(table: Table, sheet: PlayersSheet) -> None:
    await sheet.open("Amarar: forward 6; nobody: forward 3; all Hadendoa: towards 1st Berk; Arteiga: dance")
    assert "**1** Amarar: forward 6 · *about*, 91.7%" in sheet.text
    assert "**2** Hadendoa of Tamai, Hadendoa of Sinkat, Hadendoa of Erkowit: towards 1st Berk" in sheet.text
    assert "✎ “nobody: forward 3”: No unit of yours is called “nobody”" in sheet.text
    assert "✎ “Arteiga: dance”: Arteiga: “dance” is not understood. Did you mean “advance”?" in sheet.text
    assert TAKE_UNDERSTOOD not in labels(sheet.message), "no part of these lines says an order"
    form = await sheet.press("Write as text")
    (part,) = form.result.modal["components"]
    assert part["component"]["value"].splitlines() == [
        "Amarar: forward 6",
        "Hadendoa of Tamai, Hadendoa of Sinkat, Hadendoa of Erkowit: towards 1st Berk",
        "nobody: forward 3",
        "Arteiga: dance",
    ]
    await sheet.write("Arteiga: forward 3\nAmarar: left 2")
    assert "**1** Arteiga: forward 3" in sheet.text
    assert "nobody" not in sheet.text
    answer = await sheet.press("Do all")
    assert "2 orders" in text(answer.announced)


async def test_a_partly_understood_line_needs_the_players_consent(sheet: PlayersSheet) -> None:
    await sheet.open("Amarar forward 6 and do a dance; Arteigga forward 3; nobody: hold")
    assert "✎ “Amarar forward 6 and do a dance”: “and do a dance” is not understood. " in sheet.text
    assert "The rest means “Amarar: forward 6”." in sheet.text
    assert "Did you mean “Arteiga: forward 3”?" in sheet.text
    assert "**1**" not in sheet.text, "nothing is ordered in part without being asked"
    await sheet.press(TAKE_UNDERSTOOD)
    assert "**1** Amarar: forward 6" in sheet.text
    assert "**2** Arteiga: forward 3" in sheet.text
    assert "dance" not in sheet.text
    assert "✎ “nobody: hold”" in sheet.text, "no part of this line was understood"
    assert TAKE_UNDERSTOOD not in labels(sheet.message)


async def test_the_form_keeps_orders_to_many_units(sheet: PlayersSheet) -> None:
    await sheet.open()
    await sheet.order("Towards Royal Marine", "All 14")
    before = sheet.text
    await sheet.write(await form_text(sheet))
    assert sheet.text == before


async def form_text(sheet: PlayersSheet) -> str:
    """Return the text in the form of *Write as text*."""
    (part,) = (await sheet.press("Write as text")).result.modal["components"]
    return str(part["component"]["value"])


async def test_the_form_keeps_every_wrong_line(sheet: PlayersSheet) -> None:
    await sheet.open()
    lines = [f"nobody {number}: forward 3" for number in range(30)]
    await sheet.write("\n".join([*lines, "Amarar: forward 3"]))
    assert "more lines: *Write as text* shows all of them." in sheet.text
    assert (await form_text(sheet)).splitlines() == ["Amarar: forward 3", *lines]
    await sheet.write("\n".join(lines * 2))
    assert "A sheet holds 40 orders." in sheet.text
    assert "So this was not taken over: nobody 0" in sheet.text
    assert (await form_text(sheet)).splitlines() == ["Amarar: forward 3", *lines]


async def test_a_form_does_not_cut_a_long_sheet(sheet: PlayersSheet) -> None:
    tribes = "Hadendoa of Tamai, Hadendoa of Sinkat, Hadendoa of Erkowit, Amarar, Arteiga, Ashraf, Riflemen of Hashin"
    await sheet.open()
    for _ in range(20):
        await sheet.open("; ".join([f"{tribes}: towards 1st Berkshires with charge"] * 2))
    reply = (await sheet.press("Write as text")).private_text
    assert "longer than the 4000 characters of a form" in reply


@pytest.mark.usefixtures("real_maps")
async def test_the_sheets_map_is_kept_while_only_menus_change(table: Table, sheet: PlayersSheet) -> None:
    await sheet.open("Amarar: forward 6")
    (first,) = sheet.message.attachments
    assert (await first.read()).startswith(b"\x89PNG")
    edits = len([request for request in table.env.http_requests if request.method == "PATCH"])
    await sheet.choose("Which units?", "Arteiga")
    assert [attachment.filename for attachment in sheet.message.attachments] == [first.filename]
    assert len([request for request in table.env.http_requests if request.method == "PATCH"]) == edits
    await sheet.choose("Do what?", "Forward")
    assert [attachment.filename for attachment in sheet.message.attachments] != [first.filename]


async def test_an_order_shows_its_sketchs_warnings(sheet: PlayersSheet) -> None:
    await sheet.open("Hadendoa of Erkowit: towards 1st Berk; Riflemen of Hashin fire 1st Berkshires")
    assert "⚠ Hadendoa of Erkowit stand in the line of fire from Riflemen of Hashin to 1st Berkshires" in sheet.text


async def test_buttons_remove_the_last_order_and_all_orders(sheet: PlayersSheet) -> None:
    await sheet.open("Amarar: forward 3; Arteiga: forward 3")
    await sheet.press("Remove last")
    assert "Arteiga: forward" not in sheet.text
    await sheet.press("Clear")
    assert "Choose units" in sheet.text


async def test_the_last_order_gets_a_condition_by_a_form(table: Table, sheet: PlayersSheet) -> None:
    await sheet.open("Amarar: forward 3; Arteiga: forward 3")
    await sheet.write_condition("unless an enemy is within 3")
    assert '**2** Arteiga: forward 3 if no enemy is within 3"' in sheet.text
    assert "◆ Its condition holds as things stand." in sheet.text
    form = (await sheet.press("Only if …")).result
    (part,) = form.modal["components"]
    assert (part["component"]["value"], part["description"]) == ('no enemy is within 3"', "Arteiga: forward 3")
    await sheet.write_condition("it rains")
    assert "is not understood" in sheet.text
    assert "So this was not taken over: it rains" in sheet.text
    assert '**2** Arteiga: forward 3 if no enemy is within 3"' in sheet.text
    await sheet.write_condition("")
    assert " if " not in sheet.text.partition("**2** ")[2].partition("\n")[0]
    assert sheet.public == 0


async def test_only_its_player_learns_of_an_order_left_undone(table: Table, sheet: PlayersSheet) -> None:
    await sheet.open("Amarar: forward 3 if an enemy is within 3; Arteiga: forward 3")
    answer = await sheet.press("Do all")
    assert '◇ Left undone: no enemy is within 3".' in sheet.text
    assert "Arteiga" not in sheet.text.partition("◇")[0]
    assert "within 3" not in text(answer.announced)
    (details,) = (await table.press(table.onlooker, answer.announced, DETAILS)).private
    files = [(await attachment.read()).decode() for attachment in details.attachments]
    assert "within 3" not in "".join((text(details), *files))


async def test_a_sheet_and_its_menu_choices_survive_a_restart(table: Table, sheet: PlayersSheet) -> None:
    await sheet.open("Amarar: forward 3")
    await sheet.choose("Which units?", "Arteiga")
    await table.restart()
    await sheet.choose("Do what?", "Forward")
    assert "**2** Arteiga: forward 4" in sheet.text
    await table.restart()
    assert "2 orders" in text((await sheet.press("Do all")).announced)


async def test_an_old_press_shows_the_new_sheet(table: Table, sheet: PlayersSheet) -> None:
    await sheet.open("Amarar: forward 3")
    newer = PlayersSheet(table, table.mahdist)
    await newer.open("Arteiga: forward 3")
    before = await table.seq()
    await sheet.press("Do all")
    assert OLD in sheet.text
    assert "**2** Arteiga: forward 3" in sheet.text
    assert await table.seq() == before
    form = (await newer.press("Write as text")).result
    await sheet.press("Remove last")
    (part,) = form.modal["components"]
    answer = Answer(await table.mahdist.submit_modal(form, {part["component"]["custom_id"]: "Ashraf: forward 2"}))
    assert "this was not taken over: Ashraf: forward 2" in text(newer.message) + answer.text


async def test_a_sheet_is_only_for_players_of_a_running_game(table: Table) -> None:
    assert "No game runs" in (await table.give(table.british, "turn orders")).private_text
    await table.start()
    assert "an onlooker" in (await table.give(table.onlooker, "turn orders")).private_text


async def test_turn_messages_have_the_button_give_orders(table: Table) -> None:
    await table.start()
    sheet = PlayersSheet(table, table.mahdist)
    await sheet.open_under(table.newest(table.mahdist))
    assert "Your order sheet" in sheet.text
    passed = await table.pass_on(table.mahdist)
    await sheet.open_under(passed.announced)
    assert "When it is my turn" not in menus(sheet.message)
    status = await table.give(table.british, "turn status")
    assert "Give orders" in labels(status.private[0])


def make_forged_card(table: Table, sheet: PlayersSheet) -> Card:
    """Return a public message with every button and menu of a sheet, and the button that shows the sheet."""
    buttons: list[Any] = [
        ui.Button(label=f"b{place}", custom_id=custom_id) for place, custom_id in enumerate(custom_ids(sheet.message))
    ]
    game = custom_ids(sheet.message)[0].split(":")[3]
    card = Card().buttons([*buttons, ui.Button(label="read", custom_id=f"umpire:read:{game}:{table.mahdist.id}")])
    for menu in menus(sheet.message).values():
        choices = [discord.SelectOption(label=option["label"], value=option["value"]) for option in menu["options"]]
        card.menu(ui.Select(custom_id=menu["custom_id"], options=choices, placeholder=menu["placeholder"]))
    return card


async def test_nobody_else_reads_or_presses_a_sheet(table: Table, sheet: PlayersSheet) -> None:
    await sheet.open("Amarar: forward 3; nobody: hides")
    await sheet.choose("Which units?", "Arteiga")
    card = make_forged_card(table, sheet)
    await table.env.bot.get_partial_messageable(table.channel.id).send(view=card.view())
    message = table.newest(table.onlooker)
    before, sheet_text = await table.seq(), sheet.text
    for actor in (table.british, table.umpire, table.onlooker):
        answers = [await table.press(actor, message, label) for label in labels(message)]
        answers += [
            Answer(await actor.select(message, [menu["options"][0]["value"]], custom_id=menu["custom_id"]))
            for menu in menus(message).values()
        ]
        answers.append(await table.give(actor, "turn orders"))
        for answer in answers:
            assert not answer.public
            assert answer.private
        assert not any(secret in answer.text for answer in answers for secret in ("forward 3", "hides"))
        assert not any("forward 3" in text_read or "hides" in text_read for text_read in table.read_by(actor))
    assert (await table.seq(), sheet.text) == (before, sheet_text)


async def test_a_sheet_answers_its_player_privately_under_any_message(table: Table, sheet: PlayersSheet) -> None:
    await sheet.open("Amarar: forward 3")
    await table.env.bot.get_partial_messageable(table.channel.id).send(view=make_forged_card(table, sheet).view())
    message = table.newest(table.onlooker)
    pressed = await table.press(table.mahdist, message, "b2")
    assert "Your order sheet" in pressed.private_text
    assert not any("forward 3" in text_read for text_read in table.read_by(table.onlooker))


async def test_a_fellow_player_may_read_a_sheet_but_not_change_it(table: Table, sheet: PlayersSheet) -> None:
    await sheet.open("Amarar: forward 3")
    await table.give(table.onlooker, "game join", side="mahdists")
    fellow = PlayersSheet(table, table.onlooker)
    await fellow.open()
    answer = await table.press(table.onlooker, fellow.message, "Sheet of musa")
    (message,) = answer.private
    assert "### Order sheet of musa" in text(message)
    assert "**1** Amarar: forward 3" in text(message)
    assert not labels(message)
    assert not menus(message)
    assert "Amarar" not in fellow.text.partition("Suakin 1885")[0]


async def test_a_holding_unit_is_on_the_sheet_and_does_nothing(sheet: PlayersSheet) -> None:
    await sheet.open("Amarar: hold\n• Arteiga advance 4.")
    assert "**1** Amarar: hold" in sheet.text
    assert "**2** Arteiga: forward 4" in sheet.text
    answer = await sheet.press("Do all")
    assert "Arteiga" in text(answer.announced)
    assert "Amarar move" not in text(answer.announced)
    assert ": hold" not in sheet.text


async def test_an_ambiguous_name_stops_its_line_and_says_so(sheet: PlayersSheet) -> None:
    await sheet.open("Hadendoa advance 4; Arteiga advance 4")
    assert "✎ “Hadendoa advance 4”: “Hadendoa” may be any of these:" in sheet.text
    await sheet.press("Do all")
    assert "✎ “Hadendoa advance 4”" in sheet.text, "the wrong line stays for a correction"


async def test_the_form_shows_examples_from_this_game(sheet: PlayersSheet) -> None:
    await sheet.open()
    form = await sheet.press("Write as text")
    (part,) = form.result.modal["components"]
    assert part["description"].startswith("As “Hadendoa of Tamai: towards 1st Berkshires”")
    assert part["component"]["placeholder"] == "Hadendoa of Tamai: towards 1st Berkshires"
