"""`/morale`, `/reaction`, `/fire` and `/melee` in a game: permissions, sums, buttons, secrets and completion."""

import re

import pytest

from rules.core.scene import TableScene

from .loaded_dice import LoadedDice, give_together
from .table import Table, custom_ids, labels, text

MAHDISTS, BRITISH = "rifles-hashin", "berkshires"


@pytest.fixture
def dice(monkeypatch: pytest.MonkeyPatch) -> LoadedDice:
    return LoadedDice(monkeypatch)


async def test_a_volley_is_public_and_shows_its_sum(table: Table, dice: LoadedDice) -> None:
    await table.start()
    dice.fall(6, 2)
    answer = await table.give(table.mahdist, "fire", unit=MAHDISTS, target=BRITISH)
    reply = text(answer.announced)
    assert "Riflemen of Hashin fire at 1st Berkshires: 1 hit." in reply
    assert "2D6 6 2, hits on 6: 1 hit (31% to hit at all) · MM-3.6" in reply
    assert "MM-3.6" in reply
    assert "1st Berkshires: 23 of 24 left" in reply
    assert "throw 1" in reply


async def test_the_picture_of_a_volley_shows_the_line_of_fire(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    scenes: list[TableScene] = []

    def draw(scene: TableScene, **_: object) -> bytes:
        scenes.append(scene)
        return b"a picture"

    await table.start()
    monkeypatch.setattr("render.scenes.draw", draw)
    answer = await table.give(table.mahdist, "fire", unit=MAHDISTS, target=BRITISH)
    assert answer.announced.attachments
    (scene,) = scenes
    at = {base.unit: base.at for base in scene.bases}
    assert [(arrow.kind, arrow.start, arrow.end) for arrow in scene.arrows] == [("fire", at[MAHDISTS], at[BRITISH])]


async def test_a_test_that_moves_nobody_has_no_picture(table: Table, dice: LoadedDice) -> None:
    await table.start()
    dice.fall(6, 6)
    await table.give(table.mahdist, "fire", unit=MAHDISTS, target=BRITISH)
    dice.fall(6, 6)
    holds = await table.give(table.british, "morale", unit=BRITISH)
    assert not holds.announced.attachments


async def test_units_may_have_informal_names(table: Table) -> None:
    await table.start()
    answer = await table.give(table.mahdist, "fire", unit="riflemen of hashin", target="1st Berkshires")
    assert "fire at 1st Berkshires" in text(answer.announced)


async def test_a_misspelt_unit_is_refused_with_the_nearest(table: Table) -> None:
    await table.start()
    answer = await table.give(table.mahdist, "fire", unit="Hashm", target=BRITISH)
    assert "Riflemen of Hashin" in answer.private_text


async def test_a_player_may_not_fire_the_enemys_guns(table: Table) -> None:
    await table.start()
    answer = await table.give(table.british, "fire", unit=MAHDISTS, target=BRITISH)
    assert "You play the British" in answer.private_text
    assert "musa" in answer.private_text
    assert "ursula" in answer.private_text


async def test_onlookers_only_look(table: Table) -> None:
    await table.start()
    answer = await table.give(table.onlooker, "fire", unit=MAHDISTS, target=BRITISH)
    assert "You are an onlooker" in answer.private_text


async def test_the_umpire_may_fire_for_anyone(table: Table) -> None:
    await table.start()
    answer = await table.give(table.umpire, "fire", unit=MAHDISTS, target=BRITISH)
    assert "fire at" in text(answer.announced)


async def test_a_refused_volley_names_its_rule_and_throws_nothing(table: Table) -> None:
    await table.start()
    refused = await table.give(table.mahdist, "fire", unit=MAHDISTS, target="rifles-tokar")
    assert "same side" in refused.private_text
    assert "MM-3.1" in refused.private_text
    fired = await table.give(table.mahdist, "fire", unit=MAHDISTS, target=BRITISH)
    assert "throw 1" in text(fired.announced)


async def test_a_unit_without_a_game_is_refused_with_advice(table: Table) -> None:
    answer = await table.give(table.mahdist, "fire", unit=MAHDISTS, target=BRITISH)
    assert "/game new" in answer.private_text


async def test_an_unknown_circumstance_is_refused_with_the_nearest(table: Table) -> None:
    await table.start()
    answer = await table.give(table.mahdist, "fire", unit=MAHDISTS, target=BRITISH, **{"with": "half efect"})
    assert "half effect" in answer.private_text
    assert "no circumstance" in answer.private_text


@pytest.mark.parametrize("inches", [1001.0, 9999.0])
async def test_an_absurd_range_is_refused(inches: float, table: Table) -> None:
    await table.start()
    answer = await table.give(table.mahdist, "fire", unit=MAHDISTS, target=BRITISH, range=inches)
    assert "range" in answer.private_text


async def test_a_table_without_positions_asks_for_the_range(table: Table) -> None:
    await table.start()
    await table.give(table.umpire, "umpire set", unit=MAHDISTS, field="place", value="none")
    form = await table.give(table.mahdist, "fire", unit=MAHDISTS, target=BRITISH)
    assert form.result.modal["components"][0]["label"] == "Range in inches"
    answer = await table.give(table.mahdist, "fire", unit=MAHDISTS, target=BRITISH, range=8.0)
    assert '8": short range' in await table.details(table.onlooker, answer.announced)


async def test_a_melee_without_positions_takes_the_figures_in_contact(table: Table) -> None:
    await table.start()
    for unit in ("amarar", "marines"):
        await table.give(table.umpire, "umpire set", unit=unit, field="place", value="none")
    call = {"with": "umpire's call", "contact": 9}
    answer = await table.give(table.umpire, "melee", unit="amarar", target="marines", **call)
    assert "9 figures in contact, 3 combats" in await table.details(table.onlooker, answer.announced)


async def test_hits_add_a_button_for_the_due_test(table: Table, dice: LoadedDice) -> None:
    await table.start()
    dice.fall(6, 6)
    answer = await table.give(table.mahdist, "fire", unit=MAHDISTS, target=BRITISH)
    assert any("Morale" in label for label in labels(answer.announced))


async def test_no_onlooker_presses_a_units_button(table: Table, dice: LoadedDice) -> None:
    await table.start()
    dice.fall(6, 6)
    volley = (await table.give(table.mahdist, "fire", unit=MAHDISTS, target=BRITISH)).announced
    label = labels(volley)[0]
    refused = await table.press(table.onlooker, volley, label)
    assert "bertie" in "\n".join(map(text, refused.private))
    dice.fall(4, 5)
    answer = await table.press(table.british, volley, label)
    assert any("2D6 4 5" in text(message) for message in answer.public)


async def test_mm_5_2_a_forced_test_is_in_the_message_of_its_volley(table: Table, dice: LoadedDice) -> None:
    await table.start(at_once=True)
    await table.give(table.umpire, "umpire set", unit=BRITISH, field="casualties", value="8")
    dice.fall(6, 6, 4, 5)
    volley = (await table.give(table.mahdist, "fire", unit=MAHDISTS, target=BRITISH)).announced
    assert "2D6 4 5" in text(volley)
    assert labels(volley) == ["Give orders", "End the turn of the Army of Osman Digna"]
    status = await table.give(table.british, "turn status")
    assert "To do before the turn can end" not in text(status.private[0])
    luck = await table.give(table.umpire, "dice luck")
    assert "**British**: 2 dice" in luck.text


async def test_a_stale_button_says_so_and_goes(table: Table, dice: LoadedDice) -> None:
    await table.start()
    dice.fall(6, 6)
    volley = (await table.give(table.mahdist, "fire", unit=MAHDISTS, target=BRITISH)).announced
    stale_id = custom_ids(volley)[0]
    dice.fall(4, 5)
    await table.give(table.british, "morale", unit=BRITISH)
    pressed = await table.press_late(table.british, volley, stale_id)
    assert pressed.private
    assert "can no longer be used" in "\n".join(map(text, pressed.private))
    now = next(message for message in table.channel.history(viewer=table.british) if message.id == volley.id)
    assert stale_id not in custom_ids(now)


async def test_morale_shows_the_chance_beforehand_and_the_sum(table: Table, dice: LoadedDice) -> None:
    await table.start()
    dice.fall(6, 6)
    await table.give(table.mahdist, "fire", unit=MAHDISTS, target=BRITISH)
    dice.fall(1, 2)
    answer = await table.give(table.british, "morale", unit=BRITISH)
    reply = text(answer.announced)
    assert "2D6 1 2, +1 British, +1 behind a zareba = 5 against 2 casualties (100% to hold) · MM-5.6" in reply
    details = await table.details(table.onlooker, answer.announced)
    assert "2D6 [1][2] = 3, +1 British (MM-5.4), +1 behind a zareba (MM-5.4) = 5 against 2 casualties" in details


async def test_a_morale_test_that_is_not_due_is_refused(table: Table) -> None:
    await table.start()
    answer = await table.give(table.british, "morale", unit=BRITISH)
    assert "no morale test to make" in answer.private_text
    assert "MM-5" in answer.private_text


async def test_only_the_units_side_reads_a_secret_test(table: Table, dice: LoadedDice) -> None:
    await table.start()
    dice.fall(6, 6)
    await table.give(table.mahdist, "fire", unit=MAHDISTS, target=BRITISH)
    before = list(table.read_by(table.onlooker))
    answer = await table.give(table.british, "morale", unit=BRITISH, secret=True)
    assert "2D6" in answer.private_text
    assert list(table.read_by(table.onlooker)) == before
    assert list(table.read_by(table.mahdist)) == before


async def test_a_secret_quality_shows_neither_itself_nor_a_wrong_sum(table: Table, dice: LoadedDice) -> None:
    await table.start()
    await table.give(table.umpire, "umpire secret", unit=BRITISH, field="secret quality", value="-2")
    dice.fall(6, 6)
    await table.give(table.mahdist, "fire", unit=MAHDISTS, target=BRITISH)
    odds = await table.give(table.british, "odds", test="morale", unit=BRITISH)
    assert "Secret umpire modifiers not included" in odds.private_text
    assert "secret quality" not in odds.private_text
    assert "secret quality" in (await table.give(table.umpire, "odds", test="morale", unit=BRITISH)).private_text
    dice.fall(3, 4)
    answer = await table.give(table.british, "morale", unit=BRITISH)
    for line in (text(answer.announced), *table.read_by(table.british), *table.read_by(table.onlooker)):
        assert "-2" not in line
        assert "secret quality" not in line
    assert "umpire's modifier" in text(answer.announced)


async def test_only_the_umpire_may_claim_umpires_circumstances(table: Table) -> None:
    await table.start()
    answer = await table.give(table.british, "morale", unit=BRITISH, **{"with": "umpire's call"})
    assert "ursula" in answer.private_text


async def test_reaction_at_the_umpires_call(table: Table, dice: LoadedDice) -> None:
    await table.start()
    dice.fall(5)
    answer = await table.give(table.umpire, "reaction", unit=BRITISH, **{"with": "umpire's call"})
    assert "D6 5, +1 British" in text(answer.announced)
    assert "MM-5.10" in text(answer.announced)


async def test_a_melee_needs_contact(table: Table) -> None:
    await table.start()
    answer = await table.give(table.mahdist, "melee", unit="amarar", target=BRITISH)
    assert "MM-4" in answer.private_text


async def test_own_units_complete_first_and_enemies_for_the_target(table: Table) -> None:
    await table.start()
    assert "hadendoa-tamai" in (await table.complete(table.mahdist, "fire", "unit"))[:5]
    assert BRITISH in (await table.complete(table.mahdist, "fire", "target"))[:5]
    assert (await table.complete(table.mahdist, "morale", "unit", "ashr"))[0] == "ashraf"
    assert (await table.complete(table.mahdist, "melee", "target", "lanc"))[0] == "5th-lancers"


COMPLETIONS = [
    ("fire", "half", "half effect"),
    ("fire", "half effect, cover", "half effect, target in cover"),
    ("morale", "in sq", "in square"),
    ("morale", "in square, gen", "in square, general"),
    ("reaction", "gen", "general"),
]


async def test_circumstances_complete_word_by_word(table: Table) -> None:
    await table.start()
    for command, beginning, completion in COMPLETIONS:
        assert completion in await table.complete(table.mahdist, command, "with", beginning, unit=MAHDISTS)


async def test_completion_omits_contradicting_circumstances(table: Table) -> None:
    await table.start()
    completions = await table.complete(table.mahdist, "fire", "with", "full effect, ", unit=MAHDISTS)
    assert completions
    assert "full effect, half effect" not in completions


async def test_completion_is_silent_without_a_game(table: Table) -> None:
    assert await table.complete(table.mahdist, "fire", "unit", "a") == []


async def test_two_simultaneous_commands_run_one_after_the_other(table: Table) -> None:
    await table.start()
    answers = await give_together(
        table,
        [
            (table.mahdist, "fire", {"unit": MAHDISTS, "target": BRITISH}),
            (table.mahdist, "fire", {"unit": "rifles-tokar", "target": "marines"}),
        ],
    )
    reply = "\n".join(text(answer.announced) for answer in answers)
    assert "throw 1 " in reply
    assert "throw 2 " in reply
    assert "Riflemen of Hashin fire" in reply
    assert "Riflemen of Tokar fire" in reply


async def test_fifty_simultaneous_commands_are_all_answered(table: Table) -> None:
    await table.start()
    call = {"unit": BRITISH, "with": "umpire's call"}
    answers = await give_together(table, [(table.umpire, "morale", call)] * 50)
    assert all(answer.result.acknowledged for answer in answers)
    throws = [re.search(r"throw (\d+) ", text(answer.announced)) for answer in answers]
    assert sorted(int(match[1]) for match in throws if match) == list(range(1, 51))
    games = table.env.bot.games
    assert (await games.running_game(table.channel.id)).public_throw_count == 50
