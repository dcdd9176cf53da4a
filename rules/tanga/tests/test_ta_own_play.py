"""Tests of a player's own game: set up from a file, played by the card, resolved by the player's box."""

import json

import pytest

from rules.core.hexboard.stacks import units_at
from rules.core.model import UMPIRE
from rules.core.refusal import Refused
from rules.core.tests.scripted import ScriptedDice
from rules.tanga import victory
from rules.tanga.british import Answer, BritishStep
from rules.tanga.field import board_of
from rules.tanga.maps import OwnMap
from rules.tanga.model import BRITISH, GERMAN, Condition, Phase, TangaState
from rules.tanga.options import Resolution
from rules.tanga.own.reading import map_faults
from rules.tanga.progress import QuestionKind
from rules.tanga.turn import TurnNext

from .field import hex_at, hex_labels, state_of
from .own_play import MOST_STEPS, british_turn, reload, require_showable, set_up, system
from .test_ta_own_reading import EXAMPLE, example


def test_ta_own_game_has_all_values_of_its_file() -> None:
    state = set_up()
    assert state.options.resolution is Resolution.OWN
    assert state.scenario == "small-example"
    assert (state.turns, state.objectives) == (4, {"embankment": 1, "european town": 2})
    assert state.improved == (hex_at("2612"),)
    assert [unit.id for unit in units_at(state, hex_at("2911"))] == ["13-c", "13-l1"]
    company, guns = state.unit("13-a"), state.unit("imperial-rvart")
    assert (company.letter, company.cf, company.mf, company.inland, company.side) == ("A", 5, 4, True, BRITISH)
    assert (guns.at, guns.rounds, guns.rounds_full, guns.inland) == (None, 2, 4, False)
    assert state.unit("17fk-3").condition is Condition.DISRUPTED
    assert state.unit("17fk-1").black_powder
    train = state.formation("6sch")
    assert (train.side, train.arrives, train.by_train) == (GERMAN, 2, True)
    order = sorted(state.formations.values(), key=lambda formation: formation.order)
    assert [formation.id for formation in order] == ["13", "imperial", "17fk", "6sch"]
    assert board_of(state).title(hex_at("2109")) == "2109 (Kaiser Hotel)"
    assert system().scene(state, GERMAN).title.startswith("A small example — turn 1 of 4")
    assert "3 November 1914, 05:00" in system().scene(state, GERMAN).title
    require_showable(reload(state))


@pytest.mark.parametrize(("die", "company"), [(1, "13-a"), (2, "13-c"), (3, "13-e"), (4, "13-g")])
def test_ta_1_gun_is_dealt_secretly_under_one_of_four_companies(die: int, company: str) -> None:
    state = set_up(None, die)
    assert {marker.company: marker.real for marker in state.markers.values()} == {
        unit_id: unit_id == company for unit_id in ("13-a", "13-c", "13-e", "13-g")
    }
    assert state.unit("13-mg").at is None
    assert {marker.real for marker in system().view(state, GERMAN).markers.values()} == {None}
    assert system().view(state, UMPIRE) == state


def test_ta_1_a_gun_in_a_hex_starts_in_the_open() -> None:
    document = example()
    document["formations"][0]["hidden_gun"] = False
    document["formations"][0]["units"][5]["at"] = "2911"
    state = system().own_battles.set_up(json.dumps(document).encode(), {}, ScriptedDice(()))
    assert not state.markers
    assert state.unit("13-mg").at == hex_at("2911")


def test_ta_own_game_has_no_choices() -> None:
    with pytest.raises(Refused, match="Leave out “side”"):
        system().own_battles.set_up(EXAMPLE.read_bytes(), {"side": "x"}, ScriptedDice(()))


def test_ta_own_a_refused_file_throws_nothing() -> None:
    document = example()
    document["improved"] = ["9999"]
    dice = ScriptedDice((1,))
    with pytest.raises(Refused):
        system().own_battles.set_up(json.dumps(document).encode(), {}, dice)
    assert dice.left == 1


def test_ta_own_system_lists_the_game_with_its_schema() -> None:
    assert system().own_battles.read(EXAMPLE.read_bytes()).id == "small-example"
    assert system().own_battles.schema["title"] == "OwnScenario"


def test_ta_own_the_british_turn_asks_the_players_box_for_every_result() -> None:
    state, dice = set_up(), ScriptedDice((3, 4))
    questions = []
    for _ in range(MOST_STEPS):
        if state.phase != Phase.BRITISH.value:
            break
        question = state.british.asked
        if question is not None:
            questions.append(question.ask)
        action = BritishStep() if question is None else Answer(word=question.answers[0][0])
        state, _ = system().act(reload(state), action, dice)
    assert dice.left == 0
    assert state.phase == Phase.MOVE.value
    assert state.formation("13").entry == hex_at("2516")
    assert QuestionKind.FIRE_RESULT in questions
    assert QuestionKind.OPPORTUNITY_FIRE not in questions
    ashore = {unit.at for unit in state.units.values() if unit.formation == "imperial"}
    assert hex_labels(ashore) == "3007"


def test_ta_own_an_answer_takes_effect_and_the_turn_goes_on() -> None:
    state, dice = set_up(), ScriptedDice((3, 4))
    state, _ = system().act(state, BritishStep(), dice)
    question = state.british.asked
    assert question is not None
    assert question.ask is QuestionKind.FIRE_RESULT
    assert question.at is not None
    before = {unit.id: unit.condition for unit in units_at(state, question.at)}
    after, report = system().act(reload(state), Answer(word="hit"), dice)
    hurt = [unit for unit in before if after.unit(unit).condition is not before[unit]]
    assert len(hurt) == 1
    assert after.unit(hurt[0]).condition is Condition.DISRUPTED
    assert after.british.asked != question
    assert any(step.verdict == "hit" for step in report.steps)
    missed, _ = system().act(reload(state), Answer(word="none"), dice)
    assert all(missed.unit(unit).condition is before[unit] for unit in before)


def test_ta_own_file_without_victory_numbers_leaves_the_verdict_to_players() -> None:
    document = example()
    del document["needed"]
    state = set_up(document)
    assert state.objectives == {"embankment": 0, "european town": 0, "key building": 0}
    ended = victory.final_verdict(state)
    assert ended.winner is None
    assert "judge" in ended.why
    assert victory.final_verdict(set_up()).winner == GERMAN


def test_ta_own_house_rules_may_resolve_on_the_players_map() -> None:
    document = example()
    document["options"]["resolution"] = "house"
    state = set_up(document)
    assert state.options.resolution is Resolution.HOUSE
    british_turn(state, 1)


def test_ta_own_unplayable_map_is_refused() -> None:
    state = set_up()
    assert state.own is not None
    assert not list(map_faults(state.own))
    for change, reason in (
        ({"road_cost": 1, "terrains": [t.model_copy(update={"cost": 0}) for t in state.own.terrains]}, "costs 1 to 12"),
        ({"terrains": [t.model_copy(update={"protection": 99}) for t in state.own.terrains]}, "its protection is 0"),
        ({"entries": {2: hex_at("2411")}}, "map.entries: 2D6 also fall"),
        ({"entries": {}}, "the map has no entry hexes"),
        ({"beaches": ()}, "formations.imperial.beach: the map has no such beach"),
        ({"hexes": {**state.own.hexes, hex_at("3301"): "open"}}, "map.hexes.3301"),
        ({"hexes": {hex_at(f"{n // 99 + 10:02}{n % 99:02}"): "sea" for n in range(2001)}}, "2000 hexes at most"),
    ):
        broken = state.model_copy(
            update={"own": OwnMap(**{name: getattr(state.own, name) for name in OwnMap.model_fields} | change)}
        )
        with pytest.raises(Refused, match=reason):
            system().require_valid_state(broken)


OWN = {"resolution": "own", "throw_at_once": False}


def german_game(phase: Phase) -> TangaState:
    """Return an own game with a German platoon next to a British company, in a German phase without automatic steps."""
    lines = ("13 A 2810", "17.FK 1 2710", "17.FK 2 2714 disrupted")
    state = state_of(*lines, phase=phase.value, active=GERMAN, options=OWN, turns=3)
    return state.with_unit(state.unit("17.fk-2").model_copy(update={"ro": hex_at("2714"), "retreating": True}))


def resolve_by_box(state: TangaState, kind: str, word: str, **args: str) -> TangaState:
    """Perform a German action that asks for the player's table, and answer it; no dice are thrown."""
    state, _ = system().act(state, system().parse(kind, args), ScriptedDice(()))
    assert state.british.asked is not None
    for action in (TurnNext(), system().parse(kind, args)):
        with pytest.raises(Refused, match="First the answer to this"):
            system().act(state, action, ScriptedDice(()))
    legal = [action for action in system().legal_actions(state, GERMAN) if action.kind != "standing"]
    assert legal == [Answer(word=word) for word, _ in state.british.asked.answers]
    assert [offer.args["word"] for prompt in system().prompts(state) for offer in prompt.offers] == [
        word for word, _ in state.british.asked.answers
    ]
    after, report = system().act(reload(state), Answer(word=word), ScriptedDice(()))
    assert after.phase == state.phase
    assert "TA-H" in str(report.steps[0].cite)
    assert system().act(after, TurnNext(), ScriptedDice(()))[0].phase != state.phase or after.turn != state.turn
    require_showable(after)
    return after


def test_ta_own_the_germans_fire_by_the_players_box() -> None:
    state = german_game(Phase.FIRE)
    hit = resolve_by_box(state, "fire", "hit", unit="17.fk-1", target="13-a")
    assert hit.unit("13-a").is_disrupted
    assert hit.unit("17.fk-1").fired
    missed = resolve_by_box(state, "fire", "none", unit="17.fk-1", target="13-a")
    assert missed.unit("13-a").is_in_good_order
    assert missed.unit("17.fk-1").fired


def test_ta_own_the_germans_fight_by_the_players_box() -> None:
    state = german_game(Phase.MELEE)
    after = resolve_by_box(state, "melee", "neither", unit="17.fk-1", target="13-a")
    assert (after.unit("13-a").is_in_good_order, after.unit("17.fk-1").is_in_good_order) == (True, True)
    assert after.unit("17.fk-1").fought
    with_question, _ = system().act(
        state, system().parse("melee", {"unit": "17.fk-1", "target": "13-a"}), ScriptedDice(())
    )
    lost, _ = system().act(with_question, Answer(word="british"), ScriptedDice((6,)))
    assert lost.unit("17.fk-1").is_disrupted
    assert lost.unit("17.fk-1").at != hex_at("2710")
    assert lost.unit("13-a").is_in_good_order
    won, _ = system().act(with_question, Answer(word="germans"), ScriptedDice((6,)))
    assert won.unit("13-a").is_disrupted
    assert won.unit("13-a").at != hex_at("2810")
    assert won.unit("17.fk-1").at == hex_at("2810")


def test_ta_own_the_germans_rally_by_the_players_box() -> None:
    state = german_game(Phase.RALLY)
    assert resolve_by_box(state, "rally", "rallies", unit="17.fk-2").unit("17.fk-2").is_in_good_order
    failed = resolve_by_box(state, "rally", "fails", unit="17.fk-2").unit("17.fk-2")
    assert (failed.is_disrupted, failed.tried_to_rally) == (True, True)
