"""Buttons: their effect, their expiry, and the users who may press them."""

from typing import Any

import pytest

from bot.games.open_prompts import hash_offer
from bot.runtime.client import UmpireBot
from cogs.kit.cards.card import MOST_CUSTOM_ID
from cogs.kit.cards.offer_buttons import offer_button, prompt_buttons
from cogs.kit.controls.control import PersistentButton
from cogs.kit.panels.offer_press import OfferButton, PromptButton
from rules.core.model import Cite
from rules.core.report import Offer, Prompt

from .loaded_dice import LoadedDice
from .table import Message, Table, custom_ids, labels, text

UMPIRES_CALL = {"with": "umpire's call"}


@pytest.fixture
async def volley(table: Table, monkeypatch: pytest.MonkeyPatch) -> Message:
    """The message of a volley, after which the Hadendoa of Erkowit owe a morale test."""
    await table.start()
    passed = await table.pass_on(table.mahdist)
    assert passed.public
    with monkeypatch.context() as for_a_shot:
        LoadedDice(for_a_shot, default=6)
        fired = await table.give(table.british, "fire", unit="g-battery", target="hadendoa-erkowit")
    return fired.announced


def reload(table: Table, message: Message) -> Message:
    """Return the current version of the message."""
    return next(current for current in table.channel.history() if current.id == message.id)


async def test_mm_5_2_a_due_test_is_a_button_that_throws_it(table: Table, volley: Message) -> None:
    assert labels(volley) == ["Morale of Hadendoa of Erkowit: 72.2%", "Give orders"]
    answer = await table.press(table.mahdist, volley, "Morale of Hadendoa of Erkowit")
    assert "2D6" in text(answer.announced)
    assert labels(reload(table, volley)) == [], "settled prompts and the answer's own buttons are omitted"
    assert "morale under fire" in text(reload(table, volley)), "the line stays"


async def test_onlookers_may_not_press_but_enemies_may_press_forced_actions(table: Table, volley: Message) -> None:
    refused = await table.press(table.onlooker, volley, "Morale of Hadendoa of Erkowit")
    assert "musa" in refused.text
    assert not refused.public
    assert labels(reload(table, volley)) == ["Morale of Hadendoa of Erkowit: 72.2%", "Give orders"]
    answer = await table.press(table.british, volley, "Morale of Hadendoa of Erkowit")
    assert "2D6" in text(answer.announced)


async def test_a_stale_button_says_so_and_goes(table: Table, volley: Message) -> None:
    morale, _ = custom_ids(volley)
    await table.give(table.mahdist, "morale", unit="hadendoa-erkowit")
    answer = await table.press_late(table.mahdist, volley, morale)
    assert "can no longer be used" in text(answer.private[-1])
    assert labels(reload(table, volley)) == []


async def test_a_button_left_by_a_failed_edit_goes_when_pressed(table: Table, volley: Message) -> None:
    no_access = {"status": 403, "code": 50001, "message": "Missing Access"}
    table.env.inject_error("PATCH", "/channels/*/messages/*", times=None, **no_access)
    await table.give(table.mahdist, "morale", unit="hadendoa-erkowit")
    answer = await table.press(table.mahdist, reload(table, volley), "Morale of Hadendoa of Erkowit")
    assert "no longer waits for that" in text(answer.private[-1])
    assert labels(reload(table, volley)) == []


async def test_button_of_an_undone_action_is_stale(table: Table, volley: Message) -> None:
    morale, _ = custom_ids(volley)
    preview = await table.give(table.umpire, "game undo")
    await table.press(table.umpire, preview.private[0], "Take it back")
    answer = await table.press_late(table.mahdist, volley, morale)
    assert "can no longer be used" in text(answer.private[-1])
    assert labels(reload(table, volley)) == []


async def test_button_of_an_ended_game_is_stale(table: Table, volley: Message) -> None:
    morale, _ = custom_ids(volley)
    await table.give(table.umpire, "game end", confirm=True)
    answer = await table.press_late(table.mahdist, volley, morale)
    assert not answer.public
    assert text(answer.private[-1])
    assert labels(reload(table, volley)) == []


async def test_refusal_shows_private_buttons_of_blocking_prompts(table: Table, volley: Message) -> None:
    refused = await table.pass_on(table.british)
    assert refused.private_text.count("Hadendoa of Erkowit: morale under fire") == 1
    assert labels(refused.private[0]) == ["Morale of Hadendoa of Erkowit: 72.2%"], "anybody at the table may throw it"
    assert "Hadendoa of Erkowit: morale under fire (MM-5.2) · Army of Osman Digna" in refused.private_text
    own = await table.pass_on(table.umpire)
    button, _ = labels(own.private[0])
    assert button == "Morale of Hadendoa of Erkowit: 72.2%"
    pressed = await table.press(table.umpire, own.private[0], button)
    assert "2D6" in text(pressed.announced), "a test thrown from a private button is public"


async def test_a_prompts_button_in_the_status_is_stale_once_settled(table: Table, volley: Message) -> None:
    status = await table.give(table.mahdist, "game status")
    button, *row = labels(status.private[0])
    assert row == ["Give orders"]
    await table.give(table.mahdist, "morale", unit="hadendoa-erkowit")
    late = await table.press(table.mahdist, status.private[0], button)
    assert "no longer waits for that" in text(late.private[-1])
    assert not late.public


async def test_mm_6_a_failed_test_has_a_re_roll_button(table: Table) -> None:
    await table.start()
    await table.give(table.umpire, "umpire set", unit="arteiga", field="casualties", value="13")
    for _ in range(20):
        tested = await table.give(table.umpire, "morale", unit="arteiga", **UMPIRES_CALL)
        reroll = [label for label in labels(tested.announced) if "re-roll" in label.casefold()]
        if reroll:
            break
        await table.give(table.umpire, "umpire set", unit="arteiga", field="morale", value="steady")
    else:
        raise AssertionError("13 casualties were passed twenty times")
    answer = await table.press(table.mahdist, tested.announced, reroll[0])
    assert "2D6" in text(answer.announced)
    assert reroll[0] not in labels(reload(table, tested.announced))


async def test_two_presses_of_one_button_throw_once(table: Table, volley: Message) -> None:
    morale, _ = custom_ids(volley)
    await table.press(table.mahdist, volley, "Morale of Hadendoa of Erkowit")
    games = get_bot(table).games
    before = (await games.running_game(table.channel.id)).public_throw_count
    stale = await table.press_late(table.mahdist, volley, morale)
    assert (await games.running_game(table.channel.id)).public_throw_count == before
    assert stale.private


def get_bot(table: Table) -> UmpireBot:
    """Return the table's bot."""
    assert isinstance(table.env.bot, UmpireBot)
    return table.env.bot


def test_custom_ids_of_offers_fit_discords_limit_and_parse() -> None:
    offer = Offer(label="x" * 300, kind="morale", args={"unit": "u" * 200}, side="british", key="k" * 300)
    prompts = Prompt(key="k" * 300, unit="u", side="british", text="t", cite=Cite(rule="MM-5.2"), offers=(offer,))
    game, (settles,) = "f" * 16, prompt_buttons("f" * 16, prompts)
    buttons_sent: list[tuple[Any, type[PersistentButton], dict[str, str]]] = [
        (offer_button(game, 10**9, 99, offer), OfferButton, {"game": game, "seq": f"{10**9}", "index": "99"}),
        (settles, PromptButton, {"game": game, "tag": hash_offer(offer)}),
    ]
    for button, kind, fields in buttons_sent:
        assert len(button.custom_id) <= MOST_CUSTOM_ID
        assert len(button.label) <= 80
        match = kind.__discord_ui_compiled_template__.fullmatch(button.custom_id)
        assert match is not None
        assert match.groupdict() == fields


def test_offers_that_differ_have_different_tags() -> None:
    offer = Offer(label="a", kind="choose", args={"name": "gun", "value": "Maxim"}, side="british", key="choose:gun")
    second_offer = offer.model_copy(update={"args": {"name": "gun", "value": "pom-pom"}})
    assert hash_offer(offer) != hash_offer(second_offer)


async def test_every_kind_of_button_answers_after_a_restart(table: Table) -> None:
    """The bot must know every subclass of PersistentButton: a button of an unknown class would not answer."""
    names = {kind.__qualname__ for kind in get_bot(table)._connection._view_store._dynamic_items.values()}
    assert {kind.__qualname__ for kind in PersistentButton.__subclasses__()} <= names
