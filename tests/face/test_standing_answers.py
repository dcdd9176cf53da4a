"""Standing answers in the chat: set by command or menus, readable by one side, used when the game asks."""

from collections import Counter
from collections.abc import Sequence

import pytest

from bot.games.action_batch import ActionBatch
from bot.journal.game import Actor, Game
from bot.order_sheets import execute, standing
from bot.order_sheets.model import StoredSheet
from bot.runtime.client import UmpireBot
from rules.core.own_turn import is_in_own_turn
from rules.core.report import Prompt
from tests.daily_choice import one_a_day

from .loaded_dice import LoadedDice
from .sheet import PlayersSheet, options
from .table import Answer, Message, Table, labels, text

FIRE, REROLL = "Fire at chargers before a melee", "Re-roll of a failed test by a general"
MARINES = "Royal Marine Light Infantry"


@pytest.fixture
def dice(monkeypatch: pytest.MonkeyPatch) -> LoadedDice:
    return LoadedDice(monkeypatch, default=3)


async def game_of(table: Table) -> Game:
    """Return the game as it stands."""
    assert isinstance(table.env.bot, UmpireBot)
    return await table.env.bot.games.running_game(table.channel.id)


async def open_prompts(table: Table) -> Sequence[Prompt]:
    """Return the open prompts of the game."""
    game = await game_of(table)
    return game.ruleset.open_prompts(game.state)


async def begin_suakin(table: Table) -> None:
    """Begin Suakin with the Amarar in front of the Marines and their general."""
    await table.start(at_once=True)
    await table.give(table.umpire, "umpire set", unit="amarar", field="place", value="43,25,180")


async def charge_marines(table: Table) -> Answer:
    """Have the Amarar charge the Marines."""
    return await table.give(table.mahdist, "move", unit="Amarar", to=f"towards {MARINES}")


async def give_standing_answer(table: Table, when: str, words: str, **fields: str) -> str:
    """Give a standing answer of the British and return the card's text."""
    return (await table.give(table.british, "turn standing", when=when, answer=words, **fields)).private_text


def all_text(messages: Sequence[Message]) -> str:
    """Return the text of all messages."""
    return "\n".join(map(text, messages))


async def test_the_card_lists_occasions_with_their_rule(table: Table) -> None:
    await table.start()
    reply = (await table.give(table.british, "turn standing")).private_text
    assert f"**{FIRE}**: ask me · MM-4.1" in reply
    assert f"**{REROLL}**: ask me · MM-6" in reply


async def test_a_typed_answer_is_on_the_card_and_the_order_sheet(table: Table) -> None:
    await table.start()
    assert f"**{FIRE}**: fire if the chance is at least 25%" in await give_standing_answer(table, FIRE, "at least 25%")
    sheet = PlayersSheet(table, table.british)
    await sheet.open()
    assert f"Standing answers: **{FIRE}**: fire if the chance is at least 25%" in sheet.text


async def test_single_units_may_have_other_answers_than_their_side(table: Table) -> None:
    await table.start()
    await give_standing_answer(table, "fire", "always")
    reply = await give_standing_answer(table, "fire", "never", unit=f"{MARINES}, 1st Berkshires")
    assert f"**{FIRE}**: always fire; {MARINES} and 1st Berkshires: always hold fire" in reply


async def test_the_menus_give_the_same_answers(table: Table) -> None:
    await table.start()
    sheet = PlayersSheet(table, table.british)
    await sheet.open()
    await sheet.press("Standing answers")
    await sheet.choose("Choose what to answer", FIRE)
    await sheet.choose("For whom?", MARINES)
    await sheet.choose("Your answer", "Always hold fire")
    assert f"**{FIRE}**: {MARINES}: always hold fire" in sheet.text
    await sheet.choose("For whom?", "My whole side")
    await sheet.choose("Your answer", "Fire if the chance is at least 50%")
    assert f"**{FIRE}**: fire if the chance is at least 50%" in sheet.text
    assert MARINES not in sheet.text.partition("**Re-roll")[0], "the whole side's answer replaces it"
    assert set(options(sheet.message, "Your answer")) >= {"Always fire", "Always hold fire", "Ask me"}
    await sheet.press("Remove all")
    assert f"**{FIRE}**: ask me" in sheet.text
    await sheet.press("Back to my order sheet")
    assert "### Your order sheet" in sheet.text


async def test_completion_offers_what_is_accepted(table: Table) -> None:
    await table.start()
    for when in await table.complete(table.british, "turn standing", "when"):
        for words in await table.complete(table.british, "turn standing", "answer", when=when):
            assert "⚠" not in await give_standing_answer(table, when, words)


async def test_the_defenders_fire_without_being_asked(table: Table, dice: LoadedDice) -> None:
    await begin_suakin(table)
    await give_standing_answer(table, FIRE, "always")
    reply = all_text((await charge_marines(table)).public)
    assert f"{MARINES} fire at Amarar" in reply
    assert f"<@{table.british.id}>" not in reply, "nobody is mentioned for an answer"


async def test_the_defenders_hold_their_fire_without_being_asked(table: Table, dice: LoadedDice) -> None:
    await begin_suakin(table)
    await give_standing_answer(table, FIRE, "never")
    reply = all_text((await charge_marines(table)).public)
    assert f"{MARINES} hold their fire" in reply


async def test_a_chance_below_the_limit_means_no(table: Table, dice: LoadedDice) -> None:
    await begin_suakin(table)
    await give_standing_answer(table, FIRE, "at least 100%")
    assert f"{MARINES} hold their fire" in all_text((await charge_marines(table)).public)


async def test_the_answer_ask_brings_the_question(table: Table, dice: LoadedDice) -> None:
    await begin_suakin(table)
    await give_standing_answer(table, FIRE, "always")
    await give_standing_answer(table, FIRE, "ask", unit=MARINES)
    labels_shown = [label for message in (await charge_marines(table)).public for label in labels(message)]
    assert any(label.startswith(f"{MARINES} fire at Amarar") for label in labels_shown)


async def test_a_general_re_rolls_by_itself(table: Table, dice: LoadedDice) -> None:
    await begin_suakin(table)
    await table.give(table.umpire, "umpire set", unit="marines", field="casualties", value="8")
    await give_standing_answer(table, REROLL, "always")
    dice.fall(6, 6, 1, 2, 6, 6)
    reply = all_text((await table.give(table.mahdist, "fire", unit="rifles-tokar", target=MARINES)).public)
    assert "2D6 1 2" in reply
    assert "2D6 6 6" in reply, "thrown again"


async def test_after_an_undo_the_player_is_asked_once(table: Table, dice: LoadedDice) -> None:
    await begin_suakin(table)
    await give_standing_answer(table, FIRE, "always")
    await charge_marines(table)
    fired = await table.seq()
    undone = await table.give(table.umpire, "game undo")
    confirm = next(message for message in undone.messages if labels(message))
    await table.press(table.umpire, confirm, labels(confirm)[0])
    game = await game_of(table)
    assert game.seq == fired + 1, "no action was repeated automatically"
    assert "fire before melee" in [prompt.occasion for prompt in game.ruleset.required_prompts(game.state)]


async def test_only_the_own_side_reads_standing_answers(table: Table) -> None:
    await table.start()
    before = len([*table.read_by(table.onlooker)])
    await give_standing_answer(table, FIRE, "at least 27%")
    for actor in (table.mahdist, table.onlooker):
        assert len([*table.read_by(actor)]) == before
        for command in ("game status", "turn status", "game log", "game since"):
            assert "27%" not in (await table.give(actor, command)).text
    assert "27%" not in (await table.give(table.mahdist, "turn standing")).private_text
    assert "onlook" in (await table.give(table.onlooker, "turn standing")).private_text.casefold().replace(
        "looking on", "onlook"
    )


async def test_contradicting_answers_of_two_players_bring_the_question(table: Table, dice: LoadedDice) -> None:
    await begin_suakin(table)
    await table.give(table.onlooker, "game join", side="british")
    await give_standing_answer(table, FIRE, "always")
    await table.give(table.onlooker, "turn standing", when=FIRE, answer="never")
    labels_shown = [label for message in (await charge_marines(table)).public for label in labels(message)]
    assert any(label.startswith(f"{MARINES} fire at Amarar") for label in labels_shown)


async def test_the_brief_lists_standing_answers(table: Table) -> None:
    await table.start()
    await give_standing_answer(table, FIRE, "never")
    brief = (await table.give(table.british, "game brief")).private_text
    assert f"**{FIRE}**: always hold fire" in brief


async def test_a_wrong_answer_is_refused_with_the_valid_answers(table: Table) -> None:
    await table.start()
    assert "Say “always”, “never”, “ask”" in await give_standing_answer(table, FIRE, "maybe")
    assert "There are: Fire at chargers" in await give_standing_answer(table, "supper", "always")
    assert "Fill in when:" in (await table.give(table.british, "turn standing", answer="always")).private_text
    assert "No unit of yours" in await give_standing_answer(table, FIRE, "always", unit="Amarar")


async def test_an_umpire_without_a_side_has_no_standing_answers(table: Table) -> None:
    await table.start()
    assert "for players" in (await table.give(table.umpire, "turn standing")).private_text


async def test_charge_names_the_option_that_disables_an_answer(table: Table) -> None:
    await table.give(table.umpire, "game new", rules="charge", scenario="bridge")
    await table.give(table.british, "game join", side="prussians")
    reply = await give_standing_answer(table, "answering fire", "never")
    assert "/umpire option" in reply
    assert "always answer" in await give_standing_answer(table, "answering fire", "always")


async def test_an_answer_due_before_a_crash_is_given_after_the_restart(table: Table, dice: LoadedDice) -> None:
    await begin_suakin(table)
    await give_standing_answer(table, FIRE, "always")
    assert isinstance(table.env.bot, UmpireBot)
    moves = {"unit": "amarar", "to": "towards marines"}
    await table.env.bot.games.actions.act_by_kind(
        table.channel.id, Actor(table.mahdist.id, "musa"), "move", moves, interaction=10**6
    )
    assert "fire before melee" in [prompt.occasion for prompt in await open_prompts(table)], (
        "killed before anything followed"
    )
    await table.restart()
    await table.env.settle()
    assert "fire before melee" not in [prompt.occasion for prompt in await open_prompts(table)]
    assert any(f"{MARINES} fire at Amarar" in text_read for text_read in table.read_by(table.onlooker))


BATTLES = {
    "suakin-1885": ("magdala", ("british", "mahdists"), ("all infantry: hold", "all: towards 1st Berkshires")),
    "el-teb-1884": ("empire", ("british", "mahdists"), ("all: forward 3", "all: towards Royal Marines")),
    "bridge": ("charge", ("prussians", "austrians"), ("Itzenplitz: fire Browne", "Browne: fire Itzenplitz")),
}
TURNS = 6
MOST_PARTS = 3 * TURNS


@pytest.fixture
def answer_counts(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """A counter of actions that standing answers did for a side outside its turn, by kind."""
    counts: Counter[str] = Counter()
    answer_prompts = standing.apply_standing_answers

    def count_actions(series: ActionBatch, sheet: StoredSheet, most: int) -> bool:
        state, before = series.game.state, len(series.entries)
        own = state.active == sheet.side and is_in_own_turn(series.game.ruleset, state, sheet.side)
        result = answer_prompts(series, sheet, most)
        counts.update(() if own else (entry.entry.kind for entry in series.entries[before:]))
        return result

    monkeypatch.setattr(execute, "apply_standing_answers", count_actions)
    return counts


@pytest.mark.parametrize("scenario", one_a_day([*BATTLES]))
async def test_standing_answers_let_turns_pass_without_questions(
    table: Table, scenario: str, answer_counts: Counter[str]
) -> None:
    rules, sides, orders = BATTLES[scenario]
    await table.give(table.umpire, "game new", rules=rules, scenario=scenario)
    players = dict(zip(sides, (table.british, table.mahdist), strict=True))
    lines = dict(zip(sides, orders, strict=True))
    occasions = (await game_of(table)).ruleset.occasions.values()
    for side, player in players.items():
        await table.give(player, "game join", side=side)
        for occasion in occasions:
            await table.give(player, "turn standing", when=occasion.title, answer="always")
    if scenario == "bridge":
        await table.give(table.umpire, "umpire set", unit="Itzenplitz", field="place", value="28,18")
        await table.give(table.umpire, "umpire option", name="answers at once", value="no")
    for _ in range(MOST_PARTS):
        game = await game_of(table)
        if game.state.over is not None or game.state.turn > TURNS // 2:
            break
        side = game.state.acting_sides[0]
        sheet = PlayersSheet(table, players[side])
        await sheet.open(lines[side])
        if "☐ End my turn when done" in sheet.labels:
            await sheet.press("☐ End my turn when done")
        await sheet.press(next(label for label in sheet.labels if label.startswith(("Do all", "Pass on"))))
        game = await game_of(table)
        open_prompts_left = [
            prompt for prompt in game.ruleset.open_prompts(game.state) if prompt.side not in game.state.acting_sides
        ]
        assert not open_prompts_left, "nothing is asked of the side whose turn it is not"
    assert answer_counts, "the standing answer was used"
