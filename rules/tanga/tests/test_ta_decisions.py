"""Tests of properties that every British decision has, in any position (TA-0.3, TA-1, TA-9.5)."""

from collections.abc import Iterator

from hypothesis import given, settings
from hypothesis import strategies as st

from rules.core.hexboard.stacks import units_at
from rules.tanga.automaton.attacking import choose_target
from rules.tanga.automaton.moving import choose_objective
from rules.tanga.maps import house_board
from rules.tanga.model import TangaState
from rules.tanga.progress import Decision, March, Question
from rules.tanga.ways import can_enter, choose_next_hex, choose_ro_hex, passable_hexes

from .field import formation, hex_at, marker, state_of

FEW = settings.default.max_examples // 5
"""Number of examples for tests that set up a game per example."""
NEAR = sorted(hex_ for hex_ in house_board().land if hex_at("3010").distance(hex_) <= 5)
"""Hexes close enough together for every rule to matter."""
COMPANIES = [f"{battalion} {letter}" for battalion in ("13", "61") for letter in "ABG"]
BRITISH = [*COMPANIES, "13 MG", "13 L1", "IS HQ", "IS art"]
GERMANS = ["17.FK 1", "17.FK 2", "17.FK mg", "16.FK 1", "16.FK 2"]
FLAGS = st.sampled_from(["", "disrupted", "fired", "cf4", "bp"])


@st.composite
def positions(draw) -> TangaState:
    """Generate positions with British and Germans close together, two companies with face-down markers."""
    places = draw(st.permutations(NEAR))
    friends, enemies = places[:8], places[8 : 8 + len(GERMANS)]
    lines = [f"{unit_name} {draw(st.sampled_from(friends)).label} {draw(FLAGS)}" for unit_name in BRITISH]
    lines += [f"{unit_name} {hex_.label} {draw(FLAGS)}" for unit_name, hex_ in zip(GERMANS, enemies, strict=True)]
    formations = [
        formation(name, entry=hex_at("2516"), entered=draw(st.booleans()), collapsed=draw(st.booleans()))
        for name in ("13", "61")
    ]
    return state_of(
        *lines,
        formations=formations,
        markers=[marker("13-a"), marker("13-b")],
        objectives={"embankment": 1, "european town": 2},
        improved=tuple(sorted(draw(st.sets(st.sampled_from(NEAR), max_size=3)))),
    )


def marches(state: TangaState) -> Iterator[March]:
    """Yield a march and a retreat of every British unit to two distant goals."""
    for unit in state.units.values():
        if unit.side == "british":
            for goal in ("2610", "3410"):
                march = March(units=(unit.id,), goal=hex_at(goal), left=unit.mf, way=(unit.at,))
                yield march
                yield march.model_copy(update={"retreats": True})


def decisions(state: TangaState) -> list[Decision]:
    """Make every decision for each unit alone."""
    results: list[Decision | None] = [choose_next_hex(state, march) for march in marches(state)]
    for unit in state.units.values():
        if unit.side == "british":
            alone = (unit,)
            results += [choose_target(state, alone, melee=melee) for melee in (False, True)]
            results += [choose_ro_hex(state, alone, rout=rout) for rout in (False, True)]
            results += [choose_objective(state, alone)]
    return [decision for decision in results if decision is not None]


@settings(max_examples=FEW)
@given(positions())
def test_ta_0_3_choice_is_a_candidate_and_every_other_was_excluded(state: TangaState) -> None:
    for decision in decisions(state):
        assert list(decision.candidates) == sorted(set(decision.candidates))
        if decision.chosen is None:
            assert decision.candidates == ()
            continue
        assert decision.chosen in decision.candidates
        out = [hex_ for row in decision.rows for hex_ in row.out]
        assert sorted([*out, decision.chosen]) == list(decision.candidates)


@settings(max_examples=FEW)
@given(positions(), st.randoms())
def test_ta_0_3_the_order_of_units_never_matters(state: TangaState, shuffler) -> None:
    shuffled = list(state.units.items())
    shuffler.shuffle(shuffled)
    shuffled_state = state.model_copy(update={"units": dict(shuffled)})
    answers = {(decision.question, decision.units, decision.why): decision for decision in decisions(state)}
    assert answers == {
        (decision.question, decision.units, decision.why): decision for decision in decisions(shuffled_state)
    }


@settings(max_examples=FEW)
@given(positions(), st.data())
def test_ta_0_3_without_a_losing_target_the_choice_is_the_same(state: TangaState, data) -> None:
    unit = data.draw(st.sampled_from([unit for unit in state.units.values() if unit.side == "british"]))
    for melee in (False, True):
        decision = choose_target(state, (unit,), melee=melee)
        losers = [hex_ for hex_ in decision.candidates if hex_ != decision.chosen] if decision else []
        if not losers:
            continue
        gone = {loser.id for loser in units_at(state, data.draw(st.sampled_from(losers)))}
        remaining = {key: unit_ for key, unit_ in state.units.items() if key not in gone}
        assert (
            choose_target(state.model_copy(update={"units": remaining}), (unit,), melee=melee).chosen == decision.chosen
        )


@settings(max_examples=FEW)
@given(positions())
def test_ta_9_5_no_hex_is_chosen_that_is_prohibited(state: TangaState) -> None:
    for decision in decisions(state):
        units = tuple(state.units[unit] for unit in decision.units)
        if decision.chosen is None or decision.chosen == units[0].at:
            continue
        if decision.question is Question.STEP:
            assert decision.chosen in passable_hexes(state, units)
        if decision.question is Question.RETREAT_HEX:
            assert can_enter(state, units, decision.chosen)


@settings(max_examples=FEW)
@given(positions())
def test_ta_9_5_no_march_ends_where_it_may_not_stay(state: TangaState) -> None:
    for march in marches(state):
        units = tuple(state.units[unit] for unit in march.units)
        going = march
        while (chosen := choose_next_hex(state, going).chosen) is not None:
            cost = 1 if going.retreats else house_board().cost(chosen)
            assert chosen.distance(going.way[-1]) == 1
            assert chosen not in going.way
            going = going.model_copy(update={"way": (*going.way, chosen), "left": going.left - cost})
        assert going.left >= 0
        if len(going.way) > 1:
            assert can_enter(state, units, going.way[-1])


@settings(max_examples=FEW)
@given(positions(), st.sampled_from([True, False, None]), st.sampled_from([True, False, None]))
def test_ta_1_contents_of_a_marker_change_no_decision(state: TangaState, first, second) -> None:
    markers = {marker.id: marker for marker in (marker("13-a", real=first), marker("13-b", real=second))}
    assert decisions(state.model_copy(update={"markers": markers})) == decisions(state)
