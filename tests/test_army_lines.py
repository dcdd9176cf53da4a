"""Armies in plain lines: lines are parsed or refused with a reason, and written lines parse back."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.core.refusal import Refused
from rules.core.tabletop.army_entries import ArmyUnit, Leader, write_lines
from rules.core.tabletop.army_lines import ArmyLineReader
from rules.core.typed_text import clean_name
from rules.core.unit_lookup import LONGEST_NAME
from rules.registry import rulesets

from .test_armies import file_type

SYSTEMS = {name: ArmyLineReader(file_type(rulesets()[name])) for name in ("magdala", "empire", "charge")}


IMPI = "Zulu impi"


def parse_line(system: str, line: str) -> tuple[list[Any], list[str]]:
    """Parse a line. Return troops, name, strength and leaders of its units, and the doubtful parts."""
    units, doubts = SYSTEMS[system].read(line)
    parsed = [(unit.troop.name, unit.name, unit.figures, *(leader.name for leader in unit.leaders)) for unit in units]
    return parsed, [doubt.why for doubt in doubts]


@pytest.mark.parametrize(
    ("system", "line", "unit"),
    [
        ("magdala", "24 ZÜLU ímpis", (IMPI, "Zulu impi", 24)),
        ("magdala", "24x Zulu impi", (IMPI, "Zulu impi", 24)),
        ("magdala", "24 × Zulu impis:Left", (IMPI, "Left", 24)),
        ("magdala", "24×Zulu impi", (IMPI, "Zulu impi", 24)),
        ("magdala", "٢٤ Zulu impi", (IMPI, "Zulu impi", 24)),
        ("magdala", "24 British regulars (breechloaders): A with B", ("British regulars, breechloaders", "A", 24, "B")),
        ("magdala", "2 4.7-inch naval guns: Terrible", ("4.7-inch naval gun", "Terrible", 2)),
        ("magdala", "4.7-inch naval gun", ("4.7-inch naval gun", "4.7-inch naval gun", None)),
        ("magdala", 'Zulu impi: "Men, with: guns"', (IMPI, "Men, with: guns", None)),
        ("magdala", "Zulu impi: “Men with guns”, with “A, B”", (IMPI, "Men with guns", None, "A, B")),
        ("magdala", 'Zulu impi: HMS "Terrible" men', (IMPI, 'HMS "Terrible" men', None)),
        ("magdala", "Zulu impi: Left (of the chest)", (IMPI, "Left (of the chest)", None)),
        ("magdala", "Zulu impi: **🦁** <@1> @everyone", (IMPI, "**🦁** <@1> @everyone", None)),
        ("magdala", "Zulu impi, with Cetshwayo", (IMPI, "Zulu impi", None, "Cetshwayo")),
        ("magdala", "Zulu impi: with Cetshwayo", (IMPI, "Zulu impi", None, "Cetshwayo")),
        ("empire", "4 British regulars: 1st Foot, with McNeill", ("British regulars", "1st Foot", 4, "McNeill")),
        ("empire", "8 Zulus with firearms", ("Zulus with firearms", "Zulus with firearms", 8)),
        ("empire", "8 Zulus with firearms, with A", ("Zulus with firearms", "Zulus with firearms", 8, "A")),
        ("magdala", "• 24 Zulu impis： Left", (IMPI, "Left", 24)),
        ("magdala", "–\u00a024\u2009Zulu impi: O’Neill’s – “Lions”", (IMPI, "O’Neill’s – “Lions”", 24)),
        ("magdala", "1. 24 Zulu impi: 17. FK", (IMPI, "17. FK", 24)),
        ("magdala", "24 Zulu impi: „Men, with guns“， with «A, B»", (IMPI, "Men, with guns", 24, "A, B")),
        ("magdala", "24 Zulu impi: 👨‍👩‍👧 می‌خواهم\u200b", (IMPI, "👨‍👩‍👧 می‌خواهم", 24)),
        ("magdala", "24 Zulu\u00adimpi", (IMPI, "Zulu impi", 24)),
        ("charge", "16 Company of infantry: Kleist", ("Company of infantry", "Kleist", 16)),
        ("charge", "20 grenadiers: Old Guard", ("Company of grenadiers", "Old Guard", 20)),
    ],
)  # fmt: skip
def test_a_line_is_understood_as_people_write_it(system: str, line: str, unit: tuple[Any, ...]) -> None:
    assert parse_line(system, line) == ([unit], [])


@pytest.mark.parametrize(
    ("system", "line", "why"),
    [
        ("magdala", "12 Zlu imps", "nearest: Zulu impi"),
        ("magdala", "24x", "No troops are called"),
        ("magdala", "-5 Zulu impi", "No troops are called"),
        ("magdala", "²4 Zulu impi", "No troops are called"),
        ("magdala", "0 Zulu impi", "from 1 to 500"),
        ("magdala", "501 Zulu impi", "from 1 to 500"),
        ("magdala", f"{'9' * 30} Zulu impi", "from 1 to 500"),
        ("magdala", "Zulu impi: a: b", "more than one colon"),
        ("magdala", "Zulu impi: https://x.y", "more than one colon"),
        ("magdala", ": name", "names no troops"),
        ("magdala", f"Zulu impi: {'y' * 61}", "1 to 60 characters"),
        ("magdala", "Zulu impi: A\x1bB", "that can be shown"),
        ("magdala", "Zulu impi: \ue000", "cannot be shown"),
        ("magdala", "Zulu impi (nation Klingon): X", "none of: British"),
        ("magdala", "Zulu impi (quality -9): X", "at least -2"),
        ("magdala", "Zulu impi (secret quality 2): X", "No troops are called"),
        ("magdala", "British regulars, breechloaders: A, with B, with C", "one leader at most"),
        ("magdala", "Zulu impi: A, with (General)", "leader's name"),
        ("magdala", "x" * 4000, "No troops are called"),
        ("empire", "40 British regulars: X", "from 1 to 30 stands"),
        ("charge", "100 hussars", "from 1 to 99 figures"),
        ("magdala", "0 Zulu impis of 36", "1 to 30 units"),
        ("magdala", "24:", "names no troops. Write “24 British regulars, breechloaders: Number One”"),
        ("magdala", "Zulu impi (casualties 3): X", "In brackets a line may say: troop, order, nation"),
        ("magdala", "Zulu impi: X, with Y (Generall; brave)", "In brackets a line may say: troop, order, nation"),
        ("magdala", "British", "British regulars, breechloaders; British regulars, magazine rifles; "),
        ("magdala", "24 Brittish regulars", "British regulars, breechloaders; British regulars, magazine rifles; "),
        ("charge", "Gun: Guns, with Somebody", "Nobody leads"),
    ],
)
def test_an_unclear_line_is_refused_with_the_reason(system: str, line: str, why: str) -> None:
    units, doubts = parse_line(system, line)
    assert units == []
    assert why in doubts[0]


def test_units_of_a_line_get_numbers_within_the_name_limit() -> None:
    name = "n" * LONGEST_NAME
    units, _ = SYSTEMS["charge"].read(f"3 companies of infantry of 16: {name}")
    assert [(unit.name[-2:], len(unit.name)) for unit in units] == [(f" {at}", LONGEST_NAME) for at in (1, 2, 3)]


def test_words_in_brackets_are_read_and_written() -> None:
    line = '9 Egyptian cavalry, inferior (lancer; nation Boer): "2nd, lancers", with Osman (Imam; nation Boer)'
    units, doubts = SYSTEMS["magdala"].read(line)
    assert (write_lines(units), doubts) == (line, [])


@given(st.text(max_size=60) | st.text('24x×:,;()"“” withof\nZulumpiABnot', max_size=50), st.sampled_from([*SYSTEMS]))
def test_any_lines_are_understood_or_refused(text: str, system: str) -> None:
    lines = SYSTEMS[system]
    try:
        units, _ = lines.read(text)
    except Refused:
        return
    reread, doubts = lines.read(write_lines(units)) if units else ((), ())
    assert not doubts
    assert list(reread) == list(units)


SIGNS = st.characters(exclude_categories=["C", "Z"]) | st.sampled_from(' ":;,()')
NAMES = st.text(SIGNS, min_size=1, max_size=30).filter(lambda name: name.isprintable() and name == clean_name(name))


@st.composite
def armies(draw: st.DrawFn) -> tuple[str, list[ArmyUnit]]:
    """Any army of any system that lines can express."""
    system = draw(st.sampled_from([*SYSTEMS]))
    lines = SYSTEMS[system]
    troops = list(lines.troops.all.values())
    with_him = [
        troop for troop in troops if lines.leading and lines.leading.can_accompany(_made(troop), _made(troops[0]))
    ]

    def unit() -> ArmyUnit:
        has_leader = bool(with_him) and draw(st.booleans())
        leaders = [Leader(draw(NAMES), draw(st.none() | st.sampled_from(with_him)))] if has_leader else []
        figures = draw(st.none() | st.integers(1, 8))
        troop = troops[0] if leaders else draw(st.sampled_from(troops))
        changed = draw(st.sampled_from([(), *((name, getattr(_made(troop), name)) for name in lines.allowed_fields)]))
        return ArmyUnit(troop, draw(NAMES), figures, tuple(leaders), (changed,) if changed else ())

    return system, [unit() for _ in range(draw(st.integers(1, 4)))]


def _made(troop: Any) -> Any:
    return troop.make_unit("unit", "unit", "none")


@given(armies())
def test_any_army_survives_writing_and_reading(army: tuple[str, list[ArmyUnit]]) -> None:
    system, units = army
    reread, doubts = SYSTEMS[system].read(write_lines(units))
    assert (list(doubts), list(reread)) == ([], units)


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_troop_is_read_as_itself(system: str) -> None:
    units = [ArmyUnit(troop, "Unit", 1) for troop in SYSTEMS[system].troops.all.values()]
    assert list(SYSTEMS[system].read(write_lines(units))[0]) == units
