"""`/roll` and `/dice`: dice anywhere, sealed in a game, and verified afterwards."""

import hashlib
import re

from .table import Table, labels, text

LINE_WIDTH = 40
"""Characters per line on a telephone."""


async def test_roll_shows_dice_and_total_to_everyone(table: Table) -> None:
    answer = await table.give(table.onlooker, "roll", dice="2d6+1", label="for *luck*")
    reply = text(answer.announced)
    assert re.search(r"▸ 2d6 \[\d\]\[\d\] \+ 1 = \*\*\d+\*\*", reply)
    assert "for \\*luck\\*" in reply
    assert "No game runs here" in reply


async def test_roll_in_a_game_is_numbered_and_in_the_log(table: Table) -> None:
    await table.start()
    answer = await table.give(table.british, "roll", dice="3d6", repeat=3)
    reply = text(answer.announced)
    assert reply.count("▸") == 3
    assert "throws 1-3" in reply
    assert "bertie rolls" in (await table.give(table.onlooker, "game log")).private_text


async def test_each_roll_has_a_line_that_fits_a_telephone(table: Table) -> None:
    await table.start()
    reply = text(
        (await table.give(table.british, "roll", dice="(Gale) 4d6 k3; 3d10 t7 f1; d20+5 adv ! at sea")).announced
    )
    reply = reply.replace("\\", "")
    kept, counted, better = re.findall(r"^▸ .*$", reply, re.MULTILINE)
    assert re.fullmatch(r"▸ 4d6kh3 ([\[(]\d[\])]){4} = \*\*\d+\*\*", kept)
    assert re.fullmatch(r"▸ 3d10t7f1 (\[\d+\]){3}: \*\*(\d success|no|as many|less).*\*\*", counted)
    assert re.fullmatch(r"▸ 2d20kh1 [\[(]\d+[\])]{1,2}.* \+ 5 = \*\*\d+\*\*", better)
    assert all(len(line.replace("*", "")) <= LINE_WIDTH for line in (kept, better))
    assert "### bertie rolls Gale: at sea" in reply
    verified = await table.give(table.onlooker, "dice verify")
    assert "3 throws recomputed: all are as they were shown" in verified.private_text


async def test_secret_roll_is_for_its_thrower_and_the_umpire(table: Table) -> None:
    await table.start()
    answer = await table.give(table.british, "roll", dice="4d6", label="ambush", secret=True)
    assert "ambush" in answer.private_text
    assert not any("ambush" in text for text in table.read_by(table.mahdist))
    assert "ambush" not in (await table.give(table.mahdist, "game log", last=50)).private_text
    assert "ambush" in (await table.give(table.umpire, "game log", last=50)).private_text


async def test_roll_in_direct_messages(table: Table) -> None:
    result = await table.onlooker.user.slash("roll", dice="d100")
    assert result.acknowledged
    assert "1d100" in text(result.response)


DICE_BOMBS = ["999999d999999", "(" * 150 + "1" + ")" * 150, "1d6+" * 500 + "1", "d0", "2d6+", "hello", "3d1!"]


async def test_bombs_and_nonsense_are_refused_privately(table: Table) -> None:
    for bomb in DICE_BOMBS:
        answer = await table.give(table.british, "roll", dice=bomb)
        assert len(answer.private_text) < 500


async def test_verify_works_before_and_after_the_seed_is_revealed(table: Table) -> None:
    await table.start()
    await table.give(table.british, "roll", dice="5d6")
    before = await table.give(table.onlooker, "dice verify")
    assert "1 throw recomputed" in before.private_text
    assert "not public yet" in before.private_text
    refused = await table.give(table.british, "dice reveal")
    assert "ursula" in refused.private_text
    revealed = await table.give(table.umpire, "dice reveal")
    reply = text(revealed.announced)
    match = re.search(r"Seed 1: `([0-9a-f]{64})`\n-# sealed as `([0-9a-f]{64})`", reply)
    assert match is not None
    assert hashlib.sha256(bytes.fromhex(match[1])).hexdigest() == match[2]
    assert "From now on the dice are sealed with" in reply
    assert match[1] in (await table.give(table.onlooker, "dice verify")).private_text


async def test_luck_by_side(table: Table) -> None:
    await table.start()
    assert "No dice have been thrown yet" in (await table.give(table.british, "dice luck")).private_text
    await table.give(table.british, "roll", dice="6d6")
    answer = await table.give(table.mahdist, "dice luck")
    assert "**British**: 6 dice, sum " in answer.private_text
    assert "expected 21" in answer.private_text


async def test_dice_without_a_game(table: Table) -> None:
    for command in ("dice verify", "dice reveal", "dice luck"):
        assert "No game" in (await table.give(table.british, command)).private_text


async def test_a_ruling_is_rolled_recorded_and_listed(table: Table) -> None:
    answer = await table.give(table.british, "ruling ask", question="Is the *khor* dry?", odds="3+")
    reply = text(answer.announced)
    assert "Is the \\*khor\\* dry?" in reply
    assert re.search(r"Yes on 3\+: .*\*\*(Yes|No)\.\*\*", reply)
    form = await table.press(table.british, answer.announced, "Keep a house rule")
    assert form.result.modal is not None
    custom_id = form.result.modal["components"][0]["component"]["custom_id"]
    confirmation = await table.british.submit_modal(form.result, {custom_id: "A khor is dry in summer."})
    assert confirmation.acknowledged
    assert "A khor is dry in summer." in text(confirmation.response)
    rule_list = await table.give(table.onlooker, "ruling list", search="khors")
    assert "A khor is dry in summer." in rule_list.private_text


async def test_rulings_are_listed_by_pages(table: Table) -> None:
    for number in range(23):
        await table.give(table.british, "ruling record", text=f"Rule {number}: " + "x*" * (300 if number == 22 else 5))
    page, numbers = await table.give(table.onlooker, "ruling list"), []
    while True:
        (message,) = page.private
        numbers += [int(number) for number in re.findall(r"Rule (\d+)", text(message))]
        if not labels(message):
            break
        page = await table.press(table.onlooker, message, "Older")
    assert numbers == list(reversed(range(23)))


async def test_a_ruling_is_removed_publicly(table: Table) -> None:
    await table.give(table.british, "ruling record", text="Camels bolt on 1.")
    (number,) = re.findall(r"\*\*(\d+)\.\*\*", (await table.give(table.mahdist, "ruling list")).private_text)
    assert "Only bertie" in (await table.give(table.mahdist, "ruling remove", number=int(number))).private_text
    gone = await table.give(table.british, "ruling remove", number=int(number))
    assert "Camels bolt on 1" in text(gone.announced)
    assert "There are no house rules yet" in (await table.give(table.mahdist, "ruling list")).private_text
    assert "has the number" in (await table.give(table.british, "ruling remove", number=int(number))).private_text


async def test_rulings_belong_to_one_server(table: Table) -> None:
    await table.give(table.british, "ruling record", text="Camels bolt on 1.")
    assert "Camels bolt" in (await table.give(table.mahdist, "ruling list")).private_text
    result = await table.british.user.slash("ruling list")
    assert result.acknowledged
    assert "There are no house rules yet" in text(result.response)


async def test_wrong_odds_are_refused(table: Table) -> None:
    answer = await table.give(table.british, "ruling ask", question="Well?", odds="maybe")
    assert "cannot be read as odds" in answer.private_text


async def test_odds_of_a_ruling_complete(table: Table) -> None:
    assert "4+" in await table.complete(table.british, "ruling ask", "odds")


async def test_scenarios_are_listed_and_shown(table: Table) -> None:
    answer = await table.give(table.onlooker, "scenario list")
    assert "Suakin 1885" in answer.private_text
    scenario_card = await table.give(table.onlooker, "scenario show", scenario="Suakin 1885")
    assert "/game new rules:magdala scenario:suakin-1885" in scenario_card.private_text
    assert not labels(scenario_card.private[0])
    assert (
        "There is no scenario" in (await table.give(table.onlooker, "scenario show", scenario="waterloo")).private_text
    )
    assert "atbara-1898" in await table.complete(table.onlooker, "scenario show", "scenario", "atb")


async def test_verify_accepts_throws_missing_from_an_imported_file(table: Table) -> None:
    await table.start()
    await table.give(table.mahdist, "roll", dice="4d6", secret=True)
    exported = await table.give(table.british, "game export")
    (file,) = exported.private[0].attachments
    channel = table.guild.create_text_channel("elsewhere")
    await table.give(table.british, "game import", file=(file.filename, await file.read()), channel=channel)
    verified = await table.give(table.british, "dice verify", channel=channel)
    assert "imported from a file. No dice had been thrown then" in verified.private_text
    assert "more are not in the imported file" not in verified.private_text, "hidden throws are not mentioned"
    assert "do not hold" not in verified.private_text
