"""Battles for Empire in the chat: phases of both sides, simultaneous fire, menus and buttons, conduct and moves."""

import re
from itertools import count
from typing import Any

import pytest

from bot.journal.game import Actor, Game
from bot.runtime.client import UmpireBot
from cogs.kit.cards.next_step import offers_to_pass
from rules.empire.model import EmpireState
from rules.empire.ruleset import Empire

from .loaded_dice import LoadedDice
from .sheet import PlayersSheet
from .table import Message, Table, choices, disable_forced_throws, labels, text

GORDONS, MARINES, GATLINGS = "1st Gordon Highlanders", "Royal Marines", "Naval Gatlings"
TOKAR, SINKAT = "Riflemen of Tokar", "Riflemen of Sinkat"
MOST_PHASES = 40
INTERACTIONS = count(1)


@pytest.fixture
def dice(monkeypatch: pytest.MonkeyPatch) -> LoadedDice:
    return LoadedDice(monkeypatch)


@pytest.fixture
def real_maps() -> None:
    """A mark of tests that need really drawn tables."""


@pytest.fixture(autouse=True)
def no_drawing(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """A constant picture instead of drawn tables, except in tests that use `real_maps`."""
    if "real_maps" not in request.fixturenames:
        monkeypatch.setattr("render.scenes.draw", lambda *_, **__: b"a picture")


async def game_of(table: Table) -> Game:
    """Return the channel's game."""
    assert isinstance(table.env.bot, UmpireBot)
    return await table.env.bot.games.running_game(table.channel.id)


async def state_of(table: Table) -> EmpireState:
    """Return the state of the channel's game."""
    state = (await game_of(table)).state
    assert isinstance(state, EmpireState)
    return state


async def act_as_umpire(table: Table, kind: str, **args: Any) -> None:
    """Let the umpire act directly, without Discord."""
    assert isinstance(table.env.bot, UmpireBot)
    umpire = Actor(table.umpire.id, "ursula")
    interaction = 10**6 + next(INTERACTIONS)
    await table.env.bot.games.actions.act_by_kind(table.channel.id, umpire, kind, args, interaction=interaction)


async def begin(table: Table, phase: str, active: str = "british") -> None:
    """Start El Teb with both players seated and go on to a phase.

    Nothing is thrown without a press. The British move first. Raises AssertionError if the phase never comes.
    """
    with disable_forced_throws(Empire):
        await table.give(table.umpire, "game new", rules="empire", scenario="el-teb-1884")
    await table.give(table.british, "game join", side="british")
    await table.give(table.mahdist, "game join", side="mahdists")
    for _ in range(MOST_PHASES):
        state = await state_of(table)
        if state.phase == phase and active in state.acting_sides:
            return
        if state.initiative:
            await act_as_umpire(table, "first", side="british")
        elif state.phase == "movement of units":
            await close_in(table)
            await act_as_umpire(table, "turn_next")
        else:
            await act_as_umpire(table, "turn_next")
    raise AssertionError(f"no phase {phase}")


async def close_in(table: Table) -> None:
    """Place units of both sides within range of each other."""
    places = {"rifles-tokar": "32.8,20,180", "rifles-sinkat": "39.2,20,180", "gordons": "40,33,0", "marines": "33,33,0"}
    for unit, place in places.items():
        await act_as_umpire(table, "set", unit=unit, field="place", value=place)


async def fire(table: Table, dice: LoadedDice, unit: str, target: str, *faces: int) -> Message:
    """Fire with prepared dice as the unit's player, and return the message."""
    dice.fall(*faces)
    actor = table.british if (await state_of(table)).units[unit].side == "british" else table.mahdist
    answer = await table.give(actor, "fire", unit=unit, target=target)
    assert dice.left == 0
    return answer.announced


async def unit_card(table: Table, unit: str) -> str:
    """Return the text of the unit's card."""
    return (await table.give(table.onlooker, "unit show", unit=unit)).private_text


async def test_be_1_both_sides_fire_lands_together_at_the_end_of_the_phase(
    table: Table, dice: LoadedDice, real_maps: None
) -> None:
    await begin(table, "rifle and machine gun fire")

    # One player ends the phase before the other has fired: the phase goes on.
    through = await table.pass_on(table.mahdist)
    assert "The Mahdists have ended" in text(through.announced)
    assert (await state_of(table)).acting_sides == ("british",)
    late = await table.give(table.mahdist, "fire", unit="rifles-tokar", target="marines")
    assert "ended this phase" in late.private_text
    answer = await table.pass_on(table.mahdist)
    assert "already" in answer.private_text

    # After an undo both fire, and no hit lands yet.
    preview = await table.give(table.mahdist, "game undo")
    await table.press(table.mahdist, preview.private[0], "Take it back")
    volley = await fire(table, dice, "rifles-tokar", "marines", 6, 6, 6, 1)
    assert "3 hits" in text(volley)
    assert volley.attachments
    await table.pass_on(table.mahdist)
    await fire(table, dice, "marines", "rifles-tokar", 6, 6, 1, 1)
    assert "shaken" not in await unit_card(table, "marines")
    assert "shaken" not in await unit_card(table, "rifles-tokar")

    # When both have ended the phase, all hits land together, in one message with a picture.
    landed = await table.pass_on(table.british)
    assert "The British suffered 1 kill" in text(landed.announced)
    details = await table.details(table.onlooker, landed.announced)
    assert f"{MARINES}: 3 hits by {TOKAR} (BE-2): shaken and 1 kill" in details
    assert f"{TOKAR}: 2 hits by {MARINES} (BE-2): shaken" in details
    assert landed.announced.attachments
    assert "1 of 4 kills" in await unit_card(table, "marines")
    assert "shaken" in await unit_card(table, "rifles-tokar")

    # The army commander is with a unit that took a kill: he is exposed (BE-7).
    assert (await state_of(table)).phase == "critical hits"
    assert (await table.complete(table.british, "critical", "unit"))[0] == "graham"
    dice.fall(6, 6)
    hit = await table.give(table.british, "critical", unit="Gerald Graham")
    assert "Gerald Graham is killed" in text(hit.announced)


async def test_be_4_4_fire_past_friends_warns_before_and_after(table: Table, dice: LoadedDice) -> None:
    await begin(table, "rifle and machine gun fire")
    await act_as_umpire(table, "set", unit="gordons", field="place", value="33,28,0")
    warning = f"{GORDONS} stand in the line of fire from {MARINES} to {TOKAR} (BE-4.4, house rule)."
    foretold = await table.give(table.british, "odds", test="fire", unit="marines", target="rifles-tokar")
    assert f"⚠ {warning}" in foretold.private_text
    answer = await table.give(table.british, "turn status")
    assert any(f"past friends at {TOKAR}" in label for label in labels(answer.private[0]))
    assert f"⚠ {warning}" in text(await fire(table, dice, "marines", "rifles-tokar", 6, 1, 1, 1))


async def test_be_4_a_menu_asks_for_a_machine_guns_dice(table: Table, dice: LoadedDice) -> None:
    await begin(table, "rifle and machine gun fire")
    aimed = (await table.give(table.british, "fire", unit=GATLINGS, target=TOKAR)).announced
    assert [label[:6] for label in choices(aimed)] == ["3 dice", "4 dice", "5 dice", "6 dice"]

    # The phase waits for the owner's choice.
    answer = await table.pass_on(table.british)
    assert "with how many dice?" in answer.private_text
    assert len(labels(answer.private[0])) == 4
    four = [*choices(aimed)][1]
    refused = await table.press(table.mahdist, aimed, four)
    assert "bertie" in refused.text

    # The menu works after a restart, and disappears after a choice.
    await table.restart()
    dice.fall(6, 5, 1, 1, 6)
    fired = await table.press(table.british, aimed, four)
    assert "4D6 6 5 1 1" in text(fired.announced)
    assert "no jam" in text(fired.announced)
    now = next(message for message in table.channel.history(viewer=table.british) if message.id == aimed.id)
    assert labels(now) == []
    assert not choices(now)
    (shot,) = (await state_of(table)).shots
    assert (shot.unit, shot.target) == ("gatlings", "rifles-tokar")

    # After an undo the shot hits nobody, and the menu offers the choice again.
    preview = await table.give(table.umpire, "game undo")
    await table.press(table.umpire, preview.private[0], "Take it back")
    assert (await state_of(table)).shots == ()
    refused = await table.give(table.british, "fire", unit=GATLINGS, target=TOKAR, dice=7)
    assert "3, 4, 5 or 6 dice" in refused.private_text
    dice.fall(1, 1, 1, 6)
    fired = await table.give(table.british, "fire", unit=GATLINGS, target=TOKAR, dice=3)
    assert "3D6 1 1 1" in text(fired.announced)
    assert dice.left == 0

    # The umpire ends the phase for both sides.
    assert "Turn 2" in text((await table.pass_on(table.umpire)).announced)


async def test_be_4_the_owner_chooses_the_dice_when_the_umpire_aims(table: Table) -> None:
    await begin(table, "rifle and machine gun fire")
    aimed = await table.give(table.umpire, "fire", unit=GATLINGS, target=TOKAR, **{"with": "elite"})
    claimed = await table.give(table.british, "fire", unit=GATLINGS, target=SINKAT, **{"with": "elite"})
    assert "Only the umpire" in claimed.private_text
    fired = await table.press(table.british, aimed.announced, next(iter(choices(aimed.announced))))
    assert f"{GATLINGS} fire at {TOKAR}" in text(fired.announced)


async def test_a_restart_within_a_phase_forgets_nothing(table: Table, dice: LoadedDice) -> None:
    await begin(table, "rifle and machine gun fire")
    await fire(table, dice, "rifles-sinkat", "gordons", 6, 6, 1, 1)
    status = (await table.give(table.mahdist, "turn status")).private[0]
    await table.restart()
    await table.press(table.mahdist, status, "Mahdists done")
    await fire(table, dice, "gordons", "rifles-sinkat", 6, 6, 6, 6)
    landed = await table.pass_on(table.british)
    details = await table.details(table.onlooker, landed.announced)
    assert f"{GORDONS}: 2 hits by {SINKAT}" in details
    assert f"{SINKAT}: 4 hits by {GORDONS}" in details


async def test_status_and_completion_suit_each_acting_side(table: Table, dice: LoadedDice) -> None:
    await begin(table, "artillery fire")
    assert "ursula" in (await table.pass_on(table.onlooker)).private_text
    able = ["camel-battery", "krupps-west", "krupps-east"]
    assert (await table.complete(table.umpire, "fire", "unit"))[:3] == able
    targets = await table.complete(table.umpire, "fire", "target", unit="krupps-west")
    assert set(targets[:10]) <= {unit.id for unit in (await state_of(table)).units.values() if unit.side == "british"}
    reply = (await table.give(table.british, "turn status")).private_text
    assert "**British, yet to act (1):** Camel Battery RA" in reply
    assert "**Mahdists, yet to act (2):** West Krupps, East Krupps" in reply
    await fire(table, dice, "camel-battery", "krupps-west", 6, 6, 6)
    reply = (await table.give(table.mahdist, "turn status")).private_text
    assert "British, yet to act" not in reply
    assert "British, have acted (1): Camel Battery RA (fire)" in reply


async def test_be_1_a_side_may_not_act_in_the_enemys_movement(table: Table) -> None:
    await begin(table, "movement of units")
    early = await table.give(table.mahdist, "conduct", unit="ashraf")
    assert "The British move now" in early.private_text
    not_theirs = await table.give(table.mahdist, "conduct", unit="gordons")
    assert "You play the Mahdists" in not_theirs.private_text
    waits = await table.pass_on(table.mahdist)
    assert "The British move now" in waits.private_text
    wrong_phase = await table.give(table.british, "fire", unit="gordons", target="rifles-sinkat")
    assert "/turn next" in wrong_phase.private_text
    assert "(BE-1)" in wrong_phase.private_text
    assert (await table.complete(table.umpire, "unit show", "unit"))[0] == "york-lancaster"
    await act_as_umpire(table, "turn_next")
    assert (await table.complete(table.umpire, "unit show", "unit"))[0] == "krupps-west", (
        "the acting side's units come first"
    )


async def test_be_6_conduct_gives_a_move_with_buttons(table: Table, dice: LoadedDice) -> None:
    await begin(table, "movement of units")
    answer = await table.give(table.british, "move", unit="gordons", to="forward 3")
    assert "/conduct" in answer.private_text
    dice.fall(2)
    tested = await table.press(table.british, answer.private[0], f"Conduct: {GORDONS}, 100% to move")
    message = next(message for message in tested.public if "D6 2, +1 army commander" in text(message))
    assert "army commander" in await table.details(table.onlooker, message)
    (forward,) = [label for label in labels(message) if label.startswith("Forward")]
    moved = await table.press(table.british, message, forward)
    assert f"{GORDONS} move" in text(moved.announced)
    assert "tested their conduct this turn" in (await table.give(table.british, "conduct", unit="gordons")).private_text


async def test_several_orders_show_the_next_step_once(table: Table) -> None:
    await begin(table, "movement of units")
    sheet = PlayersSheet(table, table.british)
    await sheet.open("all conduct")
    message = (await sheet.press("Do all")).announced
    assert "orders" in text(message)
    assert labels(message).count("British done") == 1


async def test_one_side_done_shows_the_others_next_step_once(table: Table) -> None:
    await begin(table, "artillery fire")
    through = await table.pass_on(table.british)
    assert "Waiting for the Mahdists" in text(through.announced)
    assert "-# Waiting for musa (Mahdists). You are the last." in text(through.announced)
    assert labels(through.announced).count("Mahdists done") == 1


async def test_be_6_shaken_units_must_rally_before_the_phase_ends(table: Table, dice: LoadedDice) -> None:
    await begin(table, "movement of units")
    await act_as_umpire(table, "set", unit="black-watch", field="shaken", value="yes")
    answer = await table.pass_on(table.british)
    assert "1st Black Watch are shaken and must test" in answer.private_text
    dice.fall(6)
    (rally,) = [label for label in labels(answer.private[0]) if label.startswith("Rally: 1st Black Watch, ")]
    rallied = await table.press(table.british, answer.private[0], rally)
    assert "rall" in "\n".join(map(text, rallied.public))
    assert not (await state_of(table)).units["black-watch"].shaken
    passed = await table.pass_on(table.british)
    assert "Mahdists" in text(passed.announced)


async def test_open_tests_are_counted_in_the_turn_and_listed_in_the_status(table: Table) -> None:
    await begin(table, "movement of units")
    passed = await table.pass_on(table.british)
    assert labels(passed.announced) == ["Give orders", "Mahdists done"]
    assert "-# 12 more things to do: *Give orders*" in text(passed.announced)
    status = (await table.give(table.mahdist, "game status")).private[0]
    assert sum(label.startswith("Conduct: ") for label in labels(status)) == 12
    assert labels(status)[-2:] == ["Mahdists done", "Give orders"]
    assert len(labels(status)) == 14
    assert "the rest in" not in text(status)


async def test_be_m_6_commanders_join_a_friend_by_do(table: Table) -> None:
    await begin(table, "movement of commanders")
    friends = await table.complete(table.british, "do", "target", action="attach", unit="graham")
    sides = {unit.id: unit.side for unit in (await state_of(table)).units.values()}
    assert {sides[unit_id] for unit_id in friends[:5]} == {"british"}
    pieces = await table.complete(table.british, "do", "unit", action="attach")
    assert set(pieces[:5]) == {"graham", "buller", "davis", "stewart", "mules"}
    joined = await table.give(table.british, "do", action="attach", unit="Gerald Graham", target=GORDONS)
    assert "Gerald Graham joins 1st Gordon Highlanders" in text(joined.announced)


async def test_be_5_a_supporting_unit_shares_the_melees_result(table: Table, dice: LoadedDice) -> None:
    await begin(table, "movement of units")
    for unit, place in {"gordons": "40,26,0", "60th-rifles": "40,28,0", "rifles-sinkat": "40,22,180"}.items():
        await act_as_umpire(table, "set", unit=unit, field="place", value=place)
    dice.fall(4)
    await table.give(table.british, "conduct", unit="gordons")
    charge = await table.give(table.british, "move", unit="gordons", to=f"towards {SINKAT}")
    assert f"{GORDONS} charge {SINKAT}" in text(charge.announced)
    await act_as_umpire(table, "set", unit="60th-rifles", field="place", value="40,24.6,0")
    for _ in range(MOST_PHASES):
        if (await state_of(table)).phase == "melee":
            break
        await act_as_umpire(table, "turn_next")
    assert (await table.complete(table.british, "do", "target", action="support", unit="60th-rifles"))[0] == "gordons"
    support = await table.give(table.british, "do", action="support", unit="60th-rifles", target=GORDONS)
    assert "support" in text(support.announced)
    dice.fall(*[6] * 6, *[1] * 4)
    fought = await table.give(table.mahdist, "melee", unit=SINKAT, target=GORDONS)
    assert dice.left == 0, "four dice for each primary unit, two for the support"
    ended = await table.pass_on(table.umpire)
    assert "The British suffered" in text(ended.announced)
    assert "beaten" in await table.details(table.onlooker, ended.announced)
    assert fought.public


async def test_the_done_button_names_its_side_during_a_melee(table: Table) -> None:
    await begin(table, "movement of units")
    game = await table.env.bot.games.running_game(table.channel.id)
    offers = offers_to_pass(game, ())
    assert [offer.label for offer in offers] == ["British done"]


async def test_a_sheet_shows_the_chance_that_shaken_units_rally(table: Table) -> None:
    await begin(table, "fix bayonets")
    for unit in ("gordons", "black-watch"):
        await act_as_umpire(table, "set", unit=unit, field="shaken", value="true")
    sheet = PlayersSheet(table, table.british)
    await sheet.open("in movement of units: Gordons, Black Watch conduct")
    assert re.search(r"conduct · \*about\*, [\d.]+%", sheet.text), sheet.text


async def test_be_1_initiative_and_bayonets_are_buttons(table: Table) -> None:
    await begin(table, "fix bayonets")
    status = (await table.give(table.british, "turn status")).private[0]
    fixed = await table.press(table.british, status, "Fix all: British")
    assert GORDONS in text(fixed.announced)
    answer = await table.pass_on(table.british)
    first = [label for label in labels(answer.announced) if label.endswith("first")]
    assert first == ["British first", "Mahdists first"]
    chosen = await table.press(table.umpire, answer.announced, "Mahdists first")
    assert "The Mahdists move first" in chosen.text
