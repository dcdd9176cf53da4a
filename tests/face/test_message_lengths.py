"""Every kind of answer fits a limited number of lines of 40 characters, as a telephone shows them.

The limits count the text of a message without its small last line beside *Details*.
"""

import re
import textwrap

import pytest
from simcord.components import walk_components

from bot.runtime import client

from .loaded_dice import LoadedDice
from .table import TEXT_DISPLAY, Message, Table, has_details, raw, text
from .test_empire import act_as_umpire
from .test_empire import begin as el_teb

LINE_WIDTH = 40
"""Characters per line on a telephone."""
MARKUP = re.compile(r"^#+ |\*\*|\\", re.MULTILINE)
MENTION = re.compile(r"<@\d+>")
FOOTER = "-# "


def wrap_lines(message: Message) -> list[str]:
    """Return the message's lines, wrapped as on a telephone, without the footer."""
    texts = [part["content"] for part in walk_components(raw(message)) if part.get("type") == TEXT_DISPLAY]
    paragraphs = (line for paragraph in texts for line in paragraph.splitlines() if not line.startswith(FOOTER))
    plain = (MENTION.sub("@bertie", MARKUP.sub("", paragraph)) for paragraph in paragraphs)
    return [line for paragraph in plain for line in textwrap.wrap(paragraph, LINE_WIDTH)]


def require_brief(message: Message, most_lines: int) -> None:
    """Fail if the message has more than `most_lines` lines, or no button *Details*."""
    lines = wrap_lines(message)
    assert len(lines) <= most_lines, "\n".join((f"{len(lines)} lines:", *lines))
    assert has_details(message)


@pytest.fixture
def dice(monkeypatch: pytest.MonkeyPatch) -> LoadedDice:
    monkeypatch.setattr(client, "PAUSE", 0.001)
    monkeypatch.setattr("render.scenes.draw", lambda *_, **__: b"a picture")
    return LoadedDice(monkeypatch)


async def test_magdala_reads_at_a_glance(table: Table, dice: LoadedDice) -> None:
    await table.start()
    dice.fall(3, 4)
    require_brief((await table.give(table.mahdist, "move", unit="ashraf", to="forward 8")).announced, 4)
    dice.fall(6, 6)
    volley = (await table.give(table.mahdist, "fire", unit="rifles-hashin", target="berkshires")).announced
    require_brief(volley, 7)
    dice.fall(4, 5)
    with_two_modifiers = await table.give(table.british, "morale", unit="berkshires")
    require_brief(with_two_modifiers.announced, 5)
    dice.fall(6, 1)
    require_brief((await table.give(table.mahdist, "fire", unit="rifles-tokar", target="marines")).announced, 6)
    await table.pass_on(table.mahdist)
    require_brief((await table.give(table.british, "move", unit="lancers", to="forward 3")).announced, 2)
    call = {"with": "umpire's call"}
    dice.fall(3, 3)
    require_brief((await table.give(table.umpire, "morale", unit="arteiga", **call)).announced, 3)
    for unit in ("amarar", "marines"):
        await table.give(table.umpire, "umpire set", unit=unit, field="place", value="none")
    dice.fall(6, 3, 2, 3, 3, 4)
    melee = await table.give(table.umpire, "melee", unit="amarar", target="marines", contact=9, **call)
    require_brief(melee.announced, 14)
    assert "Amarar: **6** 3 2, +1 Zulus or Mahdists, -1 attacking field defences" in text(melee.announced)


async def test_magdala_shows_each_forced_throw_on_one_line(table: Table, dice: LoadedDice) -> None:
    await table.start(at_once=True)
    dice.fall(6, 6, 4, 5)
    volley = (await table.give(table.mahdist, "fire", unit="rifles-hashin", target="berkshires")).announced
    require_brief(volley, 11)


async def test_empire_reads_at_a_glance(table: Table, dice: LoadedDice) -> None:
    await el_teb(table, "movement of units")
    dice.fall(2)
    tested = await table.give(table.british, "conduct", unit="marines")
    require_brief(tested.announced, 6)
    require_brief((await table.give(table.british, "move", unit="marines", to="forward 3")).announced, 3)
    await act_as_umpire(table, "turn_next")
    while (await table.env.bot.games.running_game(table.channel.id)).state.phase != "rifle and machine gun fire":
        await act_as_umpire(table, "turn_next")
    dice.fall(6, 1, 5, 2)
    volley = (await table.give(table.british, "fire", unit="york-lancaster", target="krupps-west")).announced
    require_brief(volley, 6)
    dice.fall(6, 1, 5, 2)
    with_two_modifiers = await table.give(table.british, "fire", unit="marines", target="rifles-tokar")
    require_brief(with_two_modifiers.announced, 6)


async def test_tanga_reads_at_a_glance(table: Table, dice: LoadedDice) -> None:
    await table.give(table.umpire, "game new", rules="tanga", scenario="initial-assault")
    dice.fall(3, 5, 4, 6)
    for _ in range(2):
        formation = (await table.give(table.umpire, "british step")).announced
        require_brief(formation, 8)
        assert "advance towards entry hex" in text(formation)
    require_brief((await table.give(table.umpire, "move", unit="17-fk-mg-2", to="2714")).announced, 2)
