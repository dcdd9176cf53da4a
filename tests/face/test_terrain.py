"""/terrain: the umpire puts ground on the table, moves, turns and takes it off; all see it."""

import pytest

from .table import Table, text
from .test_opponent import game_of

pytestmark = pytest.mark.usefixtures("drawn")


async def test_a_hill_is_put_on_moved_turned_listed_and_taken_off(table: Table) -> None:
    await table.start()
    before = (await game_of(table)).state.terrain
    given = {"kind": "hill", "shape": "ellipse", "at": "C2", "size": "12 x 8", "name": "Kop"}
    put = await table.give(table.umpire, "terrain add", **given)
    assert "The umpire puts terrain on the table: Kop." in text(put.announced)
    await table.env.settle()
    assert [one.filename for one in table.newest(table.umpire).attachments] == ["table.png"]
    assert "Kop" in await table.complete(table.umpire, "terrain move", "piece", "Ko")
    assert "**Kop**: hill, C2" in (await table.give(table.onlooker, "terrain list")).told
    await table.give(table.umpire, "terrain move", piece="Kop", to="30,12")
    await table.give(table.umpire, "terrain turn", piece="Kop", degrees=90)
    kop = (await game_of(table)).state.terrain[-1]
    xs, ys = zip(*kop.points, strict=True)
    assert (round(max(xs) - min(xs)), round(max(ys) - min(ys))) == (8, 12)
    await table.give(table.umpire, "terrain remove", piece="Kop")
    assert (await game_of(table)).state.terrain == before
    preview = await table.give(table.umpire, "game undo", steps=4)
    await table.press(table.umpire, preview.private[0], "Take it back")
    assert (await game_of(table)).state.terrain == before
    assert "Kop" in (await table.give(table.onlooker, "game log", last=20)).said


async def test_only_the_umpire_changes_the_ground_and_hexes_have_their_own(table: Table) -> None:
    await table.start()
    given = {"kind": "hill", "shape": "ellipse", "at": "C2", "size": "12 x 8"}
    refused = await table.give(table.british, "terrain add", **given)
    assert (
        "Only the umpire" in refused.told or "only for the umpire" in refused.told or "umpire, ursula" in refused.told
    )
    refused = await table.give(table.umpire, "terrain add", **{**given, "at": "nowhere"})
    assert "nowhere" in refused.told
    channel = table.guild.create_text_channel("hexes")
    await table.give(table.umpire, "game new", rules="great_war", scenario="trench", channel=channel)
    refused = await table.give(table.umpire, "terrain list", channel=channel)
    assert "is played on hexes" in refused.told


async def test_the_kinds_of_the_games_rules_are_offered_with_what_each_means(table: Table) -> None:
    await table.start()
    offered = await table.umpire.autocomplete(table.channel, "terrain add", "kind", "")
    named = {each["value"]: each["name"] for each in offered}
    assert named["wood"] == "wood: movement: formed regulars and guns at ½; cover: fire is halved"
    assert not {"road", "railway"} & named.keys()
    assert "marsh" in await table.complete(table.umpire, "terrain add", "kind", "mar")
