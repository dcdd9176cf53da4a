"""`/scenario save` and `upload`: a table becomes a scenario file, which can be downloaded, uploaded and played."""

import pytest

from rules.core.state import State
from rules.core.tabletop.system import TableRuleset
from rules.registry import rulesets

from .table import Table, text
from .test_opponent import game_of
from .test_own_table import open_battle_form, submit_battle_form

pytestmark = pytest.mark.usefixtures("real_maps")

MAGDALA = rulesets()["magdala"]
WITHOUT_NAMES = {"scenario": "", "title": ""}


def file_of(table: Table, answer: object) -> tuple[str, bytes]:
    """Return the file of a private answer."""
    (file,) = answer.private[0].attachments  # type: ignore[attr-defined]
    return file.filename, table.env.backend.cdn.get(file.url)


def without_names(state: State) -> State:
    return state.model_copy(update=WITHOUT_NAMES)


async def test_a_table_saved_as_it_began_starts_again(table: Table) -> None:
    await table.start()
    began = (await game_of(table)).state
    await table.give(table.umpire, "umpire set", unit="marines", field="casualties", value="4")
    saved = await table.give(table.british, "scenario save", **{"as": "began"}, title="Suakin by night")
    name, document = file_of(table, saved)
    assert name == "suakin-by-night.toml"
    assert MAGDALA.scenarios["suakin-1885"].briefing[:40] in document.decode()
    assert "Suakin by night" in (await table.give(table.onlooker, "scenario list", rules="magdala")).private_text
    channel = table.guild.create_text_channel("again")
    answer = await table.give(table.umpire, "game new", rules="magdala", scenario="Suakin by night", channel=channel)
    assert "### Suakin by night" in text(answer.announced)
    state = (await table.env.bot.games.running_game(channel.id)).state  # type: ignore[attr-defined]
    assert without_names(state) == without_names(began)


async def test_a_saved_table_can_be_uploaded_and_played(table: Table) -> None:
    await table.start()
    await table.give(table.umpire, "umpire set", unit="marines", field="casualties", value="4")
    name, document = file_of(table, await table.give(table.british, "scenario save"))
    assert "casualties = 4" in document.decode()
    assert "\nat = [43.0, 32.4]\n" in document.decode()
    elsewhere = document.replace(b'id = "suakin-1885-turn-1"', b'id = "carried"')
    answer = await table.give(table.mahdist, "scenario upload", rules="magdala", file=(name, elsewhere))
    assert "Suakin 1885, turn 1" in text(answer.announced)
    channel = table.guild.create_text_channel("again")
    await table.give(table.mahdist, "game new", rules="magdala", scenario="carried", channel=channel)
    state = (await table.env.bot.games.running_game(channel.id)).state  # type: ignore[attr-defined]
    assert state.units["marines"].casualties == 4
    assert state.units["marines"].place == (await game_of(table)).state.units["marines"].place


async def test_only_the_umpires_file_contains_hidden_facts(table: Table) -> None:
    await table.start()
    await table.give(table.umpire, "umpire secret", unit="amarar", value="-2")
    saved = await table.give(table.umpire, "scenario save", title="Mine")
    assert "secret_quality = -2" in file_of(table, saved)[1].decode()
    assert "What is hidden stands in your file alone" in saved.private_text
    answer = await table.give(table.british, "scenario save", title="Theirs")
    assert "secret_quality" not in file_of(table, answer)[1].decode()
    assert "What is hidden" not in answer.private_text
    channel = table.guild.create_text_channel("again")
    await table.give(table.british, "game new", rules="magdala", scenario="mine", channel=channel)
    state = (await table.env.bot.games.running_game(channel.id)).state  # type: ignore[attr-defined]
    assert state.units["amarar"].secret_quality == 0


async def test_faults_name_their_lines_and_nothing_is_stored(table: Table) -> None:
    system = MAGDALA
    assert isinstance(system, TableRuleset)
    bad = system.battles.text("suakin-1885").replace("turns = ", "turns = 1000 #", 1).encode()
    refused = await table.give(table.british, "scenario upload", rules="magdala", file=("x.toml", bad))
    assert "line" in refused.private_text
    assert "turns: it must be at most 99" in refused.private_text
    assert "Nothing was changed" in refused.private_text
    taken_file = system.battles.text("suakin-1885").encode()
    refused = await table.give(table.british, "scenario upload", rules="magdala", file=("x.toml", taken_file))
    assert "already has a scenario" in refused.private_text
    for name in (b"SUAKIN-1885", b"Own"):
        loud = taken_file.replace(b'"suakin-1885"', b'"%s"' % name, 1)
        refused = await table.give(table.british, "scenario upload", rules="magdala", file=("x.toml", loud))
        assert "already has a scenario" in refused.private_text
    assert "uploaded by" not in (await table.give(table.onlooker, "scenario list")).private_text


async def test_an_upload_without_a_file_returns_schema_and_example(table: Table) -> None:
    answer = await table.give(table.british, "scenario upload", rules="charge")
    names = [attachment.filename for attachment in answer.private[0].attachments]
    assert names == ["charge-scenario.schema.json", "bridge.toml"]


async def test_saving_needs_a_game_whose_system_can_be_saved(table: Table) -> None:
    refused = await table.give(table.british, "scenario save")
    assert "/game new" in refused.private_text
    await table.give(table.umpire, "game new", rules="great_war", scenario="trench")
    refused = await table.give(table.umpire, "scenario save")
    assert "is not written as a scenario" in refused.private_text


async def test_a_table_saved_in_its_set_up_says_so(table: Table) -> None:
    await submit_battle_form(table, await open_battle_form(table, name="Sunday"))
    assert "### Sunday, set-up\n" in (await table.give(table.umpire, "scenario save")).private_text


async def test_saving_replaces_no_other_title_and_no_other_users_table(table: Table) -> None:
    await submit_battle_form(table, await open_battle_form(table))
    for actor, title in (
        (table.umpire, "Битва"),
        (table.umpire, "Война"),
        (table.british, "Битва"),
        (table.umpire, "Битва"),
        (table.umpire, "Own"),
    ):
        assert "starts it" in (await table.give(actor, "scenario save", title=title)).private_text
    reply = (await table.give(table.onlooker, "scenario list", rules="magdala")).private_text
    assert [reply.count(f"**{title}**") for title in ("Битва", "Война", "Own")] == [2, 1, 1]


async def test_saving_says_when_it_replaces_an_earlier_scenario(table: Table) -> None:
    await table.start()
    first = await table.give(table.umpire, "scenario save", title="Suakin by night")
    assert "It replaces" not in first.private_text
    document = file_of(table, first)[1]
    answer = await table.give(table.umpire, "scenario save", title="Suakin by night")
    assert "It replaces your earlier “suakin-by-night”." in answer.private_text
    uploaded = await table.give(table.umpire, "scenario upload", rules="magdala", file=("x.toml", document))
    assert "It replaces your earlier “suakin-by-night”." in text(uploaded.announced)


async def test_a_detached_general_survives_saving_and_upload(table: Table) -> None:
    await table.start()
    await table.give(table.umpire, "umpire option", name="hidden troops", value="yes")
    await table.give(table.umpire, "unit hide", unit="Hadendoa of Sinkat", marker=True)
    await table.give(table.umpire, "umpire set", unit="Sir John McNeill", field="place", value="C3 NW")
    _, document = file_of(table, await table.give(table.umpire, "scenario save", title="Apart"))
    edited = document.replace(b'id = "apart"', b'id = "carried"', 1)
    await table.give(table.umpire, "scenario upload", rules="magdala", file=("x.toml", edited))
    channel = table.guild.create_text_channel("again")
    await table.give(table.umpire, "game new", rules="magdala", scenario="carried", channel=channel)
    answer = await table.give(table.umpire, "scenario save", title="Apart", channel=channel)
    assert file_of(table, answer)[1] == document


@pytest.mark.parametrize(
    ("title", "called"),
    [
        (None, f"{'N' * 72}, turn 1"),
        ("T" * 80, "T" * 80),
        ("  ", f"{'N' * 72}, turn 1"),
        ("\u202eBy night", "By night"),
    ],
)
async def test_every_title_can_be_saved(table: Table, title: str | None, called: str) -> None:
    await table.give(table.umpire, "game new", rules="magdala", scenario="suakin-1885", name="N" * 80)
    saved = await table.give(table.umpire, "scenario save", **({} if title is None else {"title": title}))
    assert f"### {called}\n" in saved.private_text
    name, document = file_of(table, saved)
    edited = document.replace(b'id = "', b'id = "again-', 1)
    assert (await table.give(table.umpire, "scenario upload", rules="magdala", file=(name, edited))).public
