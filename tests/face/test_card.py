"""Cards and reports as messages: they fit Discord's limits, never format text of users, and say when they are cut."""

from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import discord
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.games.game_settings import BRIEF, FULL
from cogs.kit.cards.card import MOST_BESIDE, MOST_COMPONENTS, REST, Card, Picture, safe
from cogs.kit.cards.report_card import action_card
from rules.core.dice import Throw
from rules.core.model import Cite, Mark
from rules.core.report import Modifier, Offer, Prompt, Report, Step

RULE = Cite(rule="MM-5.6")


def walk(parts: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return all components, nested ones included."""
    components = []
    for part in parts:
        components.append(part)
        components += walk(part.get("components", []))
        if "accessory" in part:
            components.append(part["accessory"])
    return components


def sent_components(card: Card) -> list[dict[str, Any]]:
    """Return the card's components as sent to Discord."""
    parts: list[dict[str, Any]] = card.view().to_components()  # type: ignore[no-untyped-call]
    return walk(parts)


def text_of(card: Card) -> str:
    """Return the card's text."""
    return "\n".join(part["content"] for part in sent_components(card) if part["type"] == 10)


def make_step(text: str) -> Step:
    """Return the step of a passed morale test."""
    return Step(
        text=text,
        cite=RULE,
        throws=(Throw(number=7, label="", sides=6, dice=(4, 3)),),
        start=Fraction(7),
        modifiers=(Modifier(value=Fraction(1), reason="British", cite=Cite(rule="MM-5.4", mark=Mark.RULING)),),
        score=Fraction(8),
        needed="against 5 casualties",
        chance=Fraction(11, 12),
        hope="to hold",
        verdict="holds",
    )


def make_prompt(number: int, offers: int) -> Prompt:
    """Return a prompt with this number of offers."""
    prompt_offers = tuple(
        Offer(label=f"Offer {n}", kind="morale", side="british", key=f"k{number}") for n in range(offers)
    )
    return Prompt(key=f"k{number}", unit="u", side="british", text=f"Debt {number}", cite=RULE, offers=prompt_offers)


def card_of(report: Report, picture: Picture | None = None, detail: str = BRIEF) -> Card:
    """Return the card of an action of a person, in entry 4 of game g."""
    game = SimpleNamespace(id="g", state=None, detail=detail, ruleset=SimpleNamespace(unit_standings=lambda *_: ()))
    entry = SimpleNamespace(name="4", actor=SimpleNamespace(id=1))
    played: Any = SimpleNamespace(game=game, entry=entry, before=SimpleNamespace(units={}))
    return action_card(played, report, picture)


async def test_a_step_shows_dice_modifiers_rules_chance_and_verdict() -> None:
    report = Report(headline="Morale", steps=(make_step("The test"),), outcome="They hold.")
    text = text_of(card_of(report, detail=FULL))
    assert (
        "• The test (MM-5.6): 2D6 [4][3] = 7, +1 British (MM-5.4, ruling) = 8 against 5 casualties: holds "
        "(91.7% to hold)" in text
    )
    assert "**They hold.**" in text
    assert "-# throw 7" in text


async def test_one_offer_is_beside_its_prompt_and_several_below() -> None:
    report = Report(
        headline="Fire", prompts=(make_prompt(1, 1), make_prompt(2, 3)), offers=(make_prompt(3, 1).offers[0],)
    )
    parts = sent_components(card_of(report))
    assert [part["custom_id"] for part in parts if part["type"] == 2] == [f"umpire:offer:g:4:{n}" for n in range(5)]
    assert sum(part["type"] == 9 for part in parts) == 1


async def test_a_cut_card_says_so_and_keeps_outcome_and_buttons() -> None:
    report = Report(
        headline="Long",
        steps=tuple(make_step(f"Step {n}") for n in range(200)),
        outcome="The end.",
        prompts=(make_prompt(1, 1),),
    )
    card = card_of(report, Picture("t.png", b"", "alt"))
    text = text_of(card)
    assert REST in text
    assert "**The end.**" in text
    assert "Debt 1" in text
    assert [part["type"] for part in sent_components(card)].count(12) == 1
    assert len(card.files()) == 1


@given(
    steps=st.lists(st.text(max_size=600), max_size=30),
    outcome=st.text(max_size=5000),
    debts=st.lists(st.integers(0, 12), max_size=30),
)
async def test_every_report_fits_a_message(steps: list[str], outcome: str, debts: list[int]) -> None:
    report = Report(
        headline="Anything",
        steps=tuple(make_step(text) for text in steps),
        outcome=outcome,
        prompts=tuple(make_prompt(number, offers) for number, offers in enumerate(debts)),
        warnings=(outcome,),
    )
    parts = sent_components(card_of(report, Picture("t.png", b"", outcome)))
    assert len(parts) <= MOST_COMPONENTS
    assert sum(len(part["content"]) for part in parts if part["type"] == 10) <= 4000
    assert all(1 <= len(part["components"]) <= 5 for part in parts if part["type"] == 1)


def test_a_long_line_is_cut_between_words() -> None:
    reply = text_of(Card().text("Still owed: " + "a morale test; " * 400))
    assert reply.startswith("Still owed: a morale test; a morale")
    assert reply.partition("…")[0].endswith(("a", "morale", "test;"))
    assert REST in reply
    assert "x" * 1000 in text_of(Card().text("x" * 9000)), "a line of one long word is cut, too"


def test_a_citation_formats_and_mentions_nothing() -> None:
    forged = Cite(rule="x)\n# Won [a](//b.c) @everyone")
    report = Report(headline="A test", steps=(make_step("as ever").model_copy(update={"cite": forged}),))
    debt = make_prompt(1, 0).model_copy(update={"cite": forged})
    reply = text_of(card_of(report.model_copy(update={"prompts": (debt,)}), detail=FULL))
    assert "\n# " not in reply
    assert "](" not in reply
    assert "@everyone" not in reply


def test_text_of_users_neither_formats_nor_mentions() -> None:
    assert "@everyone" not in safe("@everyone")
    assert "<@12345678901234567>" not in safe("<@12345678901234567>")
    assert safe("**1st** _Foot_") == "\\*\\*1st\\*\\* \\_Foot\\_"
    assert safe("2D6 [4][3] = 7") == "2D6 [4][3] = 7"
    dice = safe("4d6kh3 [3][6](1)[3]")
    assert "](" not in dice, "a dropped die is no link"
    assert dice.replace("\\", "") == "4d6kh3 [3][6](1)[3]"


@pytest.mark.parametrize(("label", "beside"), [("Throw", True), ("M" * MOST_BESIDE, True), ("M" * 60, False)])
def test_a_button_with_a_long_label_is_below_its_line(label: str, beside: bool) -> None:
    """A long button beside a line would leave room for only a few letters of the line."""
    parts = sent_components(
        Card().add_line_with_button("Euphrates may battle once more", discord.ui.Button(label=label, custom_id="x"))
    )
    assert any(part.get("accessory", {}).get("label") == label for part in parts) is beside
    assert [part["label"] for part in parts if part["type"] == 2] == [label]


@pytest.mark.parametrize(
    ("alt", "words"),
    [
        ("Reserve <@123> at C3", "Reserve <\u200b@\u200b123> at C3"),
        ("@EVERYONE <#1> </roll:1> <t:1:R>", "@\u200bEVERYONE <\u200b#1> <\u200b/roll:1> <\u200bt:1:R>"),
        ("[x](https://y.zz)", "[x]\u200b(https:\u200b//y.zz)"),
        ("two\nlines\u202e turned", "two lines turned"),
        ("1st Berkshires: 24 of 24, at 5 < 6 (A1)", "1st Berkshires: 24 of 24, at 5 < 6 (A1)"),
    ],
)
def test_a_pictures_description_is_not_escaped(alt: str, words: str) -> None:
    """Discord shows a description without Markdown, and a screen reader would read a backslash aloud."""
    picture = Picture("t.png", b"", alt)
    assert picture.alt_text == picture.file().description == words
