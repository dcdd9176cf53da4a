"""Games without positions, played on a real table, in every system in inches: no place is known or needed."""

from typing import Any

import pytest

from bot.jobs.pictures import looks_different
from rules.core.dice import NoDice
from rules.core.model import UMPIRE
from rules.core.refusal import Refused
from rules.core.ruleset import Ruleset
from rules.core.state import Action
from rules.core.tabletop.battle import TableState
from rules.core.turn_end import units_able_to_act
from rules.registry import rulesets

from .daily_choice import one_a_day
from .fuzz import RandomDice, get_daily_seed
from .random_play_without_positions import NO_POSITIONS, play_randomly, set_up_without_positions

SYSTEMS = [system for system in rulesets().values() if system.bare_tables is not None]
BY_ID = pytest.mark.parametrize("system", SYSTEMS, ids=[system.id for system in SYSTEMS])
ONE_OF_EACH = [
    pytest.param(system, *name.values, marks=name.marks, id=f"{system.id}-{name.values[0]}")
    for system in SYSTEMS
    for name in one_a_day(list(system.scenarios))
]
SUAKIN, EL_TEB, BRIDGE = ("magdala", "suakin-1885"), ("empire", "el-teb-1884"), ("charge", "bridge")


def set_up_battle(battle: tuple[str, str]) -> tuple[Ruleset[Any], TableState[Any]]:
    system = rulesets()[battle[0]]
    return system, set_up_without_positions(system, battle[1])


def perform(system: Ruleset[Any], state: Any, kind: str, **args: Any) -> Any:
    return system.act(state, system.parse(kind, args), NoDice())[0]


def get_refusal(system: Ruleset[Any], state: Any, kind: str, **args: Any) -> str:
    with pytest.raises(Refused) as refused:
        perform(system, state, kind, **args)
    return str(refused.value)


@BY_ID
def test_every_battle_begins_with_nobody_placed_and_no_ground(system: Ruleset[Any]) -> None:
    for scenario in system.scenarios:
        with_positions, without = system.setup(scenario, {}, NoDice()), set_up_without_positions(system, scenario)
        assert with_positions.keeps_positions
        assert not without.keeps_positions
        assert {*without.every_unit} == {*with_positions.every_unit}
        assert not without.terrain
        assert all(unit.place is None for unit in without.every_unit.values())
        assert system.setup(scenario, {"positions": " Kept"}, NoDice()) == with_positions


@BY_ID
def test_positions_are_kept_or_none(system: Ruleset[Any]) -> None:
    with pytest.raises(Refused, match="positions: “maybe” is none of kept and none"):
        system.setup(next(iter(system.scenarios)), {"positions": "maybe"}, NoDice())


@pytest.mark.parametrize(("system", "scenario"), ONE_OF_EACH)
def test_a_battle_is_played_by_answers_of_people(system: Ruleset[Any], scenario: str) -> None:
    _, kinds = play_randomly(system, scenario, get_daily_seed(), 60)
    assert kinds["move"] or kinds["fire"]


@pytest.mark.soak
@pytest.mark.parametrize("seed", [1, get_daily_seed()])
@pytest.mark.parametrize(("system", "scenario"), [(system, name) for system in SYSTEMS for name in system.scenarios])
def test_a_battle_is_played_to_its_end_by_answers_of_people(system: Ruleset[Any], scenario: str, seed: int) -> None:
    state, kinds = play_randomly(system, scenario, seed, 2000)
    assert state.over is not None
    assert kinds["fire"]


@pytest.mark.parametrize(
    ("battle", "side", "fields", "words"),
    [
        (SUAKIN, "british", ("range",), 6),
        (SUAKIN, "mahdists", ("range",), 0),  # whose targets stand behind a zareba, as the list has it
        (EL_TEB, "british", ("range", "dice"), 0),  # at guns in works, as the list has it
        (EL_TEB, "mahdists", ("range", "dice"), 3),
        (BRIDGE, "prussians", ("range", "dice"), 1),
    ],
)
def test_fire_asks_how_far_and_what_covers_the_target(
    battle: tuple[str, str], side: str, fields: tuple[str, ...], words: int
) -> None:
    system, state = set_up_battle(battle)
    state = _advance_to_fire(system, state.model_copy(update={"active": side}))
    action = next(action for action in system.unmeasured_actions(state, state.active, "fire"))
    facts = system.facts_to_ask(state, action)
    assert facts is not None
    assert facts.fields == fields
    assert facts.needed == ("range",)
    assert len(facts.words) == words
    assert facts.why.startswith("How far is ")
    action_at_range = system.parse("fire", {**action.model_dump(exclude_defaults=True), "range": 3})
    remaining = system.facts_to_ask(state, action_at_range)
    assert remaining is None or not remaining.needed


def _advance_to_fire(system: Ruleset[Any], state: Any) -> Any:
    """Return the state in its side's fire phase, if the system has one."""
    phase = {"empire": "rifle and machine gun fire", "charge": "fire"}.get(system.id)
    return state if phase is None or system.phases is None else system.phases.suppose_phase(state, phase, state.active)


def test_a_unit_that_needs_a_range_to_fire_can_still_act() -> None:
    system, state = set_up_battle(EL_TEB)
    assert "marines" in units_able_to_act(system, _advance_to_fire(system, state), ["british"])


def test_with_positions_nothing_is_asked() -> None:
    system = rulesets()["magdala"]
    state = system.setup("suakin-1885", {}, NoDice())
    assert not [*system.unmeasured_actions(state, UMPIRE)]
    assert all(system.facts_to_ask(state, action) is None for action in system.legal_actions(state, UMPIRE))


def test_a_move_into_contact_asks_how_far_off_the_enemy_is() -> None:
    system, state = set_up_battle(SUAKIN)
    action = system.parse("move", {"unit": "amarar", "to": "towards berkshires", "with": "into contact"})
    facts = system.facts_to_ask(state, action)
    assert facts is not None
    assert facts.needed == ("to",)
    assert action in [*system.unmeasured_actions(state, "mahdists", "move", "amarar")]


def test_a_test_without_unknown_facts_is_thrown_at_once() -> None:
    system, state = set_up_battle(SUAKIN)
    morale = system.parse("morale", {"unit": "amarar", "with": "umpire's call"})
    assert system.knows_all_facts(state, morale)
    state = perform(system, state, "add_unit", troop="Imam", side="mahdists", name="Imam")
    assert not system.knows_all_facts(state, morale)
    facts = system.facts_to_ask(state, morale)
    assert facts is not None
    assert facts.words == ("imam",)


@BY_ID
@pytest.mark.parametrize(
    ("kind", "args"),
    [
        ("set", {"field": "place", "value": "C3"}),
        ("terrain_add", {"feature": "hill", "shape": "ellipse", "at": "C2", "size": "12 x 8"}),
    ],
)
def test_nothing_is_put_anywhere(system: Ruleset[Any], kind: str, args: dict[str, str]) -> None:
    state = set_up_without_positions(system, next(iter(system.scenarios)))
    unit = {"unit": next(iter(state.units))} if kind == "set" else {}
    fields = system.actions[kind].model_fields
    present = {name: value for name, value in {**args, **unit}.items() if name in fields}
    assert "No positions are kept in this game" in get_refusal(system, state, kind, **present)


@BY_ID
def test_an_own_battle_is_set_up_of_lists_and_begins_without_a_place(system: Ruleset[Any]) -> None:
    state: Any = system.own_battles.set_up(system.bare_tables.make_document({}, "Own"), NO_POSITIONS, NoDice())
    assert "the British have no units" in get_refusal(system, state, "begin")
    (first, second), (side, second_side) = list(system.bare_tables.army_book.army_list_titles)[:2], state.sides
    state = perform(system, state, "muster", side=side.id, battle=first)
    line = f"20 {next(iter(system.troops.values())).name}: Old Guard"
    state = perform(
        system, perform(system, state, "muster", side=second_side.id, battle=second), "muster", side=side.id, lines=line
    )
    unit = next(iter(state.units))
    assert "/army add, /army write" in get_refusal(system, state, "deploy", unit=unit, to="C3")
    assert "Put units where they are to stand" not in get_refusal(system, state, "fire", unit=unit, target=unit)
    state = perform(system, state, "begin")
    assert state.setting_up is None
    assert all(unit.place is None for unit in state.units.values())


@BY_ID
def test_the_umpire_decides_who_holds_an_objective(system: Ruleset[Any]) -> None:
    state = set_up_without_positions(
        system, next(name for name in system.scenarios if set_up_without_positions(system, name).objectives)
    )
    state = state.model_copy(update={"turn": (state.turn_limit or 0) + 1})
    taker = state.objectives[0].side
    (prompt,) = system.open_prompts(state)
    assert prompt.text.startswith("The last turn is over. Who holds ")
    assert (prompt.side, system.awaited_viewers(state)) == (UMPIRE, frozenset({UMPIRE}))
    assert not [*system.legal_actions(state, state.active)]
    assert "the umpire says who holds the ground" in get_refusal(system, state, "turn_next")
    answers = [_execute(system, state, system.parse(offer.kind, offer.args)) for offer in prompt.offers]
    assert [answer.over.winner == taker for answer in answers] == [True, False]
    assert all(answer.over.winner is not None for answer in answers)
    system.require_valid_state(answers[0])


def _execute(system: Ruleset[Any], state: Any, action: Action) -> Any:
    assert system.side_of(state, action) == UMPIRE
    return system.act(state, action, NoDice())[0]


@BY_ID
def test_a_game_knows_whether_it_keeps_positions(system: Ruleset[Any]) -> None:
    scenario = next(iter(system.scenarios))
    assert system.setup(scenario, {}, NoDice()).keeps_positions
    assert not set_up_without_positions(system, scenario).keeps_positions


@BY_ID
def test_a_place_from_outside_is_refused(system: Ruleset[Any]) -> None:
    with_positions = system.setup(next(iter(system.scenarios)), {}, NoDice())
    wrong = with_positions.model_copy(update={"choices": {**with_positions.choices, **NO_POSITIONS}})
    with pytest.raises(Refused, match="No positions are kept in this game"):
        system.require_valid_state(wrong)


@BY_ID
def test_a_game_without_positions_is_not_saved_as_a_battle(system: Ruleset[Any]) -> None:
    state = set_up_without_positions(system, next(iter(system.scenarios)))
    with pytest.raises(Refused, match="A battle's file says where everyone stands"):
        system.own_battles.write(state, "own", "Own")


def test_a_board_changes_with_any_unit() -> None:
    system, state = set_up_battle(SUAKIN)
    assert not looks_different(system, state, state)
    assert looks_different(system, state.changed("amarar", casualties=3), state)


def test_army_lists_with_choices_work_without_positions() -> None:
    system, state = set_up_battle(("magdala", "north-west-frontier"))
    state = perform(system, state, "choose", name="battalions", value="Indian")
    assert state.choices["battalions"] == "Indian"
    assert not state.keeps_positions
    assert all(unit.place is None for unit in state.units.values())


def test_answering_fire_is_offered_and_asks_how_far() -> None:
    system, state = set_up_battle(BRIDGE)
    state = _advance_to_fire(system, state)
    shot = next(
        action
        for action in system.unmeasured_actions(state, "prussians", "fire")
        if state.units[action.unit or ""].arm == "infantry"
    )
    fired = system.parse("fire", {**shot.model_dump(exclude_defaults=True), "range": 2})
    state, _ = system.act(state, fired, RandomDice(3))
    state, _ = system.act(state, system.parse("turn_next", {}), RandomDice(3))
    answer = next(prompt for prompt in system.open_prompts(state) if prompt.key.startswith("answer:"))
    (offer,) = answer.offers
    facts = system.facts_to_ask(state, system.parse(offer.kind, offer.args))
    assert offer.label.endswith(": how far?")
    assert facts is not None
    assert facts.needed == ("range",)


def test_hidden_troops_without_positions_show_themselves_by_acting() -> None:
    system, state = set_up_battle(SUAKIN)
    state = perform(system, state, "option", name="hidden_troops", value="yes")
    assert "no markers lie anywhere here" in get_refusal(system, state, "hide", unit="amarar", marker=True)
    state = perform(system, state, "hide", unit="rifles-hashin")
    assert "rifles-hashin" not in system.view(state, "british").units
    shot = {"unit": "rifles-hashin", "target": "5th-lancers"}
    assert system.facts_to_ask(system.view(state, "mahdists"), system.parse("fire", shot)) is not None
    state, report = system.act(state, system.parse("fire", {**shot, "range": 9}), RandomDice(1))
    assert "have lain hidden, and Riflemen of Hashin show themselves" in report.steps[0].text
    assert "rifles-hashin" in system.view(state, "british").units


def test_charge_refuses_a_wrong_number_of_dice_before_the_throw() -> None:
    system = rulesets()["charge"]
    state = system.setup("bridge", {}, NoDice())
    state = perform(system, state, "set", unit="itzenplitz", field="place", value="36,24 facing 180")
    state = perform(system, state, "set", unit="browne", field="place", value="36,28 facing 0")
    state = _advance_to_fire(system, state)
    may = system.odds(state, system.parse("fire", {"unit": "itzenplitz", "target": "browne"}))
    assert may.steps
    why = get_refusal(system, state, "fire", unit="itzenplitz", target="browne", dice=9)
    assert "by the places kept here, and 9 are given. Leave “dice” out." in why
