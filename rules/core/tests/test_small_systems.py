"""The two small systems of CONTRIBUTING.md, one on each frame, played by their contract alone."""

import re
from pathlib import Path
from typing import Any

import pytest

from render import scenes
from rules.core.own_battles import require_own_battles
from rules.core.report import Report
from rules.core.ruleset import Refused, Ruleset, describe_tally
from rules.core.state import State
from rules.core.tests.scripted import ScriptedDice

from .raid.ruleset import FightType, RaidRuleset
from .skirmish.ruleset import SkirmishRuleset

HERE = Path(__file__).parent
MOST_LINES = 150
SKIRMISH, RAID = SkirmishRuleset(), RaidRuleset()
BOTH = pytest.mark.parametrize("system", [SKIRMISH, RAID], ids=lambda system: system.id)


def begin(system: Ruleset[Any]) -> Any:
    return system.setup(next(iter(system.scenarios)), {}, ScriptedDice([]))


def perform(system: Ruleset[Any], state: State, kind: str, *dice: int, **args: Any) -> tuple[Any, Report]:
    return system.act(state, system.parse(kind, args), ScriptedDice([*dice]))


def refusal(system: Ruleset[Any], state: State, kind: str, **args: Any) -> str:
    with pytest.raises(Refused) as refused:
        perform(system, state, kind, **args)
    return refused.value.why


@BOTH
def test_a_small_system_is_read_on_a_page(system: Ruleset[Any]) -> None:
    assert len((HERE / system.id / "ruleset.py").read_text(encoding="utf-8").splitlines()) < MOST_LINES


def test_contributing_quotes_the_systems() -> None:
    guide = (HERE.parents[2] / "CONTRIBUTING.md").read_text(encoding="utf-8")
    systems = [(HERE / system.id / "ruleset.py").read_text(encoding="utf-8") for system in (SKIRMISH, RAID)]
    excerpts = re.findall(r"```python\n(.*?)```", guide, re.DOTALL)
    assert len(excerpts) == 5
    assert [excerpt for excerpt in excerpts if not any(excerpt in system for system in systems)] == []


@BOTH
def test_offered_actions_can_be_done_drawn_and_stored(system: Ruleset[Any]) -> None:
    state = begin(system)
    for _ in range(4):
        for action in system.legal_actions(state, state.active):
            after, report = system.act(state, action, ScriptedDice([1] * 9))
            assert report.headline
            assert system.read_state(system.write_state(after)) == after
        system.require_valid_state(after)
        assert scenes.draw(system.scene(after, after.active, state)).startswith(b"\x89PNG")
        state, _ = perform(system, after, "turn_next")
    assert [card.name for card in system.roster(state, state.active)]


@BOTH
def test_optional_parts_of_a_system_are_empty(system: Ruleset[Any]) -> None:
    state = begin(system)
    answers = (
        describe_tally(system, state),
        system.lacks_hidden_facts,
        system.next_automatic_action(state),
        system.explain,
    )
    assert answers == ("", None, None, None)
    assert (system.prompts(state), state.acting_sides) == ((), ("red",))


def test_system_without_own_scenarios_says_so() -> None:
    system = RAID
    with pytest.raises(Refused, match=f"{system.title} takes no scenarios of your own"):
        require_own_battles(system)


def test_a_table_from_outside_is_looked_at_as_a_table() -> None:
    SKIRMISH.require_valid_state(begin(SKIRMISH))
    with pytest.raises(Refused, match=r"a table has .* inches"):
        SKIRMISH.require_valid_state(begin(SKIRMISH).model_copy(update={"width": 1.0}))


def test_unknown_scenario_is_refused_with_the_known_ones() -> None:
    with pytest.raises(Refused, match=f"^Skirmish has no scenario “{'z' * 40}”. It has: "):
        SKIRMISH.setup("z" * 41, {}, ScriptedDice([]))


@BOTH
def test_chances_add_up(system: Ruleset[Any]) -> None:
    state, kind = (near_the_ford(), "fight") if system is RAID else (begin(system), "fire")
    action = next(action for action in system.legal_actions(state, "red", kind))
    assert sum(outcome.chance for outcome in system.odds(state, action).outcomes) == 1


def test_a_company_marches_as_far_as_it_may_and_once_a_turn() -> None:
    state, report = perform(SKIRMISH, begin(SKIRMISH), "move", unit="a", to="towards B Company 3")
    assert report.headline == 'A Company march 3".'
    assert state.unit("a").place.point == (33, 34)
    assert refusal(SKIRMISH, state, "move", unit="a", to="forward 3") == "A Company cannot act now."
    state, _ = perform(SKIRMISH, state, "turn_next")
    assert (state.turn, state.active) == (1, "blue")
    assert "cannot act" in refusal(SKIRMISH, state, "move", unit="b", to="forward 3")


def test_button_names_unit_action_and_target() -> None:
    state = begin(SKIRMISH)
    types = {kind: SKIRMISH._types[kind] for kind in ("move", "fire")}
    assert types["move"].label(state, SKIRMISH.parse("move", {"unit": "a", "to": "C3"})) == "A Company march C3"
    fire = SKIRMISH.parse("fire", {"unit": "a", "target": "p"})
    assert SKIRMISH.label(state, fire) == "A Company fire at Picket"
    with pytest.raises(Refused, match="cannot act"):
        SKIRMISH.label(state, SKIRMISH.parse("fire", {"unit": "p", "target": "a"}))
    assert types["fire"].label(state, fire) == "A Company fire at Picket"


def test_a_company_does_not_march_into_contact() -> None:
    state = begin(SKIRMISH)
    picket = state.unit("p")
    near = state.with_unit(picket.model_copy(update={"place": picket.place.model_copy(update={"x": 30, "y": 30})}))
    why = refusal(SKIRMISH, near, "move", unit="a", to="forward 6")
    assert why == "A Company do not move into contact: Picket are there."


def test_destinations_of_a_company_are_squares_in_reach_and_units() -> None:
    state = begin(SKIRMISH)
    gone = state.with_unit(state.unit("x").model_copy(update={"men": 0}))
    everywhere = ("forward 6", "C3", "towards B Company", "towards Picket", "towards Farm")
    assert SKIRMISH.places.destinations(gone, "red", "a") == everywhere


def test_company_fires_and_the_destroyed_army_loses() -> None:
    state, report = perform(SKIRMISH, begin(SKIRMISH), "fire", 5, 6, 1, 4, unit="a", target="p")
    assert (state.unit("p").men, report.headline) == (4, "A Company fire at Picket: 2 hits.")
    assert refusal(SKIRMISH, state, "fire", unit="b", target="x") == 'X Company is beyond 12".'
    state, report = perform(SKIRMISH, state, "fire", 6, 6, 6, 6, unit="b", target="p")
    assert state.over.winner == "red"
    assert report.whole_outcome == "The game ends. The Red won. With half their units gone, the Blue are broken."


def near_the_ford() -> Any:
    state = begin(RAID)
    state, _ = perform(RAID, state, "move", unit="0101", to="The ford")
    state, _ = perform(RAID, state, "turn_next")
    return perform(RAID, state, "turn_next")[0]


def test_a_band_moves_along_the_map_within_its_pace() -> None:
    state, report = perform(RAID, begin(RAID), "move", unit="0101", to="The ford")
    assert report.headline == "Band 0101 move to 0402 (The ford)."
    assert state.unit("0101").at.label == "0402"
    assert "costs 7 MF, and 3 are left" in refusal(RAID, begin(RAID), "move", unit="0103", to="0602")
    assert "bars it" in refusal(RAID, state, "move", unit="0103", to="0301")
    assert refusal(RAID, begin(RAID), "move", unit="0103", to="0103") == "Band 0103 are in 0103 already."


def test_attack_shows_its_chance() -> None:
    class Hopeful(FightType):
        says_hope = True

    state, fight = near_the_ford(), RAID.parse("fight", {"unit": "0101", "target": "0502"})
    assert [action_type.label(state, fight) for action_type in (FightType(), Hopeful())] == [
        "Attack by Band 0101: 50.0%",
        "Attack by Band 0101: 50.0% to drive them off",
    ]


def test_a_band_drives_off_another_next_to_it_or_is_held() -> None:
    state = near_the_ford()
    assert "no enemy next to" in refusal(RAID, state, "fight", unit="0101", target="0603")
    after, _ = perform(RAID, state, "fight", 3, unit="0101", target="0502")
    assert after.unit("0502").on_map
    gone, report = perform(RAID, state, "fight", 4, unit="0101", target="0502")
    assert (gone.unit("0502").at, report.headline) == (None, "Band 0101 drive off Band 0502.")
    last = gone.with_unit(gone.unit("0603").model_copy(update={"at": None}))
    over, report = perform(RAID, last, "turn_next")
    assert over.over.winner == "red"
    assert (report.headline, report.whole_outcome) == ("The game ends.", f"{over.result}. {over.over.why}")
