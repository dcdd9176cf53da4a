"""What the umpire changes by hand: columns in battles, reinforcements, new columns, and who is told."""

from typing import Any

from rules.campaign.columns import Arrival
from rules.campaign.model import CampaignState
from rules.campaign.news import gazette_lines, state_for_public_map
from rules.campaign.scenarios import SCENARIOS
from rules.core.model import PUBLIC, UMPIRE
from rules.core.report import Report
from rules.core.tests.scripted import ScriptedDice

from .country import OPEN, at, country, day, hex_at, make_map
from .worlds import SYSTEM


def correct(state: CampaignState, kind: str, **args: Any) -> tuple[CampaignState, Report]:
    """Carry out a correction; no dice are thrown."""
    return SYSTEM.act(state, SYSTEM.parse(kind, args), ScriptedDice(()))


def put(state: CampaignState, unit: str, label: str) -> CampaignState:
    """Put a column into a hex."""
    return correct(state, "set", unit=unit, field="place", value=label)[0]


def battle() -> CampaignState:
    """Return a battle of three columns in 0204, and a fourth column elsewhere."""
    lines = ["blue foot 0203 attack via:0204", "red foot 0204", "red foot 0204", "blue foot 0703"]
    return day(country(make_map(OPEN), *lines))[0]


def test_a_column_that_is_moved_away_leaves_its_battle() -> None:
    state = put(battle(), "red-foot-2", "0607")
    (open_battle,) = state.battles.values()
    assert open_battle.columns == ("blue-foot", "red-foot")
    assert state.is_free(state.unit("red-foot-2"))


def test_a_column_that_is_put_into_a_battles_hex_takes_part() -> None:
    (open_battle,) = put(battle(), "blue-foot-2", "0204").battles.values()
    assert open_battle.columns == ("blue-foot", "red-foot", "red-foot-2", "blue-foot-2")


def test_a_battle_of_one_power_alone_is_over() -> None:
    assert not put(battle(), "blue-foot", "0100").battles
    assert not correct(battle(), "remove_unit", unit="blue-foot")[0].battles
    sides, _ = correct(battle(), "set", unit="blue-foot", field="side", value="Red")
    assert not sides.battles


def test_the_gazette_tells_that_a_correction_ended_a_battle() -> None:
    state, _ = day(put(battle(), "blue-foot", "0100"))
    assert [*gazette_lines(state, 2)] == ["Battle in 0204: ends, nobody holds the field"]
    assert [[*state_for_public_map(state, number).battles] for number in (1, 2)] == [["battle-1-0204"], []]


def test_what_a_power_began_with_follows_a_column_off_the_map_and_to_the_other_power() -> None:
    start = country(make_map(OPEN), "blue foot 0203", "red foot 0807")
    state = start.model_copy(
        update={"powers": tuple(power.model_copy(update={"began_with": 48}) for power in start.powers)}
    )
    off, _ = correct(state, "set", unit="blue-foot", field="at", value="none")
    turned, _ = correct(state, "set", unit="blue-foot", field="side", value="Red")
    for after, began in ((off, [24, 48]), (put(off, "blue-foot", "0204"), [48, 48]), (turned, [24, 72])):
        assert [power.began_with for power in after.powers] == began


def test_a_reinforcement_that_is_put_on_the_map_has_come() -> None:
    state = country(make_map(OPEN), "blue foot 0203", "red foot 0807")
    late = {"id": "late", "name": "late", "at": None, "arrives": Arrival(day=2, at=hex_at("0204"))}
    state = state.with_unit(state.unit("blue-foot").model_copy(update=late))
    state = put(state, "late", "0304")
    assert state.powers[0].began_with == 24
    state, _ = day(state)
    assert (at(state, "late"), state.powers[0].began_with) == ("0304", 24)


def test_a_new_column_is_supplied_and_fights_as_others_of_its_power() -> None:
    state = country(make_map(OPEN), "red foot 0807", "blue foot 0203")
    troops = tuple(unit.model_copy(update={"troop": "rifles"}) for unit in state.unit("blue-foot").troops)
    state = state.changed("blue-foot", troops=troops)
    state, report = correct(state, "add_unit", troop="foot", side="blue", name="Fresh")
    assert state.unit("blue-fresh").supply == 6
    assert [unit.troop for unit in state.unit("blue-fresh").troops] == ["rifles"], "as the foot of its power"
    horse, _ = correct(state, "add_unit", troop="mounted", side="blue", name="Scouts")
    assert [unit.troop for unit in horse.unit("blue-scouts").troops] == ["mounted"]
    assert [report.view_for(viewer) is None for viewer in ("blue", UMPIRE, "red", PUBLIC)] == [False, False, True, True]


def test_only_those_who_know_the_column_read_of_corrections() -> None:
    for kind, args in (("set", {"field": "place", "value": "0304"}), ("remove_unit", {})):
        _, report = correct(battle(), kind, unit="blue-foot-2", **args)
        readers = [viewer for viewer in ("blue", UMPIRE, "red", PUBLIC) if report.view_for(viewer) is not None]
        assert readers == ["blue", UMPIRE]


def test_an_undo_of_a_battles_result_restores_everything() -> None:
    before = battle()
    now, _ = correct(before, "battle_result", battle="", field="Blue", lost="")
    assert SYSTEM.hidden_troops.keep_hidden_facts(before, now, "blue") is before


def test_an_undo_keeps_the_orders_that_a_command_does_not_read() -> None:
    before = country(make_map(OPEN), "blue foot 0203", "red foot 0807")
    now = correct(correct(before, "move", unit="blue-foot", to="0205")[0], "move", unit="red-foot", to="0805")[0]
    after = SYSTEM.hidden_troops.keep_hidden_facts(before, now, "blue")
    assert (after.unit("blue-foot"), after.unit("red-foot")) == (before.unit("blue-foot"), now.unit("red-foot"))
    assert (after.wrote, after.done) == (("red",), ())


def test_a_campaigns_file_names_wrong_options_and_names_with_commas() -> None:
    entry = SCENARIOS.all["suakin-1884"]
    first = entry.powers[0]
    wrong = first.model_copy(update={"values": {"points_foot": 99, "wings": 1, "knowledge": 2}})
    faults = [*entry.model_copy(update={"powers": (wrong, entry.powers[1])}).faults()]
    assert [fault.split(":")[:2] for fault in faults] == [
        ["British", " there is no option wings; the nearest"],
        ["British", " points_foot"],
        ["British", " knowledge"],
    ]
    comma = first.model_copy(update={"commands": (first.commands[0].model_copy(update={"name": "Graham, Sir"}),)})
    assert [*entry.model_copy(update={"powers": (comma, entry.powers[1])}).faults()] == [
        "Graham, Sir: comma, semicolon and colon separate names; leave them out"
    ]
