"""Armies put on a table as a whole: in plain lines, or as a printed list."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.core.refused import Refused
from rules.core.ruleset import Ruleset
from rules.core.tabletop import army_lines, table
from rules.core.tabletop.battle import TableState
from rules.registry import rulesets

from .test_hidden_troops import bare, dice, system

__all__ = ["system"]

MAGDALA = rulesets()["magdala"]
EXAMPLE = "24 British regulars, breechloaders: 1st Berkshires, with Sir John McNeill"


def troops_of(of: Ruleset[Any]) -> Any:
    return type(of).battles.file_type.troops  # type: ignore[attr-defined]


def mustered(of: Ruleset[Any], state: TableState[Any], **words: str) -> TableState[Any]:
    after, _ = of.act(state, of.parse("muster", words), dice())
    return after


def test_the_worked_examples() -> None:
    """`24 British regulars, breechloaders: 1st Berkshires, with Sir John McNeill` and `3 Zulu impis of 36`."""
    state = mustered(MAGDALA, bare(MAGDALA, in_secret=False), side="red", lines=f"# ours\n\n{EXAMPLE}\n")
    berkshires, leader = (
        next(u for u in state.units.values() if u.name == n) for n in ("1st Berkshires", "Sir John McNeill")
    )
    assert (berkshires.figures, berkshires.general, leader.place) == (24, leader.id, berkshires.place)
    state = mustered(MAGDALA, state, side="blue", lines="3 Zulu impis of 36")
    assert [(u.name, u.figures) for u in state.of_side("blue")] == [(f"Zulu impi {n}", 36) for n in (1, 2, 3)]
    MAGDALA.check(state)
    MAGDALA.act(state, MAGDALA.parse("begin", {}), dice())


def test_a_doubtful_line_is_told_with_the_nearest_and_nothing_is_put_on() -> None:
    state = bare(MAGDALA, in_secret=False)
    with pytest.raises(Refused, match=r"line 2, “12 Zlu imps”.*nearest"):
        mustered(MAGDALA, state, side="red", lines=f"{EXAMPLE}\n12 Zlu imps")
    units, doubts = army_lines.read(f"{EXAMPLE}\nregulars", troops_of(MAGDALA))
    assert ([one.name for one in units], [one.number for one in doubts]) == (["1st Berkshires"], [2])
    assert "may be any of these" in doubts[0].why


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        ("", "no unit"),
        ("# only words", "no unit"),
        ("Zulu impi\n" * 61, "60 is the most"),
        ("40 Zulu impis of 36", "30 units at most"),
        ("2 Zulu impis of 36, with Cetshwayo", "One leader"),
        ("0 Zulu impi", "from 1 to 500"),
        ("a: b: c", "more than one colon"),
    ],
)
def test_what_cannot_be_put_on_is_refused_with_what_to_do(lines: str, why: str) -> None:
    with pytest.raises(Refused, match=why):
        mustered(MAGDALA, bare(MAGDALA, in_secret=False), side="red", lines=lines)


def test_where_nobody_leads_units_a_leader_is_refused() -> None:
    charge = rulesets()["charge"]
    with pytest.raises(Refused, match="nobody leads"):
        mustered(charge, bare(charge, in_secret=False), side="red", lines="Gun: Guns, with Somebody")


def test_every_printed_list_is_put_on_with_nobody_on_another(system: Ruleset[Any]) -> None:
    ways = type(system).battles.file_type.ways  # type: ignore[attr-defined]
    for battle in type(system).battles.all.values():  # type: ignore[attr-defined]
        for side in battle.sides:
            state = mustered(system, bare(system, in_secret=False), side="blue", battle=f"{battle.id} {side.id}")
            listed = [line for line in battle.units if line.side == side.id and line.chosen(battle.choose({}))]
            assert len(state.units) == len(listed), battle.id
            solid = [
                ways.placement.base(u) for u in state.units.values() if u.place is not None and ways.takes_ground(u)
            ]
            assert not [1 for at, one in enumerate(solid) for other in solid[:at] if table.overlapping(one, other)]
            system.check(state)


def test_names_that_are_taken_are_numbered(system: Ruleset[Any]) -> None:
    first = next(iter(system.troops.values())).name
    state = bare(system, in_secret=False)
    for _ in range(2):
        state = mustered(system, state, side="red", lines=f"{first}: Ours")
    assert [unit.name for unit in state.units.values()] == ["Ours", "Ours 2"]


def test_what_finds_no_room_is_named() -> None:
    with pytest.raises(Refused, match="no room for Zulu impi"):
        mustered(MAGDALA, bare(MAGDALA, in_secret=False), side="red", lines="30 Zulu impis of 36\n" * 6)


@given(st.text(max_size=200))
def test_any_lines_are_understood_or_refused(text: str) -> None:
    try:
        units, _ = army_lines.read(text, troops_of(MAGDALA))
    except Refused:
        return
    again, doubts = army_lines.read(army_lines.written(units), troops_of(MAGDALA)) if units else ((), ())
    assert not doubts
    assert list(again) == list(units)


@given(
    st.lists(
        st.tuples(
            st.sampled_from(sorted(troops_of(MAGDALA).all)),
            st.none() | st.integers(1, 60),
            st.from_regex(r"[A-Z][a-z]{2,12}", fullmatch=True),
            st.sampled_from(["", "Sir John", "Gordon"]),
        ),
        min_size=1,
        max_size=12,
    )
)
def test_lines_that_are_written_are_read_as_the_same(army: list[tuple[str, int | None, str, str]]) -> None:
    troops = troops_of(MAGDALA)
    units = [army_lines.ArmyUnit(troops.all[troop], name, figures, leader) for troop, figures, name, leader in army]
    again, doubts = army_lines.read(army_lines.written(units), troops)
    assert (list(again), list(doubts)) == (units, [])
