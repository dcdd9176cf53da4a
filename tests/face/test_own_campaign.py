"""A player's own campaign: uploaded as one or two files, played, kept in exports, and handed out as files."""

import json

from rules.campaign.ground import read_map_text
from rules.campaign.scenarios import SCENARIOS
from tests.test_own_campaign_page import example

from .table import Table

GRAHAM, OSMAN = "British under Graham", "Mahdists under Osman Digna"
CAMPAIGN = SCENARIOS.text("suakin-1884").replace("suakin-1884", "my-suakin").replace("Suakin 1884", "My Suakin")
MAP = read_map_text("suakin").replace("name 1103: Handub", "name 1103: Handoub")


async def upload(table: Table, campaign: str = CAMPAIGN, map_: str = MAP) -> str:
    """Upload a campaign as two files."""
    files = {"file": ("my.toml", campaign.encode()), "map": ("my.txt", map_.encode())}
    return (await table.give(table.british, "scenario upload", rules="campaign", **files)).text


async def begin(table: Table) -> None:
    """Start the uploaded campaign for two players."""
    await table.give(table.umpire, "game new", rules="campaign", scenario="my-suakin")
    await table.give(table.british, "game join", side=GRAHAM)
    await table.give(table.mahdist, "game join", side=OSMAN)


async def test_a_campaign_in_two_files_is_uploaded_and_played(table: Table) -> None:
    assert "### My Suakin" in await upload(table)
    await begin(table)
    answer = await table.give(table.british, "move", unit="Suakin garrison", to="Handoub")
    assert "1103 (Handoub)" in answer.private_text
    await table.give(table.mahdist, "turn next")
    assert "### Day 2" in (await table.give(table.british, "turn next")).text


async def test_an_own_campaigns_map_survives_export_import_and_undo(table: Table) -> None:
    await upload(table)
    await begin(table)
    await table.give(table.british, "move", unit="Suakin garrison", to="Handoub")
    await table.give(table.british, "scenario remove", scenario="My Suakin")
    (file,) = (await table.give(table.umpire, "game export")).private[0].attachments
    channel = table.guild.create_text_channel("elsewhere")
    data = (file.filename, await file.read())
    await table.give(table.umpire, "game import", file=data, channel=channel)
    reply = (await table.give(table.umpire, "unit show", unit="Suakin garrison", channel=channel)).text
    assert "1103 (Handoub)" in reply
    await table.restart()
    undo = (await table.give(table.british, "game undo")).private[0]
    await table.press(table.british, undo, "Take it back")
    assert "stays" in (await table.give(table.british, "unit show", unit="Suakin garrison")).text


async def test_faults_of_both_files_are_listed_and_nothing_is_stored(table: Table) -> None:
    line = CAMPAIGN.splitlines().index("value = 5") + 1
    reply = await upload(
        table, CAMPAIGN.replace("value = 5", "value = 400"), MAP.replace("s  .  ~  ~", "s  .  ?  ~", 1)
    )
    assert "2 faults" in reply
    assert f"the campaign, line {line}: points[0].value: it must be at most 99" in reply
    assert "the map, line 7: 1600: no terrain has the letter" in reply
    reply = await upload(table, CAMPAIGN.replace("24 british-breechloaders", "24 british-breachloaders", 1))
    assert "magdala has no troop 'british-breachloaders'; the nearest: british-breechloaders" in reply
    assert "My Suakin" not in (await table.give(table.umpire, "scenario list")).private_text


async def test_files_of_shipped_campaigns_can_be_downloaded_and_uploaded(table: Table) -> None:
    answer = await table.give(table.british, "scenario show", scenario="Zululand 1879", file=True)
    (file,) = answer.private[0].attachments
    assert file.filename == "zululand-1879.toml"
    mine = (await file.read()).replace(b"zululand-1879", b"my-zululand").replace(b"Zululand 1879", b"My Zululand")
    upload_answer = await table.give(table.british, "scenario upload", rules="campaign", file=("my.toml", mine))
    assert "/game new rules:campaign scenario:my-zululand" in upload_answer.text
    (attachment,) = (
        (await table.give(table.british, "scenario show", scenario="My Zululand", file=True)).private[0].attachments
    )
    assert await attachment.read() == mine
    refused = await table.give(table.mahdist, "scenario show", scenario="My Zululand", file=True)
    assert "Only bertie, who uploaded it, may read its file" in refused.private_text
    answer = await table.give(table.british, "scenario upload", rules="campaign")
    schema, handed_out = answer.private[0].attachments
    assert (schema.filename, handed_out.filename) == ("campaign-scenario.schema.json", "suakin-1884.toml")
    troops = json.loads(await schema.read())["troops"]
    assert {"magdala", "empire", "charge"} == troops.keys()
    assert "british-breechloaders" in troops["magdala"]


async def test_a_map_belongs_to_a_campaign(table: Table) -> None:
    fields = {"rules": "campaign", "map": ("my.txt", MAP.encode())}
    assert "Give the campaign it belongs to" in (await table.give(table.british, "scenario upload", **fields)).text
    both = {"file": ("x.toml", b"id = 'x'"), "map": ("my.txt", MAP.encode())}
    refused = await table.give(table.british, "scenario upload", rules="magdala", **both)
    assert "A scenario of these rules is one file" in refused.text
    refused = await table.give(table.british, "scenario show", scenario="trench", file=True)
    assert "no file" in refused.private_text


async def test_the_docs_example_campaign_uploads_and_starts(table: Table) -> None:
    files = {"file": ("abu-klea.toml", example().encode())}
    assert (
        "### The wells of Abu Klea"
        in (await table.give(table.british, "scenario upload", rules="campaign", **files)).text
    )
    begun = await table.give(table.umpire, "game new", rules="campaign", scenario="The wells of Abu Klea")
    assert "Mahdists under Musa" in begun.text
    painted = await table.give(table.umpire, "terrain paint", kind="forest", at="0602 0702-0803")
    assert "The umpire paints forest: 0602, 0702, 0703, 0802, 0803." in painted.text
    painted = await table.give(table.umpire, "terrain paint", kind="river", at="0602/0603 0603/0703")
    assert "The umpire paints river" in painted.text
