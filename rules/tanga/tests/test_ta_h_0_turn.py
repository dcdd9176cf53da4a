"""Tests of the turn: British, German phases, reinforcements, resetting units (TA-H.0, TA-H.9, TA-H.11)."""

from fractions import Fraction

import pytest

from rules.core.model import UMPIRE
from rules.core.report import Report
from rules.core.ruleset import Refused
from rules.core.wording import percent
from rules.tanga.german.stand import IMPROVE
from rules.tanga.model import BRITISH, GERMAN, Condition, Kind, Phase, TangaState, TangaUnit
from rules.tanga.progress import BritishTurn
from rules.tanga.ruleset import Tanga
from rules.tanga.turn import TURN_NEXT, TurnNext, begin_german_phase, phase_prompts

from .acting import act
from .field import dice, formation, hex_at, play_part, state_of, text_of, unit

OPEN = {"*": "open"}


def at(phase: Phase, *lines: str | TangaUnit, **fields: object) -> TangaState:
    active = BRITISH if phase is Phase.BRITISH else GERMAN
    return state_of(*lines, phase=phase.value, active=active, **fields)


def end_phase(state: TangaState, *faces: int, waive: bool = False) -> tuple[TangaState, Report]:
    return act(state, TurnNext(waive=waive), dice(*faces))


def test_ta_h_0_the_german_phases_follow_one_another() -> None:
    state = at(Phase.MOVE, "17.FK 1 2510 cf7", "13 A 2610", on=OPEN, turns=10)
    phases = []
    for _ in range(4):
        state, _ = end_phase(state)
        phases.append(state.phase)
    assert phases == ["fire", "melee", "rally", "British"]
    assert state.turn == 2
    assert state.active == BRITISH


def test_ta_h_0_idle_phases_are_skipped() -> None:
    after, report = end_phase(at(Phase.MOVE, "17.FK 1 2510", "13 A 3210", on=OPEN))
    assert after.phase == Phase.RALLY.value
    assert "The fire phase: the Germans have nothing to do" in text_of(report)
    assert "The melee phase: the Germans have nothing to do" in text_of(report)
    near, _ = end_phase(at(Phase.MOVE, "17.FK 1 2510 cf7 fired", "13 A 2610", on=OPEN))
    assert near.phase == Phase.MELEE.value


def test_ta_h_0_only_the_umpire_skips_the_british() -> None:
    state = at(Phase.BRITISH, "17.FK 1 2510")
    with pytest.raises(Refused, match="British have yet to act") as refusal:
        end_phase(state)
    assert refusal.value.prompts[0].offers[0].kind == "british"
    after, _ = end_phase(state, waive=True)
    assert after.phase == Phase.MOVE.value


def test_ta_h_0_next_step_has_a_button() -> None:
    begun = at(Phase.BRITISH, "17.FK 1 2510", british=BritishTurn(done=("13",)))
    assert phase_prompts(begun)[0].offers[0].label == "Play on the British turn"
    assert phase_prompts(begun)[0].required
    assert phase_prompts(at(Phase.BRITISH, "17.FK 1 2510", british=BritishTurn(running=True))), (
        "after a restart nothing runs"
    )
    moving = phase_prompts(at(Phase.MOVE, "17.FK 1 2510", "13 A 2610", on=OPEN))[0]
    assert moving.offers[0].label == "On to fire"
    assert phase_prompts(at(Phase.MOVE, "17.FK 1 2510"))[0].offers[0].label == "On to rally", "nobody can fire"
    assert not moving.required
    assert phase_prompts(at(Phase.RALLY, "17.FK 1 2510"))[-1].offers[0].label == "End the turn"


def test_ta_h_0_new_turn_clears_the_turn_memory() -> None:
    state = at(Phase.RALLY, "17.FK 1 2510 fired moved3 fought", "13 A 3010 fired moved2", turns=10)
    after, _ = end_phase(state)
    for unit_ in after.units.values():
        assert (unit_.moved, unit_.fired, unit_.fought, unit_.acted, unit_.tried_to_rally) == (
            0,
            False,
            False,
            False,
            False,
        )


def test_ta_h_0_disrupted_germans_retreat_before_they_may_move() -> None:
    state = at(Phase.BRITISH, "17.FK 1 2510 disrupted", "13 A 2810", on=OPEN)
    after, steps = play_part(begin_german_phase, state, dice())
    company = after.unit("17.fk-1")
    assert company.at is not None
    assert company.at.distance(hex_at("2510")) == 3
    assert company.retreating
    assert company.at == company.ro
    assert "TA-9.C" in text_of(steps)


def test_ta_h_0_unit_in_its_ro_hex_stays() -> None:
    unit_ = unit("17.FK 1 2510 disrupted", ro=hex_at("2510"), retreating=True)
    after, steps = play_part(begin_german_phase, state_of(unit_, "13 A 3210", on=OPEN), dice())
    assert after.unit("17.fk-1").at == hex_at("2510")
    assert not steps


def test_ta_h_9_a_collapsed_german_company_recovers_or_routs() -> None:
    broken = formation("17.FK", collapsed=True, fbn=3)
    lines = ("17.FK 1 2510 disrupted", "17.FK 2 2511", "17.FK 3 2511", "13 A 2910")
    state = at(Phase.BRITISH, *lines, on=OPEN, formations=(broken,))
    routed, _ = play_part(begin_german_phase, state, dice(3))
    assert routed.formation("17.FK").collapsed
    assert routed.unit("17.fk-2").at not in (hex_at("2511"), None)
    recovered, _ = play_part(begin_german_phase, state, dice(2))
    assert not recovered.formation("17.FK").collapsed
    assert recovered.unit("17.fk-2").at == hex_at("2511")


def train(name: str, arrives: int, *, by_train: bool = True) -> object:
    return formation(name, kind=Kind.COMPANY, arrives=arrives, by_train=by_train, order=arrives)


def test_ta_h_11_trains_come_to_the_station_when_they_are_due() -> None:
    coming = [f"6.FK {name} off" for name in ("1", "2", "3", "mg", "L")]
    state = at(Phase.RALLY, "17.FK 1 2510", *coming, turns=10, turn=3, formations=(train("6.FK", 4),))
    early, _ = end_phase(state)
    assert all(unit.at is None for unit in early.units.values() if unit.formation == "6.FK")
    after, report = end_phase(state.model_copy(update={"turn": 4}))
    stood = [unit.at for unit in after.units.values() if unit.formation == "6.FK"]
    assert stood.count(hex_at("1812")) >= 3
    assert None not in stood
    assert "by train" in text_of(report)


def test_ta_h_11_other_reinforcements_march_on_from_the_west() -> None:
    state = at(Phase.RALLY, "16.FK 1 off", turns=10, turn=3, formations=(train("16.FK", 3, by_train=False),))
    after, report = end_phase(state)
    assert after.unit("16.fk-1").at is not None
    assert after.unit("16.fk-1").at.column == 15
    assert "from the west" in text_of(report)


def test_ta_h_11_a_train_stops_outside_when_the_british_are_in_the_station() -> None:
    state = at(Phase.RALLY, "6.FK 1 off", "13 A 1812", turns=10, turn=4, formations=(train("6.FK", 4),))
    after, report = end_phase(state)
    assert after.unit("6.fk-1").at is not None
    assert after.unit("6.fk-1").at.column == 15
    assert "from the west" in text_of(report)


def test_ta_9_a_arrival_in_an_entry_hex_enters_it() -> None:
    rajputs = formation("13", entry=hex_at("1812"), entered=True)
    state = at(Phase.RALLY, "6.FK 1 off", "13 A 3010", turns=10, turn=4, formations=(train("6.FK", 4), rajputs))
    after, _ = end_phase(state)
    assert after.unit("6.fk-1").at == hex_at("1812")
    assert not after.formation("13").entered


def test_ta_h_11_eliminated_units_do_not_arrive_again() -> None:
    state = at(Phase.RALLY, "6.FK 1 off", turns=10, turn=9, formations=(train("6.FK", 4),))
    destroyed = state.with_unit(state.unit("6.fk-1").model_copy(update={"condition": Condition.ELIMINATED}))
    after, _ = end_phase(destroyed)
    assert after.unit("6.fk-1").at is None


def test_ta_h_0_after_the_last_turn_the_game_is_decided() -> None:
    state = at(Phase.RALLY, "17.FK 1 2510", turns=10, turn=10, objectives={"embankment": 1})
    after, _ = end_phase(state)
    assert after.over is not None
    assert after.over.winner == GERMAN
    last_turn = at(Phase.RALLY, "13 A 2608", turns=10, turn=10, objectives={"embankment": 1})
    won, _ = end_phase(last_turn)
    assert won.over is not None
    assert won.over.winner == BRITISH


def test_ta_h_0_pass_is_legal_after_the_british_turn() -> None:
    assert list(TURN_NEXT.possible_actions(at(Phase.MOVE, "17.FK 1 2510"), GERMAN))
    assert not list(TURN_NEXT.possible_actions(at(Phase.BRITISH, "17.FK 1 2510"), UMPIRE))


def test_ta_1_a_german_company_that_recovers_hides_no_gun() -> None:
    broken = formation("17.FK", collapsed=True, fbn=3)
    state = at(Phase.BRITISH, "17.FK 1 2511", "17.FK mg 2511", "13 A 2911", on=OPEN, formations=(broken,))
    after, _ = play_part(begin_german_phase, state, dice(1))
    assert not after.markers
    assert after.unit("17.fk-mg").at == hex_at("2511")


def button_labels(state: TangaState) -> list[str]:
    return [offer.label for prompt in phase_prompts(state) for offer in prompt.offers]


def test_ta_h_0_shots_are_offered_with_chances_in_descending_order() -> None:
    lines = ("17.FK mg 2510", "17.FK 1 2510", "17.FK 2 2512", "13 A 2610", "13 B 2712")
    state = at(Phase.FIRE, *lines, on=OPEN)
    labels = button_labels(state)
    assert labels[0].startswith("17.FK mg at 2610: 72.2%")
    assert labels[-1] == "On to melee"
    shot = phase_prompts(state)[0].offers[0]
    fired = state.with_unit(
        *(state.unit(unit_id).model_copy(update={"fired": True}) for unit_id in ("17.fk-mg", "17.fk-1"))
    )
    assert shot.key not in {offer.key for prompt in phase_prompts(fired) for offer in prompt.offers}, (
        "its moment has passed"
    )


def test_ta_h_0_attacks_are_offered_with_the_chances_to_win_and_to_lose() -> None:
    state = at(Phase.MELEE, "17.FK 1 2510", "17.FK 2 2510", "13 A 2610", on=OPEN)
    assert button_labels(state)[0] == "17.FK 1 on 2610: 100% to win, 0% to lose", (
        "under 7 they retreat before blows (TA-5)"
    )
    state = at(Phase.MELEE, "17.FK 1 2510", "17.FK 2 2510", "13 A 2610", "13 B 2610", on=OPEN)
    assert button_labels(state)[0] == "17.FK 1 on 2610: 10.1% to win, 10.1% to lose"


BATTLES = (
    (
        "17.FK 1 2510",
        "17.FK 2 2510 disrupted",
        "17.FK mg 2510",
        "13 A 2610",
        "13 B 2610",
        "6.FK 1 2611 bp",
        "6.FK 2 2611",
    ),
    ("17.FK 1 2510", "17.FK 2 2510", "17.FK L 2510", "13 A 2610", "6.FK 1 2710", "6.FK 2 2710", "61 A 2609 disrupted"),
)


@pytest.mark.parametrize("lines", BATTLES)
@pytest.mark.parametrize("phase", [Phase.FIRE, Phase.MELEE, Phase.RALLY])
def test_ta_h_0_every_button_has_the_chances_of_its_odds(phase: Phase, lines: tuple[str, ...]) -> None:
    state, system = at(phase, *lines, on=OPEN), Tanga()
    offers = [
        offer for prompt in phase_prompts(state) for offer in prompt.offers if offer.kind in ("fire", "melee", "rally")
    ]
    assert offers or phase is Phase.RALLY
    for offer in offers:
        odds = system.odds(state, system.parse(offer.kind, offer.args))
        good, bad = (
            sum((outcome.chance for outcome in odds.outcomes if outcome.good is well), Fraction(0))
            for well in (True, False)
        )
        chances = [word.strip(",") for word in offer.label.partition(": ")[2].split() if "%" in word]
        assert chances == ([percent(good), percent(bad)] if offer.kind == "melee" else [percent(good)]), offer.label


def test_ta_h_8_rallies_and_works_are_offered() -> None:
    broken = unit("17.FK 1 2510 disrupted", ro=hex_at("2510"), retreating=True)
    state = at(Phase.RALLY, broken, "17.FK 2 2512", "13 A 3210", on=OPEN)
    assert button_labels(state)[:2] == ["Rally 17.FK 1: 16.7%", "Dig in: 17.FK 2 in 2512"]


def test_ta_h_0_turn_title_names_the_side_or_the_german_phase() -> None:
    state = state_of("13 A 3010", turns=9)
    assert state.turn_title == "Turn 1 of 9, British"
    germans = state.model_copy(update={"active": GERMAN, "phase": Phase.MOVE.value, "turn": 3})
    assert germans.turn_title == f"Turn 3 of 9, Germans, {Phase.MOVE.value}"


@pytest.mark.parametrize(("count", "ending"), [(10, ""), (11, " (the likeliest 10 of 11)")])
def test_ta_h_0_ten_orders_of_a_kind_have_buttons(count: int, ending: str) -> None:
    lines = [f"17.FK {number} {2300 + 10 * number}" for number in range(10, 10 + count)]
    state = state_of(*lines, on={"*": "open"}, active=GERMAN, phase=Phase.RALLY.value)
    (prompt,) = IMPROVE.order_prompts(state)
    assert len(prompt.offers) == 10
    assert prompt.text == f"{IMPROVE.asked}{ending}"
