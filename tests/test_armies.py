"""Whole armies added to a table, from plain lines or a printed list."""

from itertools import combinations
from typing import Any

import pytest

from rules.core.model import PUBLIC, UMPIRE
from rules.core.refusal import Refused
from rules.core.ruleset import Ruleset
from rules.core.tabletop import table
from rules.core.tabletop.army_lines import ArmyLineReader
from rules.core.tabletop.battle import TableState
from rules.registry import rulesets

from .hidden_tables import create_dice, lay_bare_table, lay_table_with_hidden_unit, system

__all__ = ["system"]

MAGDALA = rulesets()["magdala"]
EXAMPLE = "24 British regulars, breechloaders: 1st Berkshires, with Sir John McNeill"


def file_type(system: Ruleset[Any]) -> Any:
    return type(system).battles.file_type  # type: ignore[attr-defined]


def muster_army(system: Ruleset[Any], state: TableState[Any], **words: Any) -> TableState[Any]:
    after, _ = system.act(state, system.parse("muster", words), create_dice())
    return after


def test_the_worked_examples() -> None:
    """Lines `24 British regulars, breechloaders: 1st Berkshires, with Sir John McNeill` and `3 Zulu impis of 36`."""
    state = muster_army(MAGDALA, lay_bare_table(MAGDALA, in_secret=False), side="red", lines=f"# ours\n\n{EXAMPLE}\n")
    berkshires, leader = (
        next(u for u in state.units.values() if u.name == n) for n in ("1st Berkshires", "Sir John McNeill")
    )
    assert (berkshires.figures, berkshires.general, leader.place) == (24, leader.id, berkshires.place)
    state = muster_army(MAGDALA, state, side="blue", lines="3 Zulu impis of 36")
    assert [(u.name, u.figures) for u in state.units_of("blue")] == [(f"Zulu impi {n}", 36) for n in (1, 2, 3)]
    MAGDALA.require_valid_state(state)
    MAGDALA.act(state, MAGDALA.parse("begin", {}), create_dice())


def test_a_line_places_its_unit_and_leader_and_rows_hold_the_others() -> None:
    lines = (
        "Gatling gun: Left",
        "British regulars, breechloaders: Buffs, with Graham, at C3",
        "Zulu impi: Z, at E2 facing west",
    )
    state = muster_army(MAGDALA, lay_bare_table(MAGDALA, in_secret=False), side="red", lines="\n".join(lines))
    places = {unit.name: unit.place for unit in state.units.values()}
    assert (places["Buffs"].x, places["Buffs"].y, places["Buffs"].facing) == (30, 30, 90), "away from its own edge"
    assert places["Graham"] == places["Buffs"]
    assert places["Z"].facing == 270
    assert places["Left"].x < 12, "before its edge in the west"
    for place, why in (
        ("C3", "Y would stand on Buffs"),
        ("Z9", "would stand off the table"),
        ("A1 NW", "off the table"),
    ):
        with pytest.raises(Refused, match=why):
            muster_army(MAGDALA, state, side="red", lines=f"Zulu impi: Y, at {place}")


def test_a_name_with_a_place_in_it_stays_a_name() -> None:
    lines = '24 Zulu impi: Post at C3\n24 Zulu impi: "Post, at C3"'
    units, doubts = ArmyLineReader(file_type(MAGDALA)).read(lines)
    assert ([(unit.name, unit.at) for unit in units], list(doubts)) == ([("Post at C3", ""), ("Post, at C3", "")], [])


def test_a_taken_name_gets_the_next_free_number() -> None:
    state = muster_army(
        MAGDALA, lay_bare_table(MAGDALA, in_secret=False), side="red", lines="3 Zulu impis of 36\nZulu impi: Left"
    )
    state = muster_army(MAGDALA, state, side="red", lines="Zulu impi: Zulu impi 2\nZulu impi: Left\n2 Zulu impis of 12")
    names = [unit.name for unit in state.units.values()][4:]
    assert names == ["Zulu impi 4", "Left 2", "Zulu impi 5", "Zulu impi 6"]


def test_an_unclear_line_adds_nothing_and_suggests_the_nearest_troops() -> None:
    state = lay_bare_table(MAGDALA, in_secret=False)
    with pytest.raises(Refused, match=r"line 2, “12 Zlu imps”.*nearest"):
        muster_army(MAGDALA, state, side="red", lines=f"{EXAMPLE}\n12 Zlu imps")
    units, doubts = ArmyLineReader(file_type(MAGDALA)).read(f"{EXAMPLE}\nregulars")
    assert ([unit.name for unit in units], [doubt.number for doubt in doubts]) == (["1st Berkshires"], [2])
    assert "may be any of these" in doubts[0].why


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        ("", "no unit"),
        ("# only words", "no unit"),
        ("Zulu impi\n" * 61, "the limit is 60"),
        ("40 Zulu impis of 36", "1 to 30 units"),
        ("2 Zulu impis of 36, with Cetshwayo", "One leader"),
        ("0 Zulu impi", "from 1 to 500"),
        ("a: b: c", "more than one colon"),
    ],
)
def test_a_refused_army_says_what_to_do(lines: str, why: str) -> None:
    with pytest.raises(Refused, match=why):
        muster_army(MAGDALA, lay_bare_table(MAGDALA, in_secret=False), side="red", lines=lines)


def test_a_system_without_leaders_refuses_a_leader() -> None:
    charge = rulesets()["charge"]
    with pytest.raises(Refused, match="Nobody leads"):
        muster_army(charge, lay_bare_table(charge, in_secret=False), side="red", lines="Gun: Guns, with Somebody")


def test_units_of_every_printed_list_do_not_overlap(system: Ruleset[Any]) -> None:
    ways = file_type(system).ways
    for battle in type(system).battles.all.values():  # type: ignore[attr-defined]
        for side in battle.sides:
            state = muster_army(
                system, lay_bare_table(system, in_secret=False), side="blue", battle=f"{battle.id} {side.id}"
            )
            lines = [
                line
                for line in battle.units
                if line.side == side.id and line.is_chosen_by(battle.choices_with_defaults({}))
            ]
            assert len(state.units) == len(lines), battle.id
            on_table = [unit for unit in state.units.values() if unit.place is not None]
            solid = ways.placement.bases(unit for unit in on_table if ways.takes_ground(unit))
            apart = {base.at: base for base in ways.placement.bases(on_table)}.values()
            for standing in (solid, apart):
                assert not [pair for pair in combinations(standing, 2) if table.are_overlapping(*pair)], battle.id
            system.require_valid_state(state)


def test_names_that_are_taken_are_numbered(system: Ruleset[Any]) -> None:
    first = next(iter(system.troops.values())).name
    state = lay_bare_table(system, in_secret=False)
    for _ in range(2):
        state = muster_army(system, state, side="red", lines=f"{first}: Ours")
    assert [unit.name for unit in state.units.values()] == ["Ours", "Ours 2"]


def test_a_unit_without_clearance_is_named() -> None:
    state, lines = lay_bare_table(MAGDALA, in_secret=False), "30 Zulu impis of 36\n" * 6
    for width, within in ((72.0, 24), (24.0, 12)):
        with pytest.raises(Refused, match=f'no room for Zulu impi .* within {within}" of its edge'):
            muster_army(MAGDALA, state.model_copy(update={"width": width}), side="red", lines=lines)


def test_an_army_with_choices_contains_the_chosen_units() -> None:
    """MM-A: four battalions of British, of Indians, or two of each; an imam or none."""
    frontier, choices = "north-west-frontier british", {"battalions": "Indian"}
    state = muster_army(MAGDALA, lay_bare_table(MAGDALA, in_secret=False), side="red", battle=frontier, choices=choices)
    assert {"15th Sikhs", "2nd Gurkhas"} <= {unit.name for unit in state.units.values()}
    assert "1st Buffs" not in {unit.name for unit in state.units.values()}
    for wrong, why in (({"elephants": "two"}, "no choice"), ({"battalions": "Zulu"}, "Choose one of")):
        with pytest.raises(Refused, match=why):
            muster_army(MAGDALA, lay_bare_table(MAGDALA, in_secret=False), side="red", battle=frontier, choices=wrong)


def test_the_book_shows_the_effect_of_a_choice_on_its_side() -> None:
    book = MAGDALA.bare_tables.army_book
    battalions, cavalry = book.choices_of_list("north-west-frontier british")
    assert book.units_by_option("north-west-frontier british", cavalry)["Indian lancers"] == ["11th Bengal Lancers"]
    assert book.units_by_option("north-west-frontier british", battalions)["Indian"] == (
        ["15th Sikhs", "36th Sikhs", "3rd Sikhs", "2nd Gurkhas"]
    )
    assert [choice.name for choice in book.choices_of_list("north-west-frontier pathans")] == ["imam"]
    assert not book.choices_of_list("suakin-1885 british")
    assert any(
        "Sikhs" in line for line in book.summarize_list("north-west-frontier british", {"battalions": "Indian"}).units
    )


def summarize_side(system: Ruleset[Any], state: TableState[Any]) -> list[Any]:
    """Return strength, name, kind and leaders of the first side's units, as army lines keep them."""
    lines, (strength,), leading = (
        ArmyLineReader(file_type(system)),
        file_type(system).strength_fields,
        file_type(system).leading,
    )
    field = leading.field if leading else "id"
    return [
        [unit.name, getattr(unit, strength), getattr(state.units.get(getattr(unit, field) or ""), "name", None)]
        + [getattr(unit, name) for name in lines.allowed_fields]
        for unit in sorted(state.units_of("red"), key=lambda unit: unit.name)
    ]


def test_every_printed_army_survives_writing_and_reading(system: Ruleset[Any]) -> None:
    for battle in type(system).battles.all.values():  # type: ignore[attr-defined]
        for side in battle.sides:
            first = muster_army(
                system, lay_bare_table(system, in_secret=False), side="red", battle=f"{battle.id} {side.id}"
            )
            lines = system.bare_tables.army_book.write_army(first, "red")
            rewritten = muster_army(system, lay_bare_table(system, in_secret=False), side="red", lines=lines)
            assert summarize_side(system, rewritten) == summarize_side(system, first), battle.id
            assert system.bare_tables.army_book.write_army(rewritten, "red") == lines
            system.require_valid_state(rewritten)


def test_a_written_force_has_present_strengths_and_no_lost_units() -> None:
    state = muster_army(
        MAGDALA, lay_bare_table(MAGDALA, in_secret=False), side="red", lines=f"{EXAMPLE}\n12 Zulu impi: Gone"
    )
    berkshires, gone = (next(u.id for u in state.units.values() if u.name == n) for n in ("1st Berkshires", "Gone"))
    state = state.changed(berkshires, casualties=7).changed(gone, casualties=12)
    lines = MAGDALA.bare_tables.army_book.write_army(state, "red")
    assert lines == "17 British regulars, breechloaders: 1st Berkshires, with Sir John McNeill"
    assert MAGDALA.bare_tables.army_book.write_army(state, "blue") == ""


def test_a_side_writes_only_its_own_hidden_units(system: Ruleset[Any]) -> None:
    state, enemy, unit = lay_table_with_hidden_unit(system)
    for viewer, writes in ((unit.side, True), (UMPIRE, True), (enemy.side, False), (PUBLIC, False)):
        assert bool(system.bare_tables.army_book.write_army(system.view(state, viewer), unit.side)) is writes


def test_an_unfit_leader_is_refused() -> None:
    empire = rulesets()["empire"]
    for ruleset, lines in ((MAGDALA, "General: Gordon, with Kitchener"), (MAGDALA, "Zulu impi: A, with B (Zulu impi)")):
        with pytest.raises(Refused, match="cannot be with"):
            muster_army(ruleset, lay_bare_table(ruleset, in_secret=False), side="red", lines=lines)
    with pytest.raises(Refused, match="cannot be with"):
        muster_army(empire, lay_bare_table(empire, in_secret=False), side="red", lines="Leader: Gordon, with Kitchener")
    both = "Ghazis: A, with B (brigade Left), with C (Army commander)"
    state = muster_army(empire, lay_bare_table(empire, in_secret=False), side="red", lines=both)
    host = next(unit.id for unit in state.units.values() if unit.name == "A")
    assert {unit.name for unit in state.units.values() if unit.attached_to == host} == {"B", "C"}
    empire.require_valid_state(state)


def test_secret_units_of_the_enemy_do_not_change_an_army(system: Ruleset[Any]) -> None:
    first = next(iter(system.troops.values())).name
    tables = []
    for more_lines in ("", f"{first}: Ours\n3 {first} of 2: Ours"):
        state = lay_bare_table(system, in_secret=True)
        if more_lines:
            state = muster_army(system, state, side="red", lines=more_lines)
        state, report = system.act(
            state, system.parse("muster", {"side": "blue", "lines": f"{first}: Ours"}), create_dice()
        )
        tables.append((report, system.view(state, "blue").units))
    assert tables[0] == tables[1]
