"""`/game`: from the first briefing to the revealed dice."""

import json

import pytest

from bot.journal.game import Game

from .table import Table, custom_ids, labels, text


async def test_new_game_posts_briefing_map_seal_and_seats(table: Table) -> None:
    answer = await table.start(seated=False)
    posted = answer.announced
    reply = text(posted)
    assert "Suakin 1885" in reply
    assert "Umpire: ursula" in reply
    assert "Dice sealed with" in reply
    assert [attachment.filename for attachment in posted.attachments] == ["table.png"]
    assert posted.attachments[0].description, "the map has no words"
    assert "Play the British" in labels(posted)


async def test_system_and_scenario_may_be_given_by_title(table: Table) -> None:
    answer = await table.give(
        table.umpire, "game new", rules="Magdala to Mafeking", scenario="Atbara 1898", name="The *big* one"
    )
    assert "The \\*big\\* one" in text(answer.announced)


async def test_second_game_in_a_channel_is_refused_privately(table: Table) -> None:
    await table.start()
    answer = await table.give(table.onlooker, "game new", rules="magdala", scenario="atbara-1898")
    assert "A game runs in this channel" in answer.private_text


@pytest.mark.parametrize(("rules", "scenario"), [("chess", "suakin-1885"), ("magdala", "waterloo")])
async def test_an_unknown_system_or_scenario_lists_the_known_ones(table: Table, rules: str, scenario: str) -> None:
    answer = await table.give(table.umpire, "game new", rules=rules, scenario=scenario)
    assert "There is no" in answer.private_text
    assert "There are:" in answer.private_text


async def test_the_umpire_may_join_a_side(table: Table) -> None:
    answer = await table.give(table.umpire, "game new", rules="magdala", scenario="suakin-1885", side="British")
    assert "British: ursula" in text(answer.announced)


async def test_games_run_in_several_channels_at_once(table: Table) -> None:
    await table.start()
    channel = table.guild.create_text_channel("other")
    answer = await table.give(table.onlooker, "game new", rules="magdala", scenario="atbara-1898", channel=channel)
    assert "Umpire: olga" in text(answer.announced)
    status = await table.give(table.british, "game status")
    assert "Suakin" in status.private_text


async def test_choices_of_the_lists_are_buttons(table: Table) -> None:
    answer = await table.give(table.umpire, "game new", rules="magdala", scenario="north-west-frontier")
    offers = [label for label in labels(answer.announced) if not label.startswith("Play the")]
    assert offers
    chosen = await table.press(table.umpire, answer.announced, offers[0])
    assert chosen.public, "a choice is public"
    assert offers[0] not in labels(table.channel.history()[0]), "a choice made is offered no more"


async def test_joining_by_button_is_public(table: Table) -> None:
    answer = await table.start(seated=False)
    joined = await table.press(table.british, answer.announced, "Play the British")
    assert "**bertie** plays the **British**" in text(joined.announced)
    assert "Play the British" in labels(table.channel.history()[0]), "others may join too"
    assert labels(joined.announced) == ["Give orders", "End the turn of the Army of Osman Digna"], (
        "the next step goes along"
    )


async def test_joining_twice_or_an_unknown_side_is_refused(table: Table) -> None:
    answer = await table.give(table.british, "game join", side="british")
    assert "No game runs in this channel" in answer.private_text
    await table.start()
    second_join = await table.give(table.british, "game join", side="mahdists")
    assert "/game leave" in second_join.private_text
    unknown = await table.give(table.onlooker, "game join", side="french")
    assert "There is no side" in unknown.private_text


async def test_press_repeated_by_a_second_process_after_the_player_left_is_explained(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    await table.start(seated=False)
    games = table.env.bot.games

    async def join(channel: int, *_: object, **__: object) -> Game:
        return await games.running_game(channel)

    monkeypatch.setattr(games.seats, "join", join)
    answer = await table.give(table.british, "game join", side="british")
    assert "You have given that seat up since" in answer.private_text


async def test_leaving_frees_the_seat(table: Table) -> None:
    await table.start()
    answer = await table.give(table.british, "game leave")
    assert "British: nobody yet" in text(answer.announced)
    second_leave = await table.give(table.british, "game leave")
    assert second_leave.private_text


async def test_status_shows_turn_strengths_and_seats_privately(table: Table) -> None:
    await table.start()
    answer = await table.give(table.onlooker, "game status")
    assert "Turn 1" in answer.private_text
    assert "1st Berkshires: " in answer.private_text
    assert "British: bertie" in answer.private_text


async def test_log_shows_what_happened(table: Table) -> None:
    await table.start()
    await table.give(table.umpire, "umpire set", unit="1st Berkshires", field="casualties", value="5")
    answer = await table.give(table.onlooker, "game log", last=3)
    assert "musa plays" in answer.private_text
    assert "The umpire corrects 1st Berkshires" in answer.private_text


async def test_long_log_comes_as_a_file(table: Table) -> None:
    await table.start()
    for value in [*range(1, 24), *range(1, 24)]:
        await table.give(table.umpire, "unit edit", unit="berkshires", field="casualties", value=str(value))
    answer = await table.give(table.umpire, "game log", last=100)
    (file,) = answer.private[0].attachments
    assert file.filename.endswith(".md")


async def test_undo_previews_the_actions_it_takes_back(table: Table) -> None:
    await table.start()
    await table.give(table.umpire, "umpire set", unit="berkshires", field="casualties", value="5")
    preview = await table.give(table.umpire, "game undo")
    assert "The umpire corrects 1st Berkshires" in preview.private_text
    answer = await table.press(table.umpire, preview.private[0], "Take it back")
    assert "takes back" in text(answer.announced)
    unit_card = await table.give(table.umpire, "unit show", unit="berkshires")
    assert "24 of 24" in unit_card.private_text
    logged = await table.give(table.umpire, "game log", last=3)
    assert "*taken back*" in logged.private_text


async def test_undo_is_refused_when_the_game_has_moved_on(table: Table) -> None:
    await table.start()
    await table.give(table.umpire, "umpire set", unit="berkshires", field="casualties", value="5")
    preview = await table.give(table.umpire, "game undo")
    await table.give(table.umpire, "umpire set", unit="marines", field="casualties", value="5")
    late = await table.press(table.umpire, preview.private[0], "Take it back")
    assert "moved on" in late.text
    assert not late.public


async def test_onlooker_cannot_undo(table: Table) -> None:
    await table.start()
    await table.give(table.umpire, "umpire set", unit="berkshires", field="casualties", value="5")
    answer = await table.give(table.onlooker, "game undo")
    assert "ursula" in answer.private_text
    assert not labels(answer.private[0])


async def test_undo_with_nothing_to_undo(table: Table) -> None:
    await table.start()
    assert "nothing to undo" in (await table.give(table.umpire, "game undo")).private_text
    assert "nothing to put back" in (await table.give(table.umpire, "game redo")).private_text


async def test_opponents_consent_takes_back_a_throw(table: Table) -> None:
    await table.start()
    answer = await table.give(table.mahdist, "move", unit="amarar", to="forward 6")
    assert "2D6" in text(answer.announced)
    preview = await table.give(table.mahdist, "game undo")
    assert "consent" in preview.private_text
    proposal = await table.press(table.mahdist, preview.private[0], "Ask the table")
    question = proposal.announced
    assert "musa** asks to take back" in text(question)
    own = await table.press(table.mahdist, question, "Consent")
    assert "another player or the umpire" in own.text
    stranger = await table.press(table.onlooker, question, "Consent")
    assert not stranger.public
    agreed = await table.press(table.british, question, "Consent")
    assert "**bertie** consents" in agreed.text
    assert "Consent" not in labels(table.channel.history()[-2])


async def test_redo_puts_back(table: Table) -> None:
    await table.start()
    await table.give(table.umpire, "umpire set", unit="berkshires", field="casualties", value="5")
    preview = await table.give(table.umpire, "game undo")
    await table.press(table.umpire, preview.private[0], "Take it back")
    answer = await table.give(table.umpire, "game redo")
    assert "puts back" in text(answer.announced)
    unit_card = await table.give(table.umpire, "unit show", unit="berkshires")
    assert "19 of 24" in unit_card.private_text


async def test_end_asks_once_more_and_reveals_the_dice(table: Table) -> None:
    await table.start()
    answer = await table.give(table.umpire, "game end")
    assert "cannot be taken back" in answer.private_text
    ended = await table.press(table.umpire, answer.private[0], "End the game")
    assert "Seed of the dice" in text(ended.announced)
    second_press = (
        await table.press(table.umpire, answer.private[0], custom_id=None) if labels(answer.private[0]) else None
    )
    assert second_press is None, "the button is gone"
    assert "No game runs" in (await table.give(table.umpire, "game status")).private_text


async def test_the_end_of_a_decided_game_names_the_result_first(table: Table) -> None:
    await table.start()
    for unit in ("berkshires", "marines", "east-surreys", "shropshires", "5th-lancers"):
        await table.give(table.umpire, "umpire set", unit=unit, field="morale", value="off table")
    ended = await table.give(table.umpire, "game end", confirm=True)
    result, why, *_ = text(ended.announced).splitlines()
    assert result == "### The Army of Osman Digna won"
    assert why.startswith("With half their units gone or flying, the British")


async def test_only_the_umpire_ends(table: Table) -> None:
    await table.start()
    answer = await table.give(table.british, "game end", confirm=True)
    assert "ursula" in answer.private_text
    assert "Turn 1" in (await table.give(table.british, "game status")).private_text


async def test_export_and_import_into_another_channel(table: Table) -> None:
    await table.start()
    await table.give(table.umpire, "umpire set", unit="berkshires", field="casualties", value="5")
    exported = await table.give(table.umpire, "game export")
    (file,) = exported.private[0].attachments
    data = await file.read()
    json.loads(data)
    channel = table.guild.create_text_channel("other")
    answer = await table.give(table.umpire, "game import", file=(file.filename, data), channel=channel)
    assert "Suakin" in text(answer.announced)
    unit_card = await table.give(table.umpire, "unit show", unit="berkshires", channel=channel)
    assert "19 of 24" in unit_card.private_text


async def test_a_bad_file_is_refused_with_the_faults_place(table: Table) -> None:
    answer = await table.give(table.umpire, "game import", file=("game.json", b'{"version": 1'))
    assert answer.private_text
    assert "No game runs" in (await table.give(table.umpire, "game status")).private_text


async def test_options_of_new_and_join_complete(table: Table) -> None:
    assert (await table.complete(table.umpire, "game new", "rules", "magd"))[0] == "magdala"
    assert "suakin-1885" in await table.complete(table.umpire, "game new", "scenario", "suak", rules="magdala")
    assert await table.complete(table.umpire, "game join", "side") == []
    await table.start(seated=False)
    assert set(await table.complete(table.british, "game join", "side")) == {"british", "mahdists"}


async def test_custom_ids_are_short(table: Table) -> None:
    answer = await table.start(seated=False)
    assert all(len(custom_id) <= 100 for custom_id in custom_ids(answer.announced))


async def test_games_are_not_in_direct_messages(table: Table) -> None:
    available = table.umpire.user.available_commands()
    assert "help" in available
    assert not [name for name in available if name.startswith(("unit", "umpire"))]
    for name, options in (("status", {}), ("new", {"rules": "magdala", "scenario": "suakin-1885"})):
        answer = await table.write(table.umpire, f"game {name}", **options)
        assert "Games are played in channels of servers" in answer.text
    assert "No game waits for you" in (await table.write(table.umpire, "game mine")).text


async def test_a_former_player_may_not_change_sides_if_units_may_hide(table: Table) -> None:
    await table.start()
    await table.give(table.umpire, "umpire option", name="hidden troops", value="yes")
    await table.give(table.mahdist, "game leave")
    refused = await table.give(table.mahdist, "game join", side="british")
    assert "knows what is hidden there" in refused.private_text
    assert "plays" in (await table.give(table.mahdist, "game join", side="mahdists")).text, "their own side"


async def test_players_may_change_sides_if_nothing_can_hide(table: Table) -> None:
    await table.start()
    await table.give(table.mahdist, "game leave")
    assert "plays" in (await table.give(table.mahdist, "game join", side="british")).text
