"""The after-action report: events turn by turn, for one viewer, and safe to open."""

import re

import pytest

from bot.journal.game import Actor
from bot.reports.html import element, to_html
from bot.reports.markdown import escape_line
from bot.services import Games
from rules.core.model import PUBLIC, UMPIRE
from tests.readings import read_log, write_latest_page

from .conftest import ANNA, BEN, CARL, CHANNEL

EVIL = Actor(9, "<script>alert(1)</script> [x](javascript:alert(1)) *bold*")


@pytest.fixture
async def fought_game(field: Games) -> Games:
    await field.actions.act_by_kind(CHANNEL, ANNA, "hex", {"unit": "b1", "value": 2}, interaction=10)
    await field.actions.act_by_kind(CHANNEL, BEN, "fight", {"unit": "r1"}, interaction=11)
    await field.actions.act_by_kind(CHANNEL, BEN, "pass", {}, interaction=12)
    await field.actions.act_by_kind(CHANNEL, CARL, "pass", {}, interaction=13)
    await field.actions.act_by_kind(CHANNEL, BEN, "march", {"unit": "r1"}, interaction=14)
    await field.undo.undo_actions(CHANNEL, BEN, 1, progress=str((await field.running_game(CHANNEL)).seq))
    return field


async def test_markdown_tells_the_game_turn_by_turn(fought_game: Games) -> None:
    text = await write_latest_page(fought_game, CHANNEL, PUBLIC, "markdown")
    throw = (await read_log(fought_game, CHANNEL, PUBLIC, 0))[3].report.throws[0]
    assert text.startswith("# Field day\n")
    assert text.index("## Turn 1") < text.index("Red Guards fight") < text.index("## Turn 2")
    assert escape_line(str(throw)) in text
    (undone,) = (entry.shown_number for entry in await read_log(fought_game, CHANNEL, PUBLIC, 0) if entry.undone)
    assert f"~~{undone}\\. **Red Guards march 1**~~ *(undone)*" in text
    assert "- **Red**: Ben" in text
    assert (await fought_game.running_game(CHANNEL)).seal in text


async def test_a_report_contains_nothing_hidden_from_its_viewer(fought_game: Games) -> None:
    assert "cursed" in await write_latest_page(fought_game, CHANNEL, UMPIRE)
    for viewer in ("red", "blue", PUBLIC):
        assert "cursed" not in await write_latest_page(fought_game, CHANNEL, viewer)


async def test_the_page_has_no_scripts_or_external_files(fought_game: Games) -> None:
    await fought_game.seats.leave(CHANNEL, BEN)
    await fought_game.seats.join(CHANNEL, EVIL, "red")
    page = await write_latest_page(fought_game, CHANNEL, PUBLIC)
    assert page.startswith("<!DOCTYPE html>")
    assert "{{" not in page
    assert "<s>" in page
    assert "&lt;script&gt;" in page
    for danger in ("<script", "@import", "url(", "onerror="):
        assert danger not in page
    assert set(re.findall(r'(?:src|href)="(data:image/png;base64,|#)?', page)) == {"data:image/png;base64,", "#"}


async def test_the_report_of_an_ended_game_contains_the_seeds(fought_game: Games) -> None:
    game = await fought_game.dice_seeds.end_game(CHANNEL, ANNA)
    text = await write_latest_page(fought_game, CHANNEL, PUBLIC, "markdown")
    assert all(seed.secret is not None and seed.secret in text for seed in game.seeds)
    assert "## How it ended" in text


@pytest.mark.parametrize("text", ["*a*", "_b_", "<b>", "# c", "1. d", "- e", "a\nb", "~~f~~", "&amp;", "[g](h)"])
def test_plain_text_stays_plain(text: str) -> None:
    from markdown_it import MarkdownIt

    tokens = MarkdownIt("commonmark").enable("strikethrough").parseInline(escape_line(text))[0].children or []
    assert {token.type for token in tokens} <= {"text", "text_special"}
    assert "".join(token.content for token in tokens) == " ".join(text.split())


async def test_a_name_that_looks_like_page_markup_stays_text(games: Games) -> None:
    await games.starter.start(CHANNEL, 5, ANNA, "toy", "field", name="{{body}}", interaction=1)
    page = await write_latest_page(games, CHANNEL, PUBLIC)
    assert "<title>{{body}}" in page
    assert page.count("<h1>") == 1


def test_attributes_are_escaped_like_text() -> None:
    """A void element gets no end tag."""
    paragraph = element(
        "p", 'a <b> & "c"', element("img", alt="<img src=x> & \"quoted\" 'so'"), "after <i>", class_="note"
    )
    assert to_html(paragraph) == (
        '<p class="note">a &lt;b&gt; &amp; "c"'
        '<img alt="&lt;img src=x&gt; &amp; &quot;quoted&quot; &#x27;so&#x27;">after &lt;i&gt;</p>'
    )
