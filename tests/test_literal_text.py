"""Text of users is shown literally in chat, log and report: no formatting, links or mentions."""

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from bot.markdown_escape import INVISIBLE, escape_markdown
from bot.reports.markdown import escape_line
from cogs.kit.cards.card import NO_WIDTH, safe

from .discord_markdown import read_like_discord, read_like_local_table

PIECES = (
    *("<@1>", "<@!1>", "<@&1>", "<#1>", "</roll:1>", "<t:0:R>", "<t:1>", "<:gun:1>", "<a:gun:1>", "<id:browse>"),
    *("@everyone", "@here", "https://a.bc/d_e", "<https://a.bc>", "steam://run", "www.a.bc", "mailto:a@b.cd", "a@b.cd"),
    *("[", "]", "](", "](https://a.bc)", "]: /b", "![", "(", ")", "`", "```", "```\n", "~~~", "**", "*", "__", "_"),
    *(
        "~~",
        "||",
        "|",
        "# ",
        "#",
        "-# ",
        "- ",
        "+ ",
        "-",
        "---",
        "===",
        "1. ",
        "2) ",
        "> ",
        ">>> ",
        "|-|-|",
        "\n",
        "\n\n",
    ),
    *("    ", "\t", " ", "\\", "&amp;", "&#42;", ":tada:", ":", "<b>", "<!--", "a", "1st Foot", "\u202e", "\r"),
)
TEXTS = st.lists(st.sampled_from(PIECES) | st.text(max_size=4), max_size=12).map("".join)


def normalize_text(text: str) -> str:
    """Return the visible text, with every break as a newline and every blank as a space."""
    lines = INVISIBLE.sub("", text.replace("\r\n", "\n").replace("\r", "\n")).replace(NO_WIDTH, "")
    return " ".join(lines.split())


def render_text(text: str) -> str:
    return " ".join(text.replace(NO_WIDTH, "").split())


@given(text=TEXTS)
@example("[**a**](https://x.y_z_)")
@example("https://x.y/**a**")
@example("[```](b)")
@example("    indented")
def test_chat_shows_any_text_literally(text: str) -> None:
    for reader in (read_like_discord, read_like_local_table):
        shown_text, formats = reader(safe(text))
        assert not formats, f"{reader.__name__} formats {safe(text)!r}"
        assert render_text(shown_text) == normalize_text(text), reader.__name__


@given(text=TEXTS.filter(lambda text: normalize_text(text) == text and text[:1].isalnum()))
@pytest.mark.parametrize(
    ("template", "formats"),
    [("### {}", {"heading"}), ("**{}**", {"strong_open", "strong_close"}), ("- {}", {"bullet_list", "list_item"})],
)
def test_formats_around_a_text_end_with_it(template: str, formats: set[str], text: str) -> None:
    shown_text, formats_shown = read_like_local_table(template.format(safe(text)))
    assert formats_shown == formats
    assert render_text(shown_text) == text


@given(text=TEXTS)
def test_reports_show_any_text_literally(text: str) -> None:
    parser = MarkdownIt("commonmark", {"html": False}).enable("strikethrough")
    tokens = parser.parse(escape_line(text))
    kinds = {token.type for token in tokens}
    assert kinds <= {"paragraph_open", "inline", "paragraph_close"}
    children = [child for token in tokens for child in token.children or ()]
    assert {child.type for child in children} <= {"text", "text_special"}
    assert normalize_text("".join(child.content for child in children)) == normalize_text(text)


def test_escaped_text_mentions_nobody() -> None:
    for call in ("@everyone", "@here", "@EVERYONE", "<@12345678901234567>", "<@&12345678901234567>"):
        assert call not in safe(f"for {call} to read")
        assert not re.search(r"@(everyone|here)|<@", safe(call), re.IGNORECASE)


def test_words_and_numbers_of_the_rules_need_no_signs() -> None:
    for line in ("2D6 [4][3] = 7, +1 British (MM-5.4) = 8 against 5: holds (91.7% to hold)", "9: 1 hit, at 10:30"):
        assert escape_markdown(line) == line
