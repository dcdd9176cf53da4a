"""Dispatches in the chat: written and read privately, told as they arrive, and open once the campaign is over."""

from cogs.dispatch_list import dispatches_in_words
from rules.campaign.intelligence import Dispatch
from rules.campaign.model import CampaignState
from rules.core.model import PUBLIC
from rules.core.state import Verdict

from .rooms import room_messages
from .table import Table, text

GLYN, WOOD, NTSHINGWAYO = "British under Glyn", "British under Wood", "Zulus under Ntshingwayo"
TEXT = "Come to **Utrecht** @everyone https://example.org"


async def begin(table: Table, knowledge: str = "own") -> None:
    """Start a campaign with two British commands and a Zulu one in people's hands; each knows its own."""
    await table.give(table.umpire, "game new", rules="campaign", scenario="zululand-1879")
    await table.give(table.umpire, "umpire option", name="knowledge", value=knowledge)
    await table.give(table.british, "game join", side=GLYN)
    await table.give(table.onlooker, "game join", side=WOOD)
    await table.give(table.mahdist, "game join", side=NTSHINGWAYO)


async def dispatch(table: Table) -> Dispatch:
    """Return the newest dispatch of the game as it truly stands."""
    state = (await table.env.bot.games.running_game(table.channel.id)).state
    assert isinstance(state, CampaignState)
    return state.dispatches[-1]


async def test_a_dispatch_is_written_privately(table: Table) -> None:
    await begin(table)
    messages = len(table.channel.history())
    answer = await table.give(table.british, "campaign dispatch", to=WOOD, text=TEXT, with_sightings=True)
    assert "The British under Glyn write to the British under Wood." in answer.private_text
    assert "Its rider sets out at the day's end." in answer.private_text
    for formatted in ("**Utrecht**", "@everyone", " https://example.org"):
        assert formatted not in answer.private_text
    assert len(table.channel.history()) == messages
    for reader in (table.onlooker, table.mahdist):
        assert "write to" not in (await table.give(reader, "game log")).text
        assert "You know of no dispatch" in (await table.give(reader, "campaign dispatches")).private_text
    assert "on its way, in 0511 or 0611 or 1219" in (await table.give(table.umpire, "campaign dispatches")).private_text
    own = (await table.give(table.british, "campaign dispatches")).private_text
    assert "Day 1, to the British under Wood" in own
    assert "no word that it arrived" in own
    assert "**Utrecht**" not in own


async def test_what_arrives_is_told_privately_at_the_days_end(table: Table) -> None:
    await begin(table)
    await table.give(table.umpire, "umpire rooms")
    await table.give(table.onlooker, "campaign dispatch", to="Glyn", text="All is **quiet**. All is quiet.")
    for _ in range(9):
        await table.pass_on(table.umpire)
        assert not any("ispatch" in message for message in table.read_by(table.mahdist))
        if (await dispatch(table)).arrived:
            break
    arrived = (await dispatch(table)).arrived
    assert arrived
    assert "All is quiet." in (await table.give(table.umpire, "game log")).text
    log = (await table.give(table.british, "game log")).text
    assert "Dispatch of day 1 from the British under Wood" in log
    assert "All is quiet." not in (await table.give(table.mahdist, "game log")).text
    reply = (await table.give(table.british, "campaign dispatches")).private_text
    assert f"arrived on day {arrived}" in reply
    assert "All is quiet." in reply
    public_text = "\n".join(text(message) for message in room_messages(table, GLYN))
    assert "Dispatch of day 1 from the British under Wood" in public_text
    assert "All is \\*\\*quiet\\*\\*" in public_text
    assert not any("quiet" in text(message) for message in room_messages(table, NTSHINGWAYO))


async def test_receivers_are_completed_and_others_are_refused(table: Table) -> None:
    await begin(table)
    names = await table.complete(table.british, "campaign dispatch", "to", "")
    assert sorted(names) == ["British under Pearson", WOOD]
    assert await table.complete(table.umpire, "campaign dispatch", "to", "") == []
    for name in names:
        assert "write to" in (await table.give(table.british, "campaign dispatch", to=name, text="Hold.")).private_text
    enemy = await table.give(table.british, "campaign dispatch", to=NTSHINGWAYO, text="Give up.")
    assert "No other command of your power is called" in enemy.private_text
    nobody = await table.give(table.umpire, "campaign dispatch", to=WOOD, text="Hold.")
    assert "Only players with a command write dispatches" in nobody.private_text


async def test_shared_knowledge_needs_no_dispatches(table: Table) -> None:
    await begin(table, "shared")
    refused = await table.give(table.british, "campaign dispatch", to=WOOD, text="Hold.")
    assert "no dispatches are needed" in refused.private_text
    assert "CA-7.3" in refused.private_text
    assert "no dispatches are written" in (await table.give(table.british, "campaign dispatches")).private_text


async def test_a_dispatch_is_taken_back_and_others_stay(table: Table) -> None:
    await begin(table)
    await table.give(table.british, "campaign dispatch", to=WOOD, text="Mine.")
    await table.give(table.onlooker, "campaign dispatch", to=GLYN, text="Yours.")
    (preview,) = (await table.give(table.british, "game undo")).private
    before = len(table.channel.history())
    undone = await table.press(table.british, preview, "Take it back")
    assert "Yours" not in undone.private_text
    assert len(table.channel.history()) == before
    assert (await dispatch(table)).text == "Yours."
    assert "You know of no dispatch" in (await table.give(table.british, "campaign dispatches")).private_text
    log = (await table.give(table.onlooker, "game log")).text
    assert "took back" not in log
    assert "taken back" not in log
    assert "puts back" in (await table.give(table.british, "game redo")).private_text
    assert len(table.channel.history()) == before


async def test_the_chief_is_not_told_of_an_undo_that_takes_a_dispatch_back(table: Table) -> None:
    await begin(table)
    await table.give(table.onlooker, "campaign dispatch", to="Pearson", text="Hold.")
    await table.give(table.onlooker, "move", unit="Wood's column", **{"with": "scout"})
    assert "Wood's column" in (await table.give(table.british, "game log")).text, "the chief reads orders"
    (preview,) = (await table.give(table.onlooker, "game undo", steps=2)).private
    assert "takes back" in (await table.press(table.onlooker, preview, "Take it back")).private_text
    assert "took back 2 actions" in (await table.give(table.onlooker, "game log")).text
    assert "took back" not in (await table.give(table.british, "game log")).text


async def test_all_dispatches_are_open_at_the_end(table: Table) -> None:
    await begin(table)
    await table.give(table.british, "campaign dispatch", to=WOOD, text="Open me.")
    state = (await table.env.bot.games.running_game(table.channel.id)).state
    assert isinstance(state, CampaignState)
    assert "Open me." not in dispatches_in_words(state, "ntshingwayo")
    over = state.model_copy(update={"over": Verdict(winner=None, why="It is over.")})
    for viewer in ("ntshingwayo", PUBLIC):
        assert "from the British under Glyn to the British under Wood**: “Open me.”" in dispatches_in_words(
            over, viewer
        )


async def test_what_arrives_at_once_is_told_in_the_receivers_room_alone(table: Table) -> None:
    await begin(table)
    await table.give(table.umpire, "umpire rooms")
    column = (await table.env.bot.games.running_game(table.channel.id)).state.unit("glyn-s-column")
    await table.give(table.umpire, "umpire set", unit="Wood's column", field="at", value=column.at.label)
    before, rooms = len(table.channel.history()), {name: len(room_messages(table, name)) for name in (GLYN, WOOD)}
    answer = await table.give(table.british, "campaign dispatch", to=WOOD, text=TEXT)
    assert "It arrives at once." in answer.private_text
    assert TEXT not in text(room_messages(table, WOOD)[-1])
    assert "Come to \\*\\*Utrecht" in text(room_messages(table, WOOD)[-1])
    assert len(room_messages(table, WOOD)) == rooms[WOOD] + 1
    assert len(table.channel.history()) == before
    assert not any("Utrecht" in text(message) for message in room_messages(table, NTSHINGWAYO)[1:])
    (preview,) = (await table.give(table.british, "game undo")).private
    await table.press(table.british, preview, "Take it back")
    assert "bertie took back 1 action" in text(room_messages(table, WOOD)[-1])
    assert len(table.channel.history()) == before


async def test_a_receiver_takes_its_own_orders_back_and_keeps_what_arrived_since(table: Table) -> None:
    await begin(table)
    column = (await table.env.bot.games.running_game(table.channel.id)).state.unit("glyn-s-column")
    await table.give(table.umpire, "umpire set", unit="Wood's column", field="at", value=column.at.label)
    await table.give(table.onlooker, "move", unit="Wood's column", **{"with": "scout"})
    await table.give(table.british, "campaign dispatch", to=WOOD, text="Mine.")
    (preview,) = (await table.give(table.onlooker, "game undo")).private
    assert "Wood's column" in text(preview)
    assert "write to" not in text(preview)
    undone = await table.press(table.onlooker, preview, "Take it back")
    assert "stays, hold" in (await table.give(table.onlooker, "unit show", unit="Wood's column")).text
    assert "Mine." not in undone.private_text
    assert "Mine." in (await table.give(table.onlooker, "campaign dispatches")).private_text
    for reader, is_told in ((table.onlooker, True), (table.british, False), (table.mahdist, False)):
        status = (await table.give(reader, "campaign status")).private_text
        assert ("1 dispatch since day 1: /campaign dispatches" in status) is is_told
    assert "Wood's column" in (await table.give(table.onlooker, "game redo")).private_text
    assert "Mine." in (await table.give(table.onlooker, "campaign dispatches")).private_text


async def test_a_long_list_of_dispatches_is_cut(table: Table) -> None:
    await begin(table)
    state = (await table.env.bot.games.running_game(table.channel.id)).state
    assert isinstance(state, CampaignState)
    dispatches = [Dispatch(day=day, sender="glyn", to="wood", text=f"{day} " + "x" * 490) for day in range(1, 10)]
    words = dispatches_in_words(state.model_copy(update={"dispatches": tuple(dispatches)}), "glyn")
    assert "“9 " in words.splitlines()[0]
    assert words.endswith("-# 4 older ones: choose their day with `day:`.")
    assert len(words) < 3900


async def test_other_games_have_no_dispatches(table: Table) -> None:
    await table.start()
    for command, options in (("campaign dispatch", {"to": "x", "text": "x"}), ("campaign dispatches", {})):
        assert "This game is no campaign" in (await table.give(table.british, command, **options)).private_text
