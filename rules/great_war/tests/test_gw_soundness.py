"""Tables from outside, the umpire's corrections, saved states, and mirrored boards."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rules.core.dice import NoDice
from rules.core.refusal import Refused
from rules.core.state import Side
from rules.core.tests.scripted import ScriptedDice
from rules.great_war.model import Bogged, Flags, GreatWarState
from rules.great_war.scenarios import SCENARIOS
from rules.great_war.tables import chart_number

from .field import BRITISH, GERMANS, HQ, OPEN, SYSTEM, act, field, ground_with, hex_at, label_at, refusal


def trench() -> GreatWarState:
    """Return the trench scenario at its start."""
    return SYSTEM.setup("trench", {}, NoDice())


def with_unit(unit_id: str, **changed: Any) -> GreatWarState:
    """Return the trench scenario with changed fields of a unit."""
    return trench().changed(unit_id, **changed)


def trench_with_flags(**changed: Any) -> GreatWarState:
    """Return the trench scenario with flags that wait for an answer."""
    fields = {"unit": "deborah", "by": "84th-infantry", "flags": 1, "may_ignore": 0, "may_gain": False} | changed
    return trench().model_copy(update={"flags": Flags(**fields)})


@pytest.mark.parametrize("scenario", SCENARIOS.all)
def test_gw_every_scenario_is_sound_and_survives_saving(scenario: str) -> None:
    state = SYSTEM.setup(scenario, {}, NoDice())
    SYSTEM.require_valid_state(state)
    assert GreatWarState.model_validate_json(state.model_dump_json()) == state
    for unit in state.units.values():
        assert unit.figures == chart_number(unit.arm, "figures")


THIS_TURN = trench().unit("deborah").this_turn
UNSOUND = [
    (trench().model_copy(update={"west": "nobody"}), "west"),
    (trench().model_copy(update={"phase": "tea"}), "phase"),
    (trench().model_copy(update={"map": "moon"}), "map"),
    (trench().model_copy(update={"medals": {"nobody": 1}}), "medals"),
    (trench().model_copy(update={"sides": (*trench().sides, Side(id="x", name="X", index=2))}), "sides"),
    (trench().model_copy(update={"wire": frozenset({hex_at("4040")})}), "wire"),
    (with_unit("deborah", at=hex_at("4040")), "4040"),
    (with_unit("deborah", at=trench().unit("daphne").at), "0202"),
    (with_unit("deborah", figures=2), "deborah"),
    (with_unit("deborah", figures=0), "deborah"),
    (with_unit("1st-essex", bogged=Bogged.BOGGED), "1st-essex"),
    (with_unit("1st-essex", this_turn=THIS_TURN.model_copy(update={"bonus": True})), "1st-essex"),
    (with_unit("1st-essex", this_turn=THIS_TURN.model_copy(update={"entered": hex_at("4040")})), "1st-essex"),
    (trench_with_flags(unit="nobody"), "flags"),
    (trench_with_flags(by="daphne"), "flags"),
    (trench_with_flags(may_ignore=2), "flags"),
]


@pytest.mark.parametrize(("state", "place"), UNSOUND)
def test_gw_a_table_that_contradicts_itself_is_refused_with_the_place(state: GreatWarState, place: str) -> None:
    with pytest.raises(Refused) as refused:
        SYSTEM.require_valid_state(state)
    assert place in str(refused.value)


def test_gw_a_vehicle_in_a_ford_is_refused() -> None:
    state = SYSTEM.setup("village", {}, NoDice()).changed("euphrates", at=hex_at("0807"))
    with pytest.raises(Refused, match="euphrates: it cannot stand there"):
        SYSTEM.require_valid_state(state)


@pytest.mark.parametrize("field_", ["medals", "tokens"])
def test_gw_medals_are_never_negative(field_: str) -> None:
    data = trench().model_dump(mode="json") | {field_: {"british": -1}}
    with pytest.raises(ValueError, match=field_):
        GreatWarState.model_validate(data)


@pytest.mark.parametrize(
    ("unit", "field_", "value", "why"),
    [
        ("male", "place", "0303", "taken by Infantry"),
        ("male", "place", "0104", "cannot stand"),
        ("male", "place", "0105", "cannot stand"),
        ("gun", "place", "0105", "cannot stand"),
        ("infantry", "place", "0104", "cannot stand"),
        ("male", "place", "9999", "off this map"),
        ("infantry", "figures", "5", "4 at most"),
        ("infantry", "bogged", "bogged", "Only tanks bog"),
    ],
)
def test_gw_invalid_corrections(unit: str, field_: str, value: str, why: str) -> None:
    ground = ground_with("=", "0105", ground=ground_with("~", "0104"))
    state = field(ground, "british male 0203", "british gun 0204", "germans infantry 0303")
    assert why in refusal(state, "set", unit=unit, field=field_, value=value)


def test_gw_the_umpire_sets_adds_and_removes() -> None:
    state = field(OPEN, "british male 0203", "germans infantry 0303")
    moved, _ = act(state, "set", unit="male", field="place", value="0505")
    assert label_at(moved, "male") == "0505"
    bogged, _ = act(state, "set", unit="male", field="bogged", value="bogged")
    assert bogged.unit("male").is_stuck
    added, _ = act(state, "add_unit", troop="A7V", side="germans", name="Wotan")
    assert label_at(added, "wotan") == "gone"
    down, _ = act(added, "set", unit="wotan", field="place", value="0801")
    assert (label_at(down, "wotan"), down.unit("wotan").figures) == ("0801", 2)
    assert "wotan" not in act(down, "remove_unit", unit="wotan")[0].units


@pytest.mark.parametrize(("kind", "args"), [("remove_unit", {}), ("set", {"field": "place", "value": "0606"})])
@pytest.mark.parametrize("unit", ["male", "infantry"])
def test_gw_flags_disappear_with_their_units(kind: str, args: dict[str, str], unit: str) -> None:
    open_ = {"unit": "infantry", "by": "male", "flags": 1, "may_ignore": 0, "may_gain": True}
    state = field(OPEN, "british male 0203", "germans infantry 0303", "germans mg 0806", "british mg 0006", flags=open_)
    assert act(state, kind, unit=unit, **args)[0].flags is None


def mirror(state: GreatWarState, ground: str) -> GreatWarState:
    """Return the board mirrored west to east. It has nine columns, so odd columns stay odd."""

    def over(hex_: Any) -> Any:
        return None if hex_ is None else type(hex_).at(8 - hex_.column, hex_.row)

    mirrored = field("\n".join(" ".join(reversed(line.split())) for line in ground.split("\n") if line.strip()))
    units = {
        unit.id: unit.model_copy(
            update={
                "at": over(unit.at),
                "this_turn": unit.this_turn.model_copy(update={"entered": over(unit.this_turn.entered)}),
            }
        )
        for unit in state.units.values()
    }
    return state.model_copy(
        update={"map": mirrored.map, "units": units, "wire": frozenset(map(over, state.wire)), "west": GERMANS}
    )


PLACES = st.integers(0, 8), st.integers(0, 6)
WORDS = st.sampled_from(["infantry", "mg", "mortar", "gun", "male", "female", "a7v"])
GROUNDS = [ground_with(letter, "0203", "0303", "0402", "0504", "0603", "0304") for letter in ".tcfbh"]


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.sampled_from(GROUNDS),
    st.lists(st.tuples(st.sampled_from([BRITISH, GERMANS]), WORDS, st.tuples(*PLACES)), min_size=4, max_size=9,
             unique_by=lambda row: row[2]),
    st.sampled_from(["moves", "battles"]),
    st.sets(st.tuples(*PLACES), max_size=4),
)  # fmt: skip
def test_gw_mirrored_board_gives_the_same_game(
    ground: str, lines: list[tuple[str, str, tuple[int, int]]], phase: str, wire: set[tuple[int, int]]
) -> None:
    units = [f"{side} {word} {column:02}{row:02} ordered" for side, word, (column, row) in lines]
    state = field(ground, *units, phase=phase, wire=" ".join(f"{c:02}{r:02}" for c, r in sorted(wire)))
    if len({unit.side for unit in state.units.values()}) < 2 or len(state.stacks.by_hex) < len(state.units):
        return
    mirrored = mirror(state, ground)

    def all_of(table: GreatWarState) -> set[tuple[Any, ...]]:
        turn = table is mirrored
        rows = set()
        for action in SYSTEM.legal_actions(table, BRITISH):
            if action.kind == "move":
                column, row = int(action.to[:2]), int(action.to[2:])
                rows.add(("move", action.unit, 8 - column if turn else column, row))
            elif action.kind in ("fire", "melee"):
                odds = SYSTEM.odds(table, action)
                assert sum(outcome.chance for outcome in odds.outcomes) == 1
                assert sum(chance for _, chance in odds.distribution) == 1
                rows.add((action.kind, action.unit, action.target, *(outcome.chance for outcome in odds.outcomes)))
        return rows

    assert all_of(state) == all_of(mirrored)


@pytest.mark.parametrize(
    ("kind", "fields", "number"),
    [("fire", {"range": 2}, 3), ("fire", {"range": 2, "with": "target in trench, at A7V"}, 3), ("melee", {}, 4)],
)
def test_gw_questions_without_a_game_are_thrown(kind: str, fields: dict[str, Any], number: int) -> None:
    against = {"against": "infantry"} if kind == "melee" else {}
    state, action = SYSTEM.ad_hoc.set_up(kind, {"troop": "Mark IV male", **against, **fields})
    assert state.throws_at_once
    _, report = SYSTEM.act(state, action, ScriptedDice((HQ,) * number))
    assert "0 hits" in report.headline


def test_gw_refusal_of_an_unknown_hex_lists_destinations() -> None:
    state = field(OPEN, "british mg 0003 ordered", phase="moves")
    assert "Say where to. In reach: 0002, 0004, 0102, 0103." in refusal(state, "move", unit="mg")


def test_gw_unit_off_the_map_is_sound_and_listed() -> None:
    state, _ = SYSTEM.act(
        trench(), SYSTEM.parse("add_unit", {"troop": "A7V", "side": GERMANS, "name": "Wotan"}), NoDice()
    )
    SYSTEM.require_valid_state(state)
    assert [standing.text for standing in SYSTEM.unit_standings(state, ["wotan"])] == ["Wotan is off the map."]
    with pytest.raises(Refused, match="deborah"):
        SYSTEM.require_valid_state(with_unit("deborah", figures=0))
