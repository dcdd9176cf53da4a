"""Export and import of games: an imported game is equal; a bad file is refused with the error's place."""

import json
import re
from typing import Any

import pytest
from sqlalchemy import func, select

from bot.errors import BadFile, GameRunning, UserError
from bot.game_file.json_changes import apply_change, find_changes
from bot.services import Games
from bot.store import Store
from bot.store.tables import GameRow
from rules.core.model import PUBLIC, UMPIRE
from tests.readings import export_latest, read_log, verify_throws, write_latest_page

from .conftest import ANNA, BEN, CARL, CHANNEL, DORA

OTHER = 88


@pytest.fixture
async def played_game(field: Games) -> Games:
    """A game with dice, secrets, an undone branch and one redoable action."""
    await field.actions.act_by_kind(CHANNEL, BEN, "fight", {"unit": "r1"}, interaction=10)
    await field.actions.act_by_kind(CHANNEL, ANNA, "hex", {"unit": "b1", "value": 2}, interaction=11)
    await field.actions.act_by_kind(CHANNEL, CARL, "fight", {"unit": "b1", "secret": True}, interaction=12)
    for number in (13, 14):
        await field.actions.act_by_kind(CHANNEL, BEN, "march", {"unit": "r1"}, interaction=number)
    await field.undo.undo_actions(CHANNEL, BEN, 2, progress=str((await field.running_game(CHANNEL)).seq))
    await field.actions.act_by_kind(CHANNEL, BEN, "pass", {}, interaction=15)
    await field.actions.act_by_kind(CHANNEL, CARL, "march", {"unit": "b1"}, interaction=16)
    await field.undo.undo_actions(CHANNEL, CARL, 1, progress=str((await field.running_game(CHANNEL)).seq))
    await field.rolls.roll(CHANNEL, BEN, "2d6", interaction=17)
    await field.rolls.roll(CHANNEL, CARL, "2d6", "plot", secret=True, interaction=18)
    return field


async def test_an_imported_game_is_equal(played_game: Games) -> None:
    file = await export_latest(played_game, CHANNEL, ANNA)
    imported = await played_game.importer.import_game(OTHER, 6, DORA, file)
    original = await played_game.running_game(CHANNEL)
    assert (imported.umpire, imported.channel, imported.guild) == (DORA, OTHER, 6)
    for field_name in ("state", "state_seq", "public_throw_count", "seal", "name", "ruleset", "started"):
        assert getattr(imported, field_name) == getattr(original, field_name), field_name
    for viewer in (UMPIRE, "red", "blue", PUBLIC):
        assert (await read_log(played_game, OTHER, viewer, 0))[:-1] == await read_log(played_game, CHANNEL, viewer, 0)
    second, first = json.loads(await export_latest(played_game, OTHER, DORA)), json.loads(file)
    assert second["entries"][:-1] == first["entries"]
    for own in ("umpire", "head", "entries", "seats"):
        del second[own], first[own]
    assert second == first


async def test_an_import_seats_nobody_until_they_join(played_game: Games) -> None:
    """The file could name anybody as a player."""
    imported = await played_game.importer.import_game(OTHER, 6, DORA, await export_latest(played_game, CHANNEL, ANNA))
    assert (await played_game.running_game(CHANNEL)).seats
    assert imported.seats == ()
    assert [imported.viewer(player.id) for player in (ANNA, BEN, CARL)] == [PUBLIC] * 3
    joined = await played_game.seats.join(OTHER, CARL, "blue", interaction=51)
    assert [(seat.user, seat.side) for seat in joined.seats] == [(CARL.id, "blue")]


async def test_an_imported_game_says_so_to_everyone(played_game: Games) -> None:
    before = await played_game.running_game(CHANNEL)
    imported = await played_game.importer.import_game(
        OTHER, 6, DORA, await export_latest(played_game, CHANNEL, ANNA), interaction=40
    )
    for viewer in (UMPIRE, "red", "blue", PUBLIC):
        (entry,) = await read_log(played_game, OTHER, viewer, 1)
        assert (entry.seq, entry.kind, entry.actor) == (before.seq + 1, "game import", DORA)
        assert entry.report.headline == "Dora imported this game from a file"
        assert "as the file says" in entry.report.outcome
    assert "Dora imported this game from a file" in await write_latest_page(played_game, OTHER, PUBLIC, "markdown")
    assert (await played_game.importer.import_game(OTHER, 6, DORA, b"", interaction=40)).id == imported.id, (
        "the same interaction again"
    )


async def test_the_verification_marks_throws_taken_from_a_file(played_game: Games) -> None:
    assert (await verify_throws(played_game, CHANNEL)).on_file is None
    for viewer in (ANNA, BEN):
        channel = OTHER + viewer.id
        imported = await played_game.importer.import_game(
            channel, 6, DORA, await export_latest(played_game, CHANNEL, viewer)
        )
        assert (await verify_throws(played_game, channel)).on_file == imported.public_throw_count
        await played_game.actions.act_by_kind(channel, DORA, "fight", {"unit": "r1"}, interaction=50)
        verified = await verify_throws(played_game, channel)
        assert (verified.on_file, verified.missing) == (imported.public_throw_count, ())


async def test_an_imported_game_can_be_exported_and_imported_again(played_game: Games) -> None:
    await played_game.importer.import_game(OTHER, 6, DORA, await export_latest(played_game, CHANNEL, ANNA))
    await played_game.actions.act_by_kind(OTHER, DORA, "fight", {"unit": "r1"}, interaction=50)
    imported = await played_game.importer.import_game(99, 6, CARL, await export_latest(played_game, OTHER, DORA))
    assert (await verify_throws(played_game, 99)).on_file == imported.public_throw_count
    assert [entry.kind for entry in await read_log(played_game, 99, PUBLIC, 0)].count("game import") == 2


async def test_a_players_file_omits_unreadable_entries_without_a_gap(played_game: Games) -> None:
    document = json.loads(await export_latest(played_game, CHANNEL, BEN))
    assert [entry["seq"] for entry in document["entries"]] == list(range(1, document["head"] + 1))
    assert [entry["number"] for entry in document["entries"]] == list(range(1, document["head"] + 1))
    assert len(document["entries"]) == (await played_game.running_game(CHANNEL)).seq - 3, (
        "a curse, a secret fight, a secret roll"
    )
    imported = await played_game.importer.import_game(OTHER, None, BEN, json.dumps(document).encode())
    assert imported.seq == document["head"] + 1


def downgrade_file(document: Any, version: int) -> Any:
    """Return the file as an older version wrote it: without numbers."""
    old = [{**entry, "number": None, "among": None} for entry in document["entries"]]
    return {**document, "version": version, "entries": old}


async def test_a_players_file_of_the_first_version_may_omit_entries(played_game: Games) -> None:
    full = downgrade_file(json.loads(await export_latest(played_game, CHANNEL, ANNA)), 2)
    left_out = [entry for entry in full["entries"] if entry["kind"] == "roll" and entry["report"]["audience"]]
    assert left_out
    document = {**full, "viewer": "red"}
    old = {**document, "version": 1, "entries": [entry for entry in document["entries"] if entry not in left_out]}
    imported = await played_game.importer.import_game(OTHER, None, BEN, json.dumps(old).encode())
    assert (
        imported.state == (await played_game.importer.import_game(99, None, BEN, json.dumps(document).encode())).state
    )
    log = await read_log(played_game, OTHER, UMPIRE, 0)
    assert [entry.seq for entry in log] == list(range(1, imported.seq + 1))
    for fault in ({"version": 2}, {"viewer": UMPIRE}, {"head": 900_000}):
        with pytest.raises(BadFile, match="missing"):
            await played_game.importer.import_game(CHANNEL + 100, None, BEN, json.dumps({**old, **fault}).encode())


async def test_undo_history_and_dice_continue_after_an_import(played_game: Games) -> None:
    await played_game.importer.import_game(OTHER, 6, DORA, await export_latest(played_game, CHANNEL, ANNA))
    states = []
    for channel, umpire in ((CHANNEL, ANNA), (OTHER, DORA)):
        redone = (
            await played_game.undo.redo_action(
                channel, umpire, progress=str((await played_game.running_game(channel)).seq)
            )
        ).game
        undone = (await played_game.undo.undo_actions(channel, umpire, 5, progress=str(redone.seq))).game
        states.append((redone.state, undone.state))
        fight = await played_game.actions.act_by_kind(channel, umpire, "fight", {"unit": "r1"}, interaction=50)
        assert fight.entry.dice[0].throw.name == "3", "the first fight and the roll were for everyone"
        verified = await verify_throws(played_game, channel)
        assert (verified.right, verified.is_fair, verified.unknown) == (6, True, 0)
    assert states[0] == states[1]


async def test_a_players_file_has_no_secrets(played_game: Games) -> None:
    for actor in (BEN, DORA):
        file = (await export_latest(played_game, CHANNEL, actor)).decode()
        assert "cursed" not in file
        assert "plot" not in file
        assert '"value":2' not in file
        document = json.loads(file)
        assert [seed["secret"] for seed in document["seeds"]] == [None, None]
        assert "secret" not in document["entries"][0]["state"]["units"]["r1"]
        acts = [entry["kind"] for entry in document["entries"] if entry["acts"]]
        assert acts == ["fight", "march", "march", "pass", "march"]
    assert "plot" in (await export_latest(played_game, CHANNEL, CARL)).decode()


async def test_a_players_file_goes_on_with_new_dice(played_game: Games) -> None:
    original = await played_game.running_game(CHANNEL)
    imported = await played_game.importer.import_game(OTHER, None, BEN, await export_latest(played_game, CHANNEL, BEN))
    assert imported.state == original.ruleset.view(original.state, "red")
    assert imported.seal != original.seal
    assert imported.public_throw_count == original.public_throw_count
    await played_game.actions.act_by_kind(OTHER, BEN, "fight", {"unit": "r1"}, interaction=60)
    verified = await verify_throws(played_game, OTHER)
    assert (verified.right, verified.wrong) == (1, ())
    assert verified.unknown == 2
    game = (
        await played_game.undo.undo_actions(OTHER, BEN, 3, progress=str((await played_game.running_game(OTHER)).seq))
    ).game
    assert game.state.units["r1"].hits == 0


async def test_an_imported_ended_game_continues_with_new_dice(played_game: Games) -> None:
    await played_game.dice_seeds.end_game(CHANNEL, ANNA)
    imported = await played_game.importer.import_game(CHANNEL, 5, ANNA, await export_latest(played_game, CHANNEL, ANNA))
    assert imported.ended is None
    assert imported.seal not in [
        seed.seal for seed in (await played_game.running_or_last_game(CHANNEL)).seeds if seed.secret
    ]
    await played_game.actions.act_by_kind(CHANNEL, ANNA, "fight", {"unit": "r1"}, interaction=60)
    assert (await verify_throws(played_game, CHANNEL)).is_fair


async def test_a_channel_with_a_game_takes_no_other(played_game: Games) -> None:
    file = await export_latest(played_game, CHANNEL, ANNA)
    with pytest.raises(GameRunning, match="Field day"):
        await played_game.importer.import_game(CHANNEL, 5, ANNA, file)


def _set(path: list[Any], value: Any) -> Any:
    def edit(document: Any) -> None:
        for key in path[:-1]:
            document = document[key]
        document[path[-1]] = value

    return edit


def _drop(path: list[Any]) -> Any:
    def edit(document: Any) -> None:
        for key in path[:-1]:
            document = document[key]
        del document[path[-1]]

    return edit


NESTED: Any = 1
for _ in range(150):
    NESTED = [NESTED]

BAD = [
    (_set(["format"], "other"), "format: "),
    (_set(["version"], 99), "version: "),
    (_set(["more"], 1), "more: extra"),
    (_set(["ruleset"], "chess"), "ruleset: .*chess"),
    (_set(["rules_version"], 99), "rules_version: .*newer"),
    (_set(["umpire", "id"], 2**70), r"umpire\.id: "),
    (_set(["umpire", "id"], -1), r"umpire\.id: "),
    (_set(["name"], "x" * 999), "name: "),
    (_set(["entries"], []), r"entries\[0\]: "),
    (_drop(["entries", 0, "state"]), r"entries\[0\]: "),
    (_set(["entries", 3, "report", "steps"], 5), r"entries\[3\]\.report\.steps: "),
    (_set(["entries", 3, "report", "steps", 0, "cite"], {}), r"entries\[3\]\.report\.steps\[0\]\.cite\.rule: "),
    (_set(["head"], 15), "head: the last entry is 14"),
    (_set(["entries", 3, "seq"], 1), r"entries\[3\]\.seq: .*order"),
    (_drop(["entries", 4]), r"entries\[4\]\.seq: 6 follows 4, and the entries between are missing"),
    (_drop(["entries", 0]), r"entries\[0\]\.seq: 2 follows 0, "),
    (_drop(["entries", -1]), r"head: the last entry is 13, and those to 14 are missing"),
    (_set(["entries", 3, "base"], 77), r"entries\[3\]\.base: "),
    (_set(["entries", 3, "kind"], "castle"), r"entries\[3\]\.kind: .*castle"),
    (_set(["entries", 3, "interaction"], 1), r"entries\[3\]\.interaction: "),
    (_set(["entries", 3, "at"], "yesterday"), r"entries\[3\]\.at: "),
    (_set(["entries", 3, "number"], 1), r"entries\[3\]\.number: .*order"),
    (_set(["entries", 3, "number"], None), r"entries\[3\]\.number: "),
    (_set(["entries", 5, "among"], "red"), r"entries\[5\]\.number: .*counted"),
    (_set(["thrown"], 0), r"entries\[3\]\.dice: "),
    (_set(["entries", 3, "dice", 0, "throw", "number"], 10**9), r"entries\[3\]\.dice: "),
    (_set(["entries", 3, "changes"], [[["units", "r1", "hits"], "many"]]), r"entries\[3\]\.changes\.units\.r1\.hits: "),
    (_set(["entries", 3, "changes"], [[["units", "r1", "hits", "deeper"], 1]]), r"entries\[3\]\.changes: "),
    (_set(["entries", 3, "changes"], [[]]), r"entries\[3\]\.changes: "),
    (_set(["entries", 3, "changes"], [[5, 5]]), r"entries\[3\]\.changes: "),
    (_set(["entries", 0, "state", "ruleset"], "magdala"), r"entries\[0\]\.state: "),
    (_set(["entries", 0, "state", "options"], NESTED), "nested too deeply"),
    (_set(["state_seq"], 2), "state_seq: "),
    (_set(["seats", 0, "side"], "green"), r"seats\[0\]\.side: .*green"),
    (_set(["seats", 1, "user"], 2), r"seats\[1\]\.user: "),
    (_set(["seeds", 0, "secret"], "00" * 32), r"seeds\[0\]\.seal: "),
    (_set(["seeds", 1, "hidden"], False), r"seeds\[1\]\.epoch: "),
]


@pytest.mark.parametrize("database_kind", ["sqlite"])
async def test_a_bad_file_is_refused_with_its_place(played_game: Games, store: Store) -> None:
    file = await export_latest(played_game, CHANNEL, ANNA)
    for edit, place in BAD:
        document = json.loads(file)
        edit(document)
        with pytest.raises(BadFile) as refused:
            await played_game.importer.import_game(OTHER, 6, ANNA, json.dumps(document).encode())
        message = str(refused.value)
        assert re.search(place, message), (place, message)
        assert "Nothing was changed" in message
        assert len(message) < 400
        async with store.read() as session:
            assert await session.scalar(select(func.count()).select_from(GameRow)) == 1, place


@pytest.mark.parametrize(
    "file",
    [
        b"",
        b"\xff\xfe",
        b"null",
        b"[1, 2",
        b"[" * 100_000,
        b'{"a": NaN}',
        b"{" + b'"a":{' * 5000,
        b'{"format": "umpire game\\u0000"}',
        b" " * (5 * 1024 * 1024 + 1),
        b'"' + b"9" * 100_000 + b'"',
        b"9" * 100_000,
    ],
    ids=lambda file: str(file[:12]),
)
async def test_a_file_without_a_game_is_refused(games: Games, file: bytes) -> None:
    with pytest.raises(BadFile, match=r"[Nn]othing was changed"):
        await games.importer.import_game(OTHER, 6, ANNA, file)


async def test_a_file_that_unpacks_too_large_is_refused(field: Games) -> None:
    document = json.loads(await export_latest(field, CHANNEL, ANNA))
    first = document["entries"][0]
    first["state"]["scenario"] = "x" * 2_000_000
    for seq in range(4, 60):
        fields = {"seq": seq, "number": seq, "interaction": 0, "dice": [], "state": None, "changes": []}
        document["entries"].append({**first, **fields})
    document["head"] = 59
    with pytest.raises(BadFile, match="too large"):
        await field.importer.import_game(OTHER, 6, ANNA, json.dumps(document).encode())


async def test_a_number_beyond_json_is_refused(field: Games) -> None:
    text = (await export_latest(field, CHANNEL, ANNA)).decode()
    with pytest.raises(BadFile):
        await field.importer.import_game(OTHER, 6, ANNA, text.replace('"turn":1', '"turn":1e999', 1).encode())


async def test_an_import_cannot_redo_an_entry_that_was_not_undone(field: Games) -> None:
    await field.actions.act_by_kind(CHANNEL, BEN, "march", {"unit": "r1"}, interaction=10)
    document = json.loads(await export_latest(field, CHANNEL, ANNA))
    document["entries"][3]["undone"] = True
    document["state_seq"] = 1
    await field.importer.import_game(OTHER, 6, ANNA, json.dumps(document).encode())
    await field.seats.join(OTHER, BEN, "red")
    with pytest.raises(UserError, match="Only the umpire"):
        await field.undo.redo_action(OTHER, BEN, progress=str(4))
    assert (await field.undo.redo_action(OTHER, ANNA, progress=str(4))).game.state.units["r1"].steps == 1


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({}, {"a": 1}),
        ({"a": 1}, {}),
        ({"a": {"b": 1, "c": 2}}, {"a": {"b": 1, "c": None}}),
        ({"a": [1, 2]}, {"a": [1]}),
        ({"a": {"b": 1}}, {"a": 5}),
        ({"a": 1}, {"a": True}),
        ({"a": 1}, {"a": 1.0}),
        (None, {"a": {}}),
    ],
)
def test_changes_turn_the_old_value_into_the_new_one(old: Any, new: Any) -> None:
    now = old
    for change in find_changes(old, new):
        now = apply_change(now, change)
    assert json.dumps(now) == json.dumps(new)
    assert list(find_changes(new, new)) == []
