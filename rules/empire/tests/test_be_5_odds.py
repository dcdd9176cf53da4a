"""Exact chances of a melee, and invariants (BE-5)."""

from collections.abc import Mapping
from fractions import Fraction

import icepool
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.empire.fighting.effects import apply_all_melee_results
from rules.empire.fighting.melee import Melee
from rules.empire.model import Defence, EmpireState, Formation, Support
from rules.empire.phases import Phase

from .field import BLUE, RED, contact_of, dice, field, odds, play_part, unit, with_memory
from .field import act as fight


def hits_of(count: int, needs: int) -> icepool.Die:
    """Return a die of the hits of `count` dice. A natural 1 never hits, a natural 6 always."""
    least = min(max(needs, 2), 6)
    return count @ icepool.d6.map(lambda face: int(face >= least))


def margin(ours: icepool.Die, theirs: icepool.Die) -> Mapping[int, Fraction]:
    die = ours - theirs
    return {
        int(outcome): Fraction(die.quantity(outcome), die.denominator())
        for outcome in die.outcomes()
        if die.quantity(outcome)
    }


def state(
    a: dict[str, object], b: dict[str, object], *supports: str, flank: bool = False, rounds: int = 1
) -> EmpireState:
    """Return a melee of British a against Boers b in loose order; c supports a, and d supports b."""
    boers = {"formation": Formation.LOOSE}
    units = (
        unit("british-regulars", **a),
        unit("boers-on-foot", "b", BLUE, **{**boers, **b}),
        unit("british-regulars", "c"),
        unit("boers-on-foot", "d", BLUE, **boers),
    )
    behind = tuple(Support(unit=unit_id, friend={"c": "a", "d": "b"}[unit_id]) for unit_id in supports)
    return field(
        *units, phase=Phase.MELEE, contacts=(contact_of("a", "b", flank=flank, rounds=rounds),), supports=behind
    )


SKIRMISH = {"formation": Formation.SKIRMISH}


@pytest.mark.parametrize(
    ("melee", "ours", "theirs"),
    [
        (state({}, {}), hits_of(4, 4), hits_of(4, 4)),
        (state({"shaken": True}, SKIRMISH), hits_of(4, 3), hits_of(4, 4)),
        (state({"formation": Formation.COLUMN}, {"shaken": True}), hits_of(2, 4), hits_of(4, 5)),
        (state({}, SKIRMISH, "c", flank=True, rounds=0), hits_of(10, 2), hits_of(4, 4)),
        (state({}, {"shaken": True}, "c", "d"), hits_of(6, 4), hits_of(4, 5) + hits_of(2, 4)),
        (state({}, {"defending": Defence.OBSTACLE}, "d"), hits_of(4, 4), hits_of(4, 3) + hits_of(2, 4)),
    ],
)
def test_be_5_odds_against_icepool(melee: EmpireState, ours: icepool.Die, theirs: icepool.Die) -> None:
    expected = margin(ours, theirs)
    odds_ = odds(melee, Melee(unit="a"))
    assert dict(odds_.distribution) == expected
    assert sum(outcome.chance for outcome in odds_.outcomes) == 1
    wins = sum(chance for lead, chance in expected.items() if lead > 0)
    assert sum(outcome.chance for outcome in odds_.outcomes if outcome.good) == wins
    faces = (1,) * 20
    _, report = fight(melee, Melee(unit="a"), dice(*faces))
    assert report.steps[-1].chance == wins


def test_be_5_outcomes_are_named_by_the_combat_chart_for_both_sides() -> None:
    odds_ = odds(state({}, {}), Melee(unit="a"))
    expected = margin(hits_of(4, 4), hits_of(4, 4))
    assert {outcome.label: outcome.chance for outcome in odds_.outcomes} == {
        "B beaten: 4 kills and shaken, destroyed": expected[4],
        "B beaten: 3 kills and shaken": expected[3],
        "B beaten: 2 kills and shaken": expected[2],
        "B beaten: 1 kill and shaken": expected[1],
        "equal: no effect": expected[0],
        "A beaten: 1 kill and shaken": expected[-1],
        "A beaten: 2 kills and shaken": expected[-2],
        "A beaten: 3 kills and shaken": expected[-3],
        "A beaten: 4 kills and shaken, destroyed": expected[-4],
    }
    assert [outcome.good for outcome in odds_.outcomes] == [True] * 4 + [None] + [False] * 4


def test_be_5_outcomes_name_destroyed_units() -> None:
    labels = [outcome.label for outcome in odds(state({"kills": 2, "shaken": True}, {}), Melee(unit="a")).outcomes]
    assert labels[-4:] == [
        "A beaten: 1 kill and shaken, destroyed",
        "A beaten: 2 kills and shaken, destroyed",
        "A beaten: 3 kills and shaken, destroyed",
        "A beaten: 4 kills and shaken, destroyed",
    ]
    supported = [outcome.label for outcome in odds(state({}, {"kills": 3}, "d"), Melee(unit="a")).outcomes]
    assert "B and D beaten: 4 kills and shaken, destroyed" in supported


def test_be_5_differences_over_four_hits_cause_equal_losses() -> None:
    odds_ = odds(state({}, {}, "c", flank=True, rounds=0), Melee(unit="a"))
    expected = margin(hits_of(10, 4), hits_of(4, 4))
    assert max(expected) == 10
    worst = next(outcome for outcome in odds_.outcomes if outcome.label.startswith("B beaten: 4 kills"))
    assert worst.chance == sum(chance for lead, chance in expected.items() if lead >= 4)


def test_be_5_sides_of_one_name_are_kept_apart() -> None:
    odds_ = odds(state({"name": "Twins"}, {"name": "Twins"}), Melee(unit="a"))
    outcomes = [outcome for outcome in odds_.outcomes if outcome.label == "Twins beaten: 1 kill and shaken"]
    assert [outcome.good for outcome in outcomes] == [True, False]


@given(
    had=st.tuples(*[st.integers(0, 3)] * 4),
    shaken=st.tuples(*[st.booleans()] * 4),
    faces=st.lists(st.integers(1, 6), min_size=12, max_size=12),
    fanatic=st.booleans(),
)
def test_be_5_melee_effects_follow_the_chart(
    had: tuple[int, ...], shaken: tuple[bool, ...], faces: list[int], fanatic: bool
) -> None:
    """Only losers suffer, kills equal the difference, and the argument stays unchanged."""
    before = state({}, {}, "c", "d")
    hurt = (
        with_memory(before.unit(unit_id).model_copy(update={"kills": kills, "shaken": was}), fanatic=fanatic)
        for unit_id, kills, was in zip("abcd", had, shaken, strict=True)
    )
    before = before.with_unit(*hurt)
    json_before = before.model_dump_json()
    fought, _ = fight(before, Melee(unit="a"), dice(*faces))
    in_the_air = fought.model_dump_json()
    after, _ = play_part(apply_all_melee_results, fought)
    assert (before.model_dump_json(), fought.model_dump_json()) == (json_before, in_the_air)
    ahead = fought.blows[0].hits - fought.blows[0].hits_against
    losers = "" if not ahead else "bd" if ahead > 0 else "ac"
    losses = {unit_id: after.unit(unit_id).kills - before.unit(unit_id).kills for unit_id in "abcd"}
    room = {unit_id: 4 - before.unit(unit_id).kills for unit_id in losers}
    extra = sum(before.unit(unit_id).shaken for unit_id in losers)
    shares = min(4, abs(ahead), sum(room.values()))
    assert shares <= sum(losses.values()) <= shares + extra
    for unit_id in "abcd":
        assert after.unit(unit_id).kills <= 4
        assert after.unit(unit_id).destroyed == (after.unit(unit_id).kills == 4)
        if unit_id not in losers:
            assert losses[unit_id] == 0
            assert after.unit(unit_id).shaken == before.unit(unit_id).shaken
        else:
            assert after.unit(unit_id).shaken
    assert not any(after.unit(unit_id).this_turn.fanatic for unit_id in "abcd")
    assert {after.unit(unit_id).side for unit_id in "ac"} == {RED}
