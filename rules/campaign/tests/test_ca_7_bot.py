"""The bot writes and reads dispatches (CA-7)."""

from rules.campaign.dispatches import WriteDispatch
from rules.campaign.estimates import enemy_worth_near
from rules.campaign.model import CampaignState
from rules.campaign.options import Knowledge
from rules.campaign.scouting_reports import unreported_enemy_hexes, value_of_missing_reports
from rules.core.automaton.levels import Level
from rules.core.automaton.opponent import DecisionMaker
from rules.core.automaton.own_dice import SeededDice
from rules.core.state import Action

from .country import OPEN, hex_at, make_map
from .dispatch_desk import campaign, carrying, end_day, seen_on, write
from .worlds import SYSTEM


def decisions(state: CampaignState, side: str) -> tuple[CampaignState, list[Action]]:
    """Let the bot decide for a command until it is ready."""
    chooser, actions = DecisionMaker(SYSTEM, side, Level.EASY, "seed"), list[Action]()
    while side in state.acting_sides:
        thought = chooser.decide(state)
        assert thought is not None
        actions.append(thought.action)
        state, _ = SYSTEM.act(state, thought.action, SeededDice("x"))
    return state, actions


def test_the_bot_tells_the_commands_of_its_power_of_new_enemies_once() -> None:
    lines = ("green horse 0103 rest", "blue foot 0901", "red foot 0303:40", "red foot 0907")
    state = campaign(make_map(OPEN), *lines, points=["Home 0103 blue base", "There 0907 red base"])
    state, actions = decisions(state, "green")
    dispatches = [action for action in actions if isinstance(action, WriteDispatch)]
    assert [(action.to, action.with_sightings) for action in dispatches] == [("blue", True), ("grey", True)]
    assert {dispatch.text for dispatch in state.dispatches} == {"We see a force in 0303."}
    state = state.model_copy(update={"done": ()})
    assert not [action for action in decisions(state, "green")[1] if isinstance(action, WriteDispatch)]


def test_the_bot_tells_of_the_same_enemies_again_after_two_days() -> None:
    state = campaign(make_map(OPEN), "green horse 0103", "blue foot 0901", "red foot 0303:40", turn=5)
    report = carrying({"0304": seen_on(3)}).model_copy(update={"sender": "green", "to": "blue"})

    def told_on(day: int) -> CampaignState:
        return state.model_copy(update={"dispatches": (report.model_copy(update={"day": day}),)})

    assert not unreported_enemy_hexes(told_on(5), "green", "blue")
    assert not unreported_enemy_hexes(told_on(4), "green", "blue")
    assert unreported_enemy_hexes(told_on(3), "green", "blue") == [hex_at("0303")]
    assert unreported_enemy_hexes(told_on(4), "green", "grey") == [hex_at("0303")]


def test_the_bot_does_not_report_parties_nor_where_knowledge_is_shared() -> None:
    lines = ("green horse 0103", "blue foot 0901", "red foot 0303:30", "red foot 0907")
    state = campaign(make_map(OPEN), *lines)
    assert not unreported_enemy_hexes(state, "green", "blue")
    assert unreported_enemy_hexes(campaign(make_map(OPEN), *lines[:2], "red foot 0303:31"), "green", "blue") == [
        hex_at("0303")
    ]
    shared = campaign(make_map(OPEN), *lines[:2], "red foot 0303:31", knowledge=Knowledge.SHARED)
    assert not unreported_enemy_hexes(shared, "green", "blue")
    assert value_of_missing_reports(shared, "green") == 0


def test_the_bot_judges_by_what_dispatches_tell_it() -> None:
    state = campaign(make_map(OPEN), "blue horse 0103", "green foot 0503", "red foot 0303:90", "red foot 0907")
    state, _ = write(state, "blue", "Green", with_sightings=True)
    assert enemy_worth_near(SYSTEM.view(state, "green"), "green", hex_at("0303")) == 0
    state, _ = end_day(state)
    assert enemy_worth_near(SYSTEM.view(state, "green"), "green", hex_at("0303")) > 0
