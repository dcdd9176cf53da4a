"""Tests of melee: factors, simultaneous blows, retreat, advance (TA-5, TA-H.7, worked example 4)."""

import icepool
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.core.dice import NoDice
from rules.core.hexboard.stacks import units_at
from rules.core.ruleset import Refused
from rules.core.wording import sum_line
from rules.tanga.combat.melee import (
    OUTCOMES_BY_MARGIN,
    can_begin_melee,
    melee_factor,
    melee_odds,
    retreats_before_blows,
    units_to_advance,
)
from rules.tanga.german.fight import MELEE, Melee
from rules.tanga.model import BRITISH, GERMAN, Condition, FireOrder, Phase, TangaState
from rules.tanga.options import Resolution, TangaOptions
from rules.tanga.progress import Stage

from .acting import act, run
from .field import dice, formation, hex_at, melee, state_of, text_of

OPEN = {"*": "open"}
TOWN = {"*": "open", "2711": "european-town"}
FK = "17.FK"
HERE, THERE = hex_at("2811"), hex_at("2711")
"""British hex 2811 and German hex 2711, in open ground unless a test says otherwise."""


def fight(state: TangaState, *faces: int, by: str = BRITISH) -> tuple[TangaState, str]:
    hexes = (HERE, THERE) if by == BRITISH else (THERE, HERE)
    script = dice(*faces)
    after, steps = melee(state, *hexes, script)
    assert not script.left
    return after, "\n".join((*map(sum_line, steps), text_of(steps)))


def refusal(state: TangaState, attackers: str = "2811", defenders: str = "2711") -> str:
    with pytest.raises(Refused) as refused:
        melee(state, hex_at(attackers), hex_at(defenders), NoDice())
    return str(refused.value)


# Worked example 4


@pytest.mark.parametrize(
    ("cf", "improved", "needs", "stays"), [(5, False, 8, True), (5, True, 7, True), (4, False, 6, False)]
)
def test_ta_5_two_companies_against_european_town(cf: int, improved: bool, needs: int, stays: bool) -> None:
    lines = [f"63 {letter} 2811 cf{cf}" for letter in "AB"]
    state = state_of(*lines, f"{FK} 1 2711", on=TOWN, improved=(THERE,) if improved else ())
    assert melee_factor(state, HERE, BRITISH, THERE).total == needs
    assert retreats_before_blows(state, HERE, THERE) is not stays


# TA-5


def test_ta_5_the_british_begin_no_melee_under_7() -> None:
    state = state_of("63 A 2811 cf4", "63 B 2811 cf4", f"{FK} 1 2711", on=TOWN)
    assert refusal(state).endswith("under 7; that of 2811 against 2711 is 6. (TA-5, ruling)")


def test_ta_5_the_british_retreat_before_blows_and_the_germans_may_advance() -> None:
    state = state_of("13 A 2811", "13 B 2811 disrupted", "13 L 2811", f"{FK} 1 2711", f"{FK} 2 2711", on=OPEN)
    after, text = fight(state, 4, by=GERMAN)
    assert "under 7, they retreat before blows|TA-5" in text
    (place,) = {after.unit(f"13-{key}").at for key in "abl"}
    assert place is not None
    assert HERE.distance(place) == 3
    assert after.unit("13-a").is_in_good_order
    assert after.unit("17.fk-1").at == after.unit("17.fk-2").at == HERE


def test_ta_5_defender_without_a_retreat_fights() -> None:
    island = {"*": "sea", "2811": "open", "2711": "open"}
    after, text = fight(state_of("13 A 2811", f"{FK} 1 2711 cf7", on=island), 6, 6, 6, 6, by=GERMAN)
    assert "before blows" not in text
    assert after.unit("13-a").at == HERE


# TA-H.7, beginning a melee


def test_ta_h_7_a_lone_garrison_gives_way_to_an_assault_and_not_to_a_patrol() -> None:
    """Against European town one platoon has factor 3, two platoons have 8; the lone defending company has 5."""
    town, garrison = {"*": "open", "2811": "european-town"}, "13 A 2811"
    patrol = state_of(garrison, f"{FK} 1 2711", on=town)
    with pytest.raises(Refused) as refused:
        melee(patrol, THERE, HERE, NoDice())
    assert str(refused.value) == (
        "Nobody begins a melee with a factor under 7; that of 2711 against 2811 is 3. (TA-H.7, house rule)"
    )
    assault, text = fight(state_of(garrison, f"{FK} 1 2711", f"{FK} 2 2711", on=town), 1, by=GERMAN)
    assert "they retreat before blows" in text
    assert assault.unit("13-a").at != HERE


def test_ta_h_7_germans_get_no_melee_and_no_odds_under_7() -> None:
    state = state_of("13 A 2811", f"{FK} 1 2711", on=OPEN, phase=Phase.MELEE.value, active=GERMAN)
    attack = Melee(unit="17.fk-1", target="13-a")
    assert not list(MELEE.possible_actions(state, GERMAN))
    for ask in (MELEE.odds_of, lambda *args: act(*args, NoDice())):
        with pytest.raises(Refused, match="under 7"):
            ask(state, attack)
    stronger = state.with_unit(state.unit("17.fk-1").model_copy(update={"cf": 7}))
    assert list(MELEE.possible_actions(stronger, GERMAN)) == [attack]


def test_ta_h_7_option_sets_the_least_factor_of_the_germans_only() -> None:
    lines = ("13 A 2811", f"{FK} 1 2711")
    bold = state_of(*lines, on=OPEN, options=TangaOptions(begins_melee=0))
    assert can_begin_melee(bold, THERE, GERMAN, HERE)
    assert "The British begin no melee with a factor under 7" in refusal(bold)
    shy = state_of("13 A 2811 cf7", f"{FK} 1 2711 cf7", on=OPEN, options=TangaOptions(begins_melee=8))
    assert not can_begin_melee(shy, THERE, GERMAN, HERE)
    assert not can_begin_melee(shy, HERE, BRITISH, THERE)


def test_ta_h_7_germans_attack_freely_if_the_players_box_decides() -> None:
    own = state_of("13 A 2811", f"{FK} 1 2711", on=OPEN, options=TangaOptions(resolution=Resolution.OWN))
    assert can_begin_melee(own, THERE, GERMAN, HERE)
    assert not can_begin_melee(own, HERE, BRITISH, THERE)


def test_ta_5_eb_is_added_to_the_advance() -> None:
    state = state_of("13 A 2811", "13 B 2811", "13 L 2811", f"{FK} 1 2711", on=OPEN)
    after, text = fight(state, 3, 3, 6, 6, 3)
    assert (
        "D6 [3] = 3, +1 leader's EB (TA-5) = 4 against 4: 13 A, 13 B, 13 L advance into 2711 (66.7% to advance)" in text
    )
    assert after.unit("13-l").at == THERE


# TA-H.7, factors


def test_ta_h_7_good_order_cf_and_best_eb_less_the_other_hexs_protection() -> None:
    state = state_of(
        "13 A 2811", "13 B 2811 cf4", "13 C 2811 disrupted", "13 L1 2811", "13 L2 2811 eb2", f"{FK} 1 2711", on=TOWN
    )
    assert sum_line(melee_factor(state, HERE, BRITISH, THERE).step) == (
        "5, +4 13 B (TA-H.7, house rule), +2 leader's EB (TA-H.7, house rule), "
        "-2 European town (TA-H.2, house rule) = 9"
    )
    assert melee_factor(state, THERE, GERMAN, HERE).total == 5


@given(st.integers(0, 12), st.integers(0, 12), st.sampled_from(["open", "palms", "embankment"]))
def test_ta_h_7_chances_against_icepool(ours: int, theirs: int, ground: str) -> None:
    state = state_of(f"13 A 2811 cf{ours}", f"{FK} 1 2711 cf{theirs}", on={"*": "open", "2811": ground})
    worth = melee_factor(state, THERE, GERMAN, HERE).total
    if worth < 7:
        with pytest.raises(Refused, match="under 7"):
            melee_odds(state, THERE, HERE)
        return
    odds_ = melee_odds(state, THERE, HERE)
    assert sum(outcome.chance for outcome in odds_.outcomes) == 1
    if retreats_before_blows(state, HERE, THERE):
        assert [outcome.label for outcome in odds_.outcomes] == ["the British retreat before blows"]
        return

    def hits(needed: int) -> icepool.Die:
        return (2 @ icepool.d6).map(lambda fallen: 0 if fallen > needed else 2 if fallen == 2 else 1)

    ahead = hits(worth) - hits(ours)
    chances = {"win": (ahead > 0), "even": (ahead == 0), "lose": (ahead < 0)}
    expected = [
        (OUTCOMES_BY_MARGIN[sign], chances[name].probability(True))
        for sign, name in ((1, "win"), (0, "even"), (-1, "lose"))
    ]
    outcomes = [((outcome.label, outcome.good), outcome.chance) for outcome in odds_.outcomes]
    assert outcomes == [(outcome, chance) for outcome, chance in expected if chance]


# TA-H.7, blows


def test_ta_h_7_both_sides_at_once() -> None:
    state = state_of("13 A 2811", "13 B 2811", f"{FK} 1 2711", on=OPEN)
    after, text = fight(state, 3, 3, 2, 2)
    assert after.unit("17.fk-1").is_disrupted
    assert after.unit("13-a").is_disrupted
    assert "both stay" in text
    assert (after.unit("13-a").at, after.unit("17.fk-1").at) == (HERE, THERE)
    assert after.trails[0].kind == "melee"


def test_ta_h_7_loser_retreats_3_hexes_and_winner_advances_on_4() -> None:
    state = state_of("13 A 2811", "13 B 2811", f"{FK} 1 2711", f"{FK} L 2711", on=OPEN)
    after, text = fight(state, 3, 3, 6, 6, 4)
    assert "2D6 [3][3] = 6 against melee factor 10: hit (91.7% to hit)" in text
    loser = after.unit("17.fk-1")
    assert loser.is_disrupted
    assert loser.retreating
    assert loser.at is not None
    assert loser.at.distance(THERE) == 3
    assert loser.at == loser.ro == after.unit("17.fk-l").at
    assert after.unit("13-a").at == after.unit("13-b").at == THERE
    assert [trail.kind for trail in after.trails] == ["melee", "retreat", "move"]


def test_ta_h_7_no_advance_on_3() -> None:
    after, text = fight(state_of("13 A 2811", "13 B 2811", f"{FK} 1 2711", on=OPEN), 3, 3, 6, 6, 3)
    assert "no advance" in text
    assert after.unit("13-a").at == HERE
    assert not units_at(after, THERE)


def test_ta_h_7_attackers_who_take_more_hits_retreat_and_the_defenders_may_advance() -> None:
    state = state_of("13 A 2811", "13 B 2811", f"{FK} 1 2711", on=OPEN)
    after, _ = fight(state, 6, 6, 2, 2, 5)
    assert after.unit("13-a").is_disrupted
    assert after.unit("13-b").is_in_good_order
    assert after.unit("13-a").at == after.unit("13-b").at
    assert after.unit("13-b").ro is None
    assert not after.unit("13-b").retreating
    assert after.unit("17.fk-1").at == HERE


def test_ta_h_7_a_german_stack_that_holds_does_not_advance() -> None:
    lines = ("13 A 2811", "13 B 2811", f"{FK} 1 2711")
    state = state_of(*lines, on=OPEN)
    holds = state.with_unit(state.unit("17.fk-1").model_copy(update={"standing": FireOrder.HOLD}))
    after, text = fight(holds, 6, 6, 2, 2)
    assert after.unit("17.fk-1").at == THERE
    assert "Advance after melee" not in text


def test_ta_h_7_disrupted_units_neither_strike_nor_advance() -> None:
    state = state_of("13 A 2811", "13 B 2811", "13 C 2811 disrupted", f"{FK} 1 2711 disrupted", on=OPEN)
    after, text = fight(state, 3, 3, 4)
    assert "strikes no blow" in text
    assert after.unit("17.fk-1").condition is Condition.ELIMINATED
    assert after.unit("13-a").at == THERE
    assert after.unit("13-c").at == HERE


def test_ta_h_7_best_leader_advances_and_others_stay() -> None:
    lines = ("13 A 2811", "13 B 2811", "13 C 2811 disrupted", "13 L1 2811 eb1", "13 L2 2811 eb2")
    after, _ = fight(state_of(*lines, f"{FK} 1 2711", on=OPEN), 3, 3, 6, 6, 2)
    assert after.unit("13-l2").at == THERE
    assert after.unit("13-l1").at == after.unit("13-c").at == HERE
    without, _ = fight(state_of(*(lines[:2] + lines[3:]), f"{FK} 1 2711", on=OPEN), 3, 3, 6, 6, 2)
    assert without.unit("13-l1").at == without.unit("13-l2").at == THERE


def test_ta_h_3_leaders_alone_are_lost_when_the_winner_enters() -> None:
    state = state_of("13 A 2811", "13 B 2811", f"{FK} 1 2711 disrupted", f"{FK} L 2711", on=OPEN)
    later, text = fight(state, 3, 3, 4)
    assert later.unit("17.fk-l").condition is Condition.ELIMINATED
    assert "17.FK L alone in 2711||eliminated|TA-H.3, house rule" in text
    spared, _ = fight(state, 3, 3, 3)
    assert spared.unit("17.fk-l").at == THERE


def test_ta_h_7_report_tells_a_collapse() -> None:
    state = state_of("13 A 2811", "13 B 2811", f"{FK} 1 2711", on=OPEN, formations=(formation(FK, fbn=1),))
    after, _ = fight(state, 3, 3, 6, 6, 1)
    assert after.formation(FK).collapsed


# Units that may attack


def test_ta_h_7_a_stack_attacks_once_and_may_be_attacked_again() -> None:
    lines = ("13 A 2811", "13 B 2811", f"{FK} 1 2711 cf7")
    after, _ = fight(state_of(*lines, on=OPEN), 6, 6, 6, 6)
    assert after.unit("13-a").fought
    assert after.unit("13-a").acted
    assert after.unit("17.fk-1").acted
    assert not after.unit("17.fk-1").fought
    assert "attacked this turn already" in refusal(after)
    fight(after, 6, 6, 6, 6, by=GERMAN)


def test_ta_h_7_only_adjacent_enemies_by_units_in_good_order() -> None:
    assert "not next to" in refusal(state_of("13 A 2811", f"{FK} 1 2611", on=OPEN), defenders="2611")
    assert "Nobody in good order" in refusal(state_of("13 A 2811 disrupted", f"{FK} 1 2711", on=OPEN))
    assert "no enemy combat unit" in refusal(state_of("13 A 2811", f"{FK} L 2711", on=OPEN))


# TA-3, TA-9.5: hexes into which the British do not advance


def test_ta_9_5_a_british_machine_gun_does_not_advance_next_to_a_german() -> None:
    state = state_of("13 A 2811", "13 mg 2811", f"{FK} 1 2711", f"{FK} 2 2611", on=OPEN)
    after, _ = fight(state, 2, 2, 6, 6, 4)
    assert after.unit("13-a").at == THERE
    assert after.unit("13-mg").at == HERE


def test_ta_3_the_british_do_not_advance_to_a_beach_they_have_left() -> None:
    lines = ("13 A 3905", "13 B 3905", f"{FK} 1 3904 disrupted")
    after, steps = melee(state_of(*lines, on=OPEN), hex_at("3905"), hex_at("3904"), dice(6, 5))
    assert "Advance" not in text_of(steps)
    after, steps = melee(state_of(*lines, on=OPEN), hex_at("3905"), hex_at("3904"), dice(3, 3))
    assert not units_at(after, hex_at("3904"))
    assert "Advance" not in text_of(steps)


def test_ta_h_7_revealed_mg_of_an_attacker_begins_no_second_attack() -> None:
    fresh = run(state_of("13 C 2811", "13 mg 2811", f"{FK} 1 2711", on=OPEN), Stage.MELEE, 6, 6, 6, 6, 1)
    assert fresh.state.unit("13-mg").fought
    spent = run(state_of("13 C 2811 fought", "13 mg 2811", f"{FK} 1 2711", on=OPEN), Stage.MELEE)
    assert not spent.state.unit("13-mg").fought


def test_ta_h_7_no_unit_advances_into_a_held_hex() -> None:
    state = state_of("13 A 3010", "13 L 3010", "17.FK 1 2910", on={"*": "open"})
    assert units_to_advance(state, hex_at("3010"), hex_at("2910"), BRITISH) == ()
    assert [unit.id for unit in units_to_advance(state, hex_at("3010"), hex_at("2911"), BRITISH)] == ["13-a", "13-l"]
