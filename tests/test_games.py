"""Games from the first command to the last, on both databases."""

import threading
from dataclasses import replace
from typing import Any

import pytest

from bot.errors import GameRunning, NoGame, NotAllowed, Stale, UserError
from bot.games.odds import make_forecast
from bot.journal import journals
from bot.journal.entries import read_entry
from bot.journal.game import Entry
from bot.services import Games
from bot.store import Store
from rules.core.model import PUBLIC, UMPIRE
from rules.core.ruleset import Refused
from rules.magdala.model import StoredPrompt
from rules.magdala.model import Test as Owed
from rules.magdala.ruleset import Magdala
from tests.readings import forecast_odds, read_log

from .conftest import ANNA, BEN, CARL, CHANNEL, DORA


async def test_a_channel_has_no_game_at_first(games: Games) -> None:
    with pytest.raises(NoGame, match="/game new"):
        await games.running_game(CHANNEL)


async def test_a_game_starts_with_its_starter_as_umpire_and_reports_its_seals(games: Games) -> None:
    played = await games.starter.start(CHANNEL, 5, ANNA, "toy", "field", "Red", interaction=1)
    game = await games.running_game(CHANNEL)
    assert (game.umpire, game.viewer(ANNA.id), game.viewer(BEN.id)) == (ANNA, UMPIRE, PUBLIC)
    assert game.seats[0].side == "red"
    assert any(game.seal in step.text for step in played.entry.report.steps)
    assert played.entry.report.view_for(PUBLIC).throws == ()
    assert (game.public_throw_count, game.counts.hidden_throws) == (0, {UMPIRE: 1}), "set-up is thrown in secret"


async def test_a_second_game_in_a_channel_is_refused(field: Games) -> None:
    with pytest.raises(GameRunning, match="Field day"):
        await field.starter.start(CHANNEL, 5, BEN, "toy", "field", interaction=2)


async def test_players_act_for_their_side_and_the_umpire_for_all(field: Games) -> None:
    await field.actions.act_by_kind(CHANNEL, BEN, "march", {"unit": "r1"}, interaction=10)
    await field.actions.act_by_kind(CHANNEL, ANNA, "march", {"unit": "r1", "steps": 2}, interaction=11)
    with pytest.raises(NotAllowed, match=r"You play the Blue.*Ben.*Anna"):
        await field.actions.act_by_kind(CHANNEL, CARL, "march", {"unit": "r1"}, interaction=12)
    with pytest.raises(NotAllowed, match=r"an onlooker.*Ben.*Anna"):
        await field.actions.act_by_kind(CHANNEL, DORA, "march", {"unit": "r1"}, interaction=13)
    with pytest.raises(NotAllowed, match="Only the umpire, Anna"):
        await field.actions.act_by_kind(CHANNEL, BEN, "hex", {"unit": "r1", "value": 1}, interaction=14)
    assert (await field.running_game(CHANNEL)).state.units["r1"].steps == 3


async def test_a_refused_action_changes_nothing_and_throws_nothing(field: Games) -> None:
    before = await field.running_game(CHANNEL)
    with pytest.raises(Refused, match="TOY-1"):
        await field.actions.act_by_kind(CHANNEL, BEN, "march", {"unit": "r1", "steps": 7}, interaction=10)
    assert await field.running_game(CHANNEL) == before


async def test_an_interaction_that_comes_twice_acts_once(field: Games) -> None:
    first = await field.actions.act_by_kind(CHANNEL, BEN, "fight", {"unit": "r1"}, interaction=10)
    repeated = await field.actions.act_by_kind(CHANNEL, BEN, "fight", {"unit": "r1"}, interaction=10)
    assert repeated.entry == first.entry
    assert repeated.before == first.before
    assert (await field.running_game(CHANNEL)).seq == first.entry.seq


async def test_a_button_takes_its_offer_once(field: Games) -> None:
    fight = await field.actions.act_by_kind(CHANNEL, BEN, "fight", {"unit": "r1"}, interaction=10)
    assert [offer.label for offer in await field.actions.load_offers(fight.game, fight.entry.name)] == ["Rally"]
    with pytest.raises(NotAllowed):
        await field.actions.take_offer(fight.game.id, fight.entry.name, 0, DORA, channel=CHANNEL, interaction=11)
    await field.actions.take_offer(fight.game.id, fight.entry.name, 0, BEN, channel=CHANNEL, interaction=12)
    with pytest.raises(Stale, match="settled"):
        await field.actions.take_offer(fight.game.id, fight.entry.name, 0, BEN, channel=CHANNEL, interaction=13)
    with pytest.raises(Stale):
        await field.actions.take_offer(fight.game.id, fight.entry.name, 5, BEN, channel=CHANNEL, interaction=14)


async def test_any_player_may_press_a_throw_without_a_choice(field: Games) -> None:
    """Other players may press the button; onlookers may not. No player may do anything else for another side."""
    await field.actions.act_by_kind(CHANNEL, BEN, "fight", {"unit": "r1"}, interaction=10)
    with pytest.raises(NotAllowed, match="an onlooker"):
        await field.actions.act_by_kind(CHANNEL, DORA, "rally", {"unit": "r1"}, interaction=11)
    with pytest.raises(NotAllowed, match="for Ben"):
        await field.actions.act_by_kind(CHANNEL, CARL, "march", {"unit": "r1"}, interaction=12)
    rallied = await field.actions.act_by_kind(CHANNEL, CARL, "rally", {"unit": "r1"}, interaction=13)
    assert rallied.entry.report.throws[0].side == "red"
    with pytest.raises(NotAllowed, match="for Ben"):
        await field.actions.act_by_kind(CHANNEL, CARL, "rally", {"unit": "r1"}, interaction=14)


async def test_the_log_shows_each_viewer_what_is_theirs(field: Games) -> None:
    await field.actions.act_by_kind(CHANNEL, ANNA, "hex", {"unit": "r1", "value": 3}, interaction=10)
    await field.actions.act_by_kind(CHANNEL, BEN, "fight", {"unit": "r1"}, interaction=11)
    log = await read_log(field, CHANNEL, "red", 10)
    assert "cursed" not in str(log)
    assert log[-1].report.steps[0].modifiers[0].reason == "umpire's modifier"
    assert "cursed" in str(await read_log(field, CHANNEL, UMPIRE, 10))
    assert len(await read_log(field, CHANNEL, "red", 2)) == 2


async def test_only_the_umpire_gets_odds_that_contain_a_secret(field: Games) -> None:
    assert (await forecast_odds(field, CHANNEL, ANNA, "fight", {"unit": "r1"})).steps[0].modifiers
    for actor in (BEN, DORA):
        assert not (await forecast_odds(field, CHANNEL, actor, "fight", {"unit": "r1"})).steps[0].modifiers


async def test_odds_tell_nobody_which_units_have_secrets(store: Store) -> None:
    games = Games(store, {"magdala": Magdala()})
    await games.starter.start(CHANNEL, 5, ANNA, "magdala", "suakin-1885", interaction=1)
    await games.seats.join(CHANNEL, BEN, "british")
    unit = next(unit.id for unit in (await games.running_game(CHANNEL)).state.units.values() if unit.side == "british")
    for number, (field, value) in enumerate({"morale": "pinned", "held_turns": "5"}.items()):
        correction = {"unit": unit, "field": field, "value": value}
        await games.actions.act_by_kind(CHANNEL, ANNA, "set", correction, interaction=10 + number)
    args = {"unit": unit}
    actors = (BEN, DORA, ANNA)
    before = [await forecast_odds(games, CHANNEL, actor, "morale", args) for actor in actors]
    await games.actions.act_by_kind(
        CHANNEL, ANNA, "secret", {"unit": unit, "field": "secret_quality", "value": "-2"}, interaction=2
    )
    after = [await forecast_odds(games, CHANNEL, actor, "morale", args) for actor in actors]
    assert before[:2] == after[:2]
    assert before[2] != after[2]
    assert "Secret umpire modifiers not included" in after[0].steps[-1].text
    for actor in (BEN, DORA):
        with pytest.raises(NotAllowed, match="umpire"):
            await forecast_odds(games, CHANNEL, actor, "morale", {**args, "with": "umpire +1"})
    assert await forecast_odds(games, CHANNEL, ANNA, "morale", {**args, "with": "umpire +1"})


async def test_odds_of_a_secret_test_are_shown_to_its_audience(store: Store) -> None:
    games = Games(store, {"magdala": Magdala()})
    await games.starter.start(CHANNEL, 5, ANNA, "magdala", "tel-el-kebir-1882", interaction=1)
    await games.seats.join(CHANNEL, BEN, "british")
    game = await games.running_game(CHANNEL)
    unit = next(unit.id for unit in game.state.units.values() if "Gordon" in unit.name)
    test = StoredPrompt(
        key="1", unit=unit, test=Owed.UNDER_FIRE, failed=True, secret=True, circumstances=("umpire -1",)
    )
    game = replace(game, state=game.state.model_copy(update={"prompts": (test,)}))
    reroll = game.ruleset.parse("reroll", {"unit": unit})
    for actor in (CARL, DORA):
        with pytest.raises(Refused, match="secret"):
            make_forecast(game, actor, reroll)
    for actor in (ANNA, BEN):
        odds = make_forecast(game, actor, reroll).odds
        assert odds is not None
        assert "umpire" in str(odds.steps[0].modifiers)


@pytest.mark.parametrize(("text", "name"), [("  ", "The field"), (" A \n b ", "A b"), ("x" * 200, "x" * 80)])
async def test_a_game_has_a_name_on_one_line(games: Games, text: str, name: str) -> None:
    played = await games.starter.start(CHANNEL, 5, ANNA, "toy", "field", name=text, interaction=1)
    assert played.game.name == name


async def test_a_channel_manager_may_replace_a_lost_umpire_or_end_the_game(field: Games) -> None:
    with pytest.raises(NotAllowed, match="manage"):
        await field.dice_seeds.end_game(CHANNEL, DORA)
    with pytest.raises(UserError, match="already"):
        await field.seats.appoint_umpire(CHANNEL, DORA, ANNA, manages=True)
    assert (await field.seats.appoint_umpire(CHANNEL, DORA, CARL, manages=True)).umpire == CARL
    assert (await field.dice_seeds.end_game(CHANNEL, DORA, manages=True)).ended


async def test_seats_are_taken_and_given_up(field: Games) -> None:
    with pytest.raises(UserError, match="already"):
        await field.seats.join(CHANNEL, BEN, "blue")
    with pytest.raises(Refused, match="There are: Red, Blue"):
        await field.seats.join(CHANNEL, DORA, "green")
    game = await field.seats.leave(CHANNEL, BEN)
    assert game.viewer(BEN.id) == PUBLIC
    with pytest.raises(UserError, match="no seat"):
        await field.seats.leave(CHANNEL, BEN)


async def test_the_umpire_appoints_another(field: Games) -> None:
    with pytest.raises(NotAllowed, match="Anna"):
        await field.seats.appoint_umpire(CHANNEL, BEN, DORA)
    game = await field.seats.appoint_umpire(CHANNEL, ANNA, DORA)
    assert game.umpire == DORA
    assert (await read_log(field, CHANNEL, PUBLIC, 1))[0].kind == "umpire appoint"


async def test_a_long_log_is_read_off_the_event_loop(field: Games, monkeypatch: pytest.MonkeyPatch) -> None:
    readers = set()

    def read(row: Any, ruleset: Any) -> Entry:
        readers.add(threading.current_thread())
        return read_entry(row, ruleset)

    await field.actions.act_by_kind(CHANNEL, BEN, "march", {"unit": "r1"}, interaction=10)
    monkeypatch.setattr(journals, "read_entry", read)
    assert await read_log(field, CHANNEL, PUBLIC, 5)
    assert readers
    assert threading.main_thread() not in readers


async def test_the_log_parses_only_what_it_shows(field: Games, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(5):
        await field.actions.act_by_kind(CHANNEL, ANNA, "hex", {"unit": "r1", "value": 3}, interaction=100 + number)
        await field.actions.act_by_kind(
            CHANNEL, CARL, "fight", {"unit": "b1", "secret": True}, interaction=200 + number
        )
        await field.actions.act_by_kind(CHANNEL, BEN, "march", {"unit": "r1"}, interaction=300 + number)
    parsed = []

    def read(row: Any, ruleset: Any) -> Entry:
        parsed.append(row.seq)
        return read_entry(row, ruleset)

    monkeypatch.setattr(journals, "read_entry", read)
    kinds = {
        viewer: [entry.kind for entry in await read_log(field, CHANNEL, viewer, 3)]
        for viewer in (UMPIRE, "blue", PUBLIC)
    }
    assert kinds == {UMPIRE: ["hex", "fight", "march"], "blue": ["march", "fight", "march"], PUBLIC: ["march"] * 3}
    assert len(parsed) == 9


@pytest.mark.parametrize("viewer", ["Blue", "blu", "lue", "blue\nred", "\n", "", "%", "_lue"])
async def test_a_viewer_with_a_similar_name_cannot_read_an_entry(field: Games, viewer: str) -> None:
    played = await field.actions.act_by_kind(CHANNEL, CARL, "fight", {"unit": "b1", "secret": True}, interaction=10)
    assert played.entry.seq not in {entry.seq for entry in await read_log(field, CHANNEL, viewer, 0)}
    assert played.entry.seq in {entry.seq for entry in await read_log(field, CHANNEL, "blue", 0)}
