"""The report page: a map per turn from its reader's view, small enough to post, complete after losses."""

import re
from base64 import b64decode
from html.parser import HTMLParser
from io import BytesIO

import pytest
from PIL import Image
from sqlalchemy import update

from bot.journal.game import Actor
from bot.reports.facts import ReportFacts
from bot.reports.job import byte_count
from bot.reports.page import SHORTENED, write_page
from bot.reports.turn_maps import GONE, MOST_MAPS, TOO_MANY, TurnMap
from bot.services import Games
from bot.store import Store
from bot.store.tables import EntryRow
from rules.core.model import PUBLIC, UMPIRE
from tests.readings import write_latest_page

from .conftest import ANNA, BEN, CARL, CHANNEL
from .painted_toy import Painted

EVIL = '"><img src=x onerror=alert(1)></title><script>x</script> \u202edrow [x](javascript:y) &lt; <!--'
"""A hostile name: tag, script, link and closing markup at once."""
TEXT = "html head meta title style body main section article h1 h2 h3 p ul li b i s span code nav a"
ALLOWED = {*f"{TEXT} details summary figure figcaption img".split()}
ATTRIBUTES = frozenset(("lang", "charset", "http-equiv", "content", "name", "id", "class", "href", "src", "alt"))


class ReadPage(HTMLParser):
    """Parser that collects a page's elements and text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]

    def handle_data(self, data: str) -> None:
        self.text += data

    def all(self, name: str) -> list[str]:
        return [value for attribute, value in self.attributes if attribute == name]

    @property
    def maps(self) -> list[bytes]:
        return [b64decode(source.removeprefix("data:image/png;base64,")) for source in self.all("src")]


pytestmark = pytest.mark.parametrize("database_kind", ["sqlite"])


@pytest.fixture
def games(store: Store) -> Games:
    return Games(store, {"toy": Painted()})


async def play_turns(games: Games, turns: int, channel: int = CHANNEL, secret: int = 2) -> None:
    """Play turns in which Red marches and both sides pass."""
    await games.actions.act_by_kind(channel, ANNA, "hex", {"unit": "b1", "value": secret}, interaction=channel * 1000)
    for turn in range(turns):
        interaction = channel * 1000 + 10 * (turn + 1)
        await games.actions.act_by_kind(channel, BEN, "march", {"unit": "r1"}, interaction=interaction)
        await games.actions.act_by_kind(channel, BEN, "pass", {}, interaction=interaction + 1)
        await games.actions.act_by_kind(channel, CARL, "pass", {}, interaction=interaction + 2)


async def test_each_turn_has_a_map_of_its_start_and_an_entry_in_the_contents(field: Games) -> None:
    await play_turns(field, 2)
    await field.actions.act_by_kind(CHANNEL, BEN, "march", {"unit": "r1", "steps": 3}, interaction=9)
    page = await write_latest_page(field, CHANNEL, PUBLIC)
    report = ReadPage(page)
    pictures = [Image.open(BytesIO(png)) for png in report.maps]
    assert [picture.format for picture in pictures] == ["PNG"] * 4
    assert [alt[: len("Turn 1")] for alt in report.all("alt")] == ["Turn 1", "Turn 2", "Turn 3", "Turn 3"]
    assert "Turn 1 begins." in page
    assert "Turn 2 begins. Arrows: what moved since turn 1 began." in page
    assert "How it stands. Arrows: what moved since turn 3 began." in page
    links = [link.removeprefix("#") for link in report.all("href")]
    assert links == ["part-1", "part-2", "part-3", "end", "dice"]
    assert set(links) <= set(report.all("id"))
    assert 'name="viewport" content="width=device-width, initial-scale=1"' in page


async def test_calculations_are_folded_and_luck_stands_at_the_end(field: Games) -> None:
    await field.actions.act_by_kind(CHANNEL, BEN, "fight", {"unit": "r1"}, interaction=10)
    page = await write_latest_page(field, CHANNEL, PUBLIC)
    folded = re.findall(r"<details><summary>The reckoning</summary><ul>(.*?)</ul></details>", page, re.DOTALL)
    assert any("They fight" in steps for steps in folded)
    assert page.index("The game so far</h2>") < page.index("Luck</h2>") < page.index("<b>Red</b>: 2 dice, sum ")


async def test_maps_reveal_nothing_hidden_from_the_reader(field: Games) -> None:
    """Two games that differ in hidden facts have the same maps, except for the umpire."""
    second_channel = 78
    await field.starter.start(second_channel, 5, ANNA, "toy", "field", name="Field day", interaction=2)
    await field.seats.join(second_channel, BEN, "red")
    await field.seats.join(second_channel, CARL, "blue")
    for channel, secret in ((CHANNEL, 2), (second_channel, 5)):
        await play_turns(field, 1, channel, secret)
    for viewer in ("red", "blue", PUBLIC):
        first, second = [
            ReadPage(await write_latest_page(field, channel, viewer)) for channel in (CHANNEL, second_channel)
        ]
        assert len(first.maps) == 2
        assert first.maps == second.maps
        assert first.all("alt") == second.all("alt")
    first, second = [ReadPage(await write_latest_page(field, channel, UMPIRE)) for channel in (CHANNEL, second_channel)]
    assert first.maps[1] != second.maps[1], "it would have been seen"
    assert first.all("alt") != second.all("alt")


@pytest.mark.parametrize("state", [None, b"no zlib"])
async def test_a_turn_with_a_lost_start_says_so(field: Games, store: Store, state: bytes | None) -> None:
    await play_turns(field, 2)
    second = EntryRow.turn == 2, EntryRow.turn_end
    async with store.write() as session:
        await session.execute(update(EntryRow).where(*second).values(state=state))
    page = await write_latest_page(field, CHANNEL, PUBLIC)
    assert page.count(GONE) == 1
    assert len(ReadPage(page).maps) == 2
    assert "Turn 3 begins. Arrows: what moved since turn 1 began." in page
    assert page.rstrip().endswith("</html>")


async def test_an_undone_turn_shows_the_map_of_its_final_start(field: Games) -> None:
    await play_turns(field, 1)
    await field.undo.undo_actions(CHANNEL, ANNA, 1, progress=str((await field.running_game(CHANNEL)).seq))
    await field.actions.act_by_kind(CHANNEL, CARL, "march", {"unit": "b1"}, interaction=8)
    await field.actions.act_by_kind(CHANNEL, CARL, "pass", {}, interaction=9)
    page = await write_latest_page(field, CHANNEL, PUBLIC)
    assert [int(turn) for turn in re.findall(r"<h2>Turn (\d)</h2>", page)] == [1, 2, 1, 2]
    sections = page.split("<section")[1:5]
    assert ["<img" in section for section in sections] == [True, False, False, True]


async def test_a_page_is_never_too_large_to_post(field: Games) -> None:
    await play_turns(field, 3)
    full = await write_latest_page(field, CHANNEL, PUBLIC)
    game = await field.running_or_last_game(CHANNEL)
    fewer = await field.readings.write_report(game, PUBLIC, "html", byte_count(full) - 1)
    assert byte_count(fewer) < byte_count(full)
    assert 2 <= len(ReadPage(fewer).maps) < 4
    assert "Turn 1 begins." in fewer
    assert TOO_MANY in fewer
    none = await field.readings.write_report(game, PUBLIC, "html", 30_000)
    assert ReadPage(none).maps == []
    assert none.count(TOO_MANY) == 4
    assert SHORTENED not in none
    short = await field.readings.write_report(game, PUBLIC, "html", 20_000)
    assert SHORTENED in short
    assert "The reckoning<" not in short
    assert "Red Guards march 1" in short


async def test_a_long_game_has_a_few_maps_evenly_apart(field: Games, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.reports.turn_maps.MOST_MAPS", 3)
    await play_turns(field, 4)
    page = await write_latest_page(field, CHANNEL, PUBLIC)
    assert re.findall(r"Turn \d begins", page) == ["Turn 1 begins", "Turn 3 begins", "Turn 5 begins"]
    assert page.count(TOO_MANY) == 2
    assert MOST_MAPS > 3


async def test_hostile_names_stay_text(games: Games) -> None:
    evil = Actor(9, EVIL[:80])
    await games.starter.start(CHANNEL, 5, evil, "toy", "field", name=EVIL[:80], interaction=1)
    await games.seats.join(CHANNEL, evil, "red")
    await games.rolls.roll(CHANNEL, evil, "2d6", EVIL[:80], interaction=2)
    report = ReadPage(await write_latest_page(games, CHANNEL, PUBLIC))
    assert set(report.tags) == ALLOWED - {"s", "i"}
    assert {name for name, _ in report.attributes} <= ATTRIBUTES
    assert report.text.count('"><img src=x onerror=alert(1)></title>') >= 4
    assert "\u202e" not in report.text
    game = await games.running_or_last_game(CHANNEL)
    html = write_page(ReportFacts(game, (), PUBLIC), {0: TurnMap(EVIL, EVIL, b"png")})
    assert set(ReadPage(html).tags) <= ALLOWED
    assert ReadPage(html).all("alt") == [EVIL.replace("\u202e", "")]
