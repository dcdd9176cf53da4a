"""Tests that a game from outside with broken references is refused with the place."""

from typing import Any

import pytest

from rules.core.refusal import Refused
from rules.tanga import validation
from rules.tanga.model import BRITISH, Condition, TangaState, Trail
from rules.tanga.progress import BritishTurn

from .field import formation, hex_at, marker, state_of

STATE = state_of("13 A 3010", "13 B 3010", "17.FK 1 2813", markers=(marker("13-a", real=True), marker("13-b")))
TRAIL = Trail(hexes=(hex_at("3010"),), kind="move", side=BRITISH)


def unit(**fields: Any) -> TangaState:
    return STATE.changed("13-a", **fields)


def with_change(kind: str, key: str, **fields: Any) -> TangaState:
    """Return the state with one formation or marker changed."""
    items = getattr(STATE, kind)
    return STATE.model_copy(update={kind: {**items, key: items[key].model_copy(update=fields)}})


def turn(**fields: Any) -> TangaState:
    return STATE.model_copy(update={"british": BritishTurn(**fields)})


def test_ta_consistent_state_is_accepted() -> None:
    validation.check_state(STATE)
    validation.check_state(STATE.model_copy(update={"trails": (TRAIL,) * 5000, "before_last": STATE}))
    validation.check_state(turn(formation="13", done=("17.FK",), acted=("13-a",), offered=("13-b",)))
    validation.check_state(unit(ro=hex_at("3011"), condition=Condition.ELIMINATED, at=None))


@pytest.mark.parametrize(
    ("state", "why"),
    [
        (STATE.model_copy(update={"trails": (TRAIL,) * 5001}), "trails: there are 5000 at most"),
        (with_change("formations", "13", id="14"), "formations.13: it has another id"),
        (with_change("formations", "13", side="french"), "formations.13: there is no such side"),
        (with_change("formations", "13", beach="Z"), "formations.13.beach: the map has no such beach"),
        (unit(formation="14"), "units.13-a.formation: its side has no such one"),
        (unit(formation="17.FK"), "units.13-a.formation: its side has no such one"),
        (unit(at=hex_at("0101")), "units.13-a.at: it is no land hex of the map"),
        (unit(ro=hex_at("0101")), "units.13-a.ro: it is no land hex of the map"),
        (unit(condition=Condition.ELIMINATED), "units.13-a.at: it is eliminated"),
        (STATE.changed("17.fk-1", at=hex_at("3010")), "3010: both sides stand in it"),
        (
            with_change("markers", "13-a-marker", formation="14"),
            "markers.13-a-marker.formation: there is no such formation",
        ),
        (with_change("markers", "13-a-marker", company="13-z"), "markers.13-a-marker.company: it has no such one"),
        (with_change("markers", "13-a-marker", company="17.fk-1"), "markers.13-a-marker.company: it has no such one"),
        (with_change("markers", "13-b-marker", real=True), "markers of 13: they hide more than one machine gun"),
        (turn(formation="13", acted=("x",)), "british: there is no unit “x”"),
        (turn(formation="13", offered=("x",)), "british: there is no unit “x”"),
        (turn(formation="13", done=("x",)), "british: there is no formation “x”"),
        (
            STATE.model_copy(update={"before_last": STATE.model_copy(update={"before_last": STATE})}),
            "before_last: it has one of its own",
        ),
        (
            STATE.model_copy(update={"before_last": unit(at=hex_at("0101"))}),
            "units.13-a.at: it is no land hex of the map",
        ),
    ],
)
def test_ta_contradiction_is_refused_with_its_place(state: TangaState, why: str) -> None:
    with pytest.raises(Refused) as refused:
        validation.check_state(state)
    assert refused.value.why == f"{why}."


@pytest.mark.parametrize(("count", "is_accepted"), [(400, True), (401, False)])
def test_ta_a_game_has_four_hundred_units_at_most(count: int, is_accepted: bool) -> None:
    company = STATE.units["13-a"]
    units = {str(number): company.model_copy(update={"id": str(number), "at": None}) for number in range(count)}
    state = STATE.model_copy(update={"units": units, "markers": {}})
    if is_accepted:
        validation.check_state(state)
        return
    with pytest.raises(Refused, match="units: there are 400 at most"):
        validation.check_state(state)


def test_ta_battalions_need_entry_hexes_on_the_map() -> None:
    small = state_of("13 A 0201", on="columns 02-02\n01 .\n", formations=(formation("13"),))
    with pytest.raises(Refused, match=r"formations\.13: the map has no entry hexes"):
        validation.check_state(small)
