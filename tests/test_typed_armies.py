"""Armies as people type them: each line of the corpus means its units, or is asked with the reason."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.core.refusal import Refused
from rules.core.tabletop.army_book import ArmyBook
from rules.core.tabletop.army_entries import ArmyUnit, write_lines, write_unit_groups
from rules.core.tabletop.army_lines import ArmyLineReader
from rules.core.tabletop.army_reader import ArmyReader
from rules.core.tabletop.army_words import describe_fields
from rules.core.typed_text import simplify_signs
from rules.registry import rulesets

from .daily_choice import choose_daily
from .hidden_tables import lay_bare_table
from .test_armies import file_type, muster_army
from .test_army_lines import armies

SYSTEMS = {name: ArmyLineReader(file_type(rulesets()[name])) for name in ("magdala", "empire", "charge")}
READERS = {name: ArmyReader(lines) for name, lines in SYSTEMS.items()}
CORPUS = Path(__file__).with_name("typed_armies.txt")
LISTS = Path(__file__).with_name("typed_army_lists.txt")
IMPI = SYSTEMS["magdala"].troops.all["zulus"]
GATLING = SYSTEMS["magdala"].troops.all["gatling"]


def corpus() -> Iterator[tuple[str, str, str, list[str]]]:
    """The system, side, line and meanings of each line of the corpus."""
    system = side = ""
    line, meanings = "", list[str]()
    for text in CORPUS.read_text(encoding="utf-8").splitlines():
        if text.startswith("  "):
            meanings.append(text.strip())
            continue
        if meanings:
            yield system, side, line, meanings
            line, meanings = "", []
        if heading := re.fullmatch(r"\[(\w+)(?:: (.+))?\]", text):
            system, side = heading[1], heading[2] or ""
        else:
            line = text
    yield system, side, line, meanings


def told(unit: ArmyUnit) -> str:
    """The unit as the corpus tells it."""
    fields = [*describe_fields(unit.field_values), *(f"with {leader.name}" for leader in unit.leaders)]
    fields += [f"at {unit.at}"] if unit.at else []
    return " | ".join(("= " + unit.troop.name, unit.name, str(unit.figures or "-"), *fields))


def flat(groups: Sequence[Sequence[ArmyUnit]]) -> list[ArmyUnit]:
    return [unit for group in groups for unit in group]


def test_every_line_of_the_corpus_means_its_units_or_is_asked() -> None:
    """Lines of printed scenarios, blogs and forums over three systems; those that could mean two things are asked."""
    errors = []
    for system, side, line, meanings in corpus():
        groups, doubts, _ = READERS[system].read(line, side)
        units = [told(unit) for unit in flat(groups)]
        is_asked = len(doubts) == 1 and meanings[0].startswith("? ") and meanings[0][2:] in doubts[0].why
        if units != meanings and not (is_asked and not units):
            errors.append((system, side, line, units or [doubt.why for doubt in doubts]))
    assert not errors


@pytest.mark.parametrize("block", LISTS.read_text(encoding="utf-8").split("\n\n")[1:])
def test_a_whole_list_means_its_units(block: str) -> None:
    """Layouts of books, blogs and spreadsheets: titles, tables with and without headings, dots, points, quantities."""
    heading, *lines = block.rstrip("\n").splitlines()
    system, _, side = heading.strip("[]").partition(": ")
    meanings = [line for line in lines if re.match("  [=#?] ", line)]
    groups, doubts, titles = READERS[system].read("\n".join(lines[: -len(meanings)]), side)
    assert [f"  {told(unit)}" for unit in flat(groups)] == [line for line in meanings if line[2] == "="]
    assert [f"  # {title}" for title in titles] == [line for line in meanings if line[2] == "#"]
    for doubt, question in zip(doubts, (line[4:] for line in meanings if line[2] == "?"), strict=True):
        number, _, why = question.partition(" ")
        assert (doubt.number, why in doubt.why) == (int(number), True), doubt


SIDES = {
    "magdala": ("British", "Mahdists", "Zulus", "Boers", "Egyptians"),
    "empire": ("British", "Zulus", "Indian Army", "Boers"),
    "charge": ("Prussians",),
}


def test_a_sides_nationality_never_makes_something_else_of_a_line() -> None:
    """It settles what is asked without it, or asks about troops of another nation."""
    for system, side, line, meanings in corpus():
        if side or meanings[0].startswith("? "):
            continue
        units = [told(unit) for unit in flat(READERS[system].read(line, choose_daily(SIDES[system]))[0])]
        assert units in ([], meanings), line


TELEPHONE = str.maketrans(
    {" ": "\u00a0", "-": "–", ":": "：", ",": "，", "(": "（", ")": "）"}
    | {str(digit): chr(0xFF10 + digit) for digit in range(10)}
)


def test_lines_mean_the_same_as_telephones_type_them() -> None:
    for system, side, line, meanings in corpus():
        if line.startswith((">", "-")):
            continue
        groups, doubts, _ = READERS[system].read(f"•\u00a0{line.translate(TELEPHONE)}", side)
        units = [simplify_signs(told(unit)) for unit in flat(groups)]
        assert units == [simplify_signs(meaning) for meaning in meanings] or (
            doubts and meanings[0].startswith("? ") and not units
        ), line


def test_what_is_understood_is_stored_as_lines_that_mean_the_same() -> None:
    """What a preview shows is put on: typed lines become lines of the stored form, for either reader."""
    for system, side, line, _ in corpus():
        groups, doubts, _ = READERS[system].read(line, side)
        if doubts:
            continue
        text = write_unit_groups(groups)
        entries, refused = SYSTEMS[system].read(text)
        assert not refused, text
        units = [SYSTEMS[system].make_unit(entry, "unit", "none") for entry in entries]
        assert units == [SYSTEMS[system].make_unit(entry, "unit", "none") for entry in flat(groups)], text
        reread, doubts, _ = READERS[system].read(text, side)
        assert (write_unit_groups(reread), list(doubts)) == (text, [])


@pytest.mark.parametrize("name", ["A DOZEN", "half a dozen", "two dozen", "twelve", "12"])
def test_a_name_that_is_a_number_stays_a_name(name: str) -> None:
    unit = ArmyUnit(SYSTEMS["charge"].troops.find("Company of infantry"), name)
    groups, doubts, _ = READERS["charge"].read(write_lines([unit]))
    assert (flat(groups), list(doubts)) == ([unit], [])


@given(armies())
def test_stored_lines_are_read_the_same_when_typed_again(army: tuple[str, list[ArmyUnit]]) -> None:
    """A line may be asked where a name could be troops, but never be read as something else."""
    system, units = army
    for unit in units:
        groups, doubts, _ = READERS[system].read(write_lines([unit]))
        assert doubts or flat(groups) == [unit]


@given(
    st.text(max_size=60) | st.text('24x×:,;()"“”‘’–- withofeach\nZulumpiGatnABgs', max_size=50),
    st.sampled_from([*SYSTEMS]),
)
def test_any_typed_lines_are_understood_or_asked(text: str, system: str) -> None:
    try:
        groups, *_ = READERS[system].read(text)
    except Refused:
        return
    reread, doubts = SYSTEMS[system].read(write_unit_groups(groups)) if groups else ((), ())
    assert not doubts
    assert [unit.name for unit in reread] == [unit.name for unit in flat(groups)]


@pytest.mark.parametrize("system", SYSTEMS)
def test_what_army_show_and_the_preview_print_is_read(system: str) -> None:
    """Every printed list, as it is shown, copied with its bullets and total."""
    ruleset: Any = rulesets()[system]
    book: ArmyBook = ruleset.bare_tables.army_book
    for key, title in book.army_list_titles.items():
        ways = [{choice.name: option} for choice in book.choices_of_list(key) for option in choice.options]
        for summary in (book.summarize_list(key, way) for way in (ways or [{}])):
            text = "\n".join([*(f"• {line}" for line in summary.units), summary.total])
            for side in ("", title.partition(": ")[2]):
                reread = book.summarize_typed_lines(text, side)
                assert not reread.doubts, (key, reread.doubts[:2])
                assert (reread.units, reread.titles) == (summary.units, [summary.total]), key
                assert book.summarize_typed_lines(reread.lines, side).units == summary.units, key


def test_names_with_signs_of_their_own_are_shown_so_that_they_are_read() -> None:
    book: ArmyBook = rulesets()["magdala"].bare_tables.army_book
    text = '24 Zulu impi: "Men, with: guns", with "A, B"\n24 Zulu impi (lancer): "12 hussars", with C (Imam)'
    summary = book.summarize_typed_lines(text)
    reread = book.summarize_typed_lines("\n".join(summary.units))
    assert (reread.lines, reread.units) == (summary.lines, summary.units) == (text, summary.units)


def test_a_line_without_end_is_refused_at_once() -> None:
    (doubt,) = READERS["magdala"].read("a, " * 600)[1]
    assert "at most 400 characters" in doubt.why


def test_a_crew_of_stored_armies_stays_a_crew() -> None:
    """Armies kept before, and journals, count the crew: `3 Gatling gun: A` in the stored form is one gun of three."""
    (unit,), doubts = SYSTEMS["magdala"].read("3 Gatling gun: Naval Brigade")
    assert (unit, list(doubts)) == (ArmyUnit(GATLING, "Naval Brigade", 3), [])
    assert write_lines([unit]) == "Gatling gun, 3 figures: Naval Brigade"
    assert SYSTEMS["magdala"].read("Gatling gun, 3 figures: Naval Brigade")[0] == [unit]
    assert write_lines([ArmyUnit(IMPI, "Left", 24)]) == "24 Zulu impi: Left"
    assert write_lines([ArmyUnit(IMPI, "Left", 1)]) == "Zulu impi, 1 figure: Left"


def test_typed_guns_are_put_on_as_so_many_guns() -> None:
    magdala: Any = rulesets()["magdala"]
    lines = magdala.bare_tables.army_book.summarize_typed_lines(
        "2 Gatling guns: Naval Brigade\n2 generals: Graham"
    ).lines
    state = muster_army(magdala, lay_bare_table(magdala, in_secret=False), side="red", lines=lines)
    assert [(unit.name, unit.figures) for unit in state.units.values()] == [
        ("Naval Brigade 1", 3), ("Naval Brigade 2", 3), ("Graham 1", 1), ("Graham 2", 1)
    ]  # fmt: skip


def test_numbers_that_count_the_lines_are_no_part_of_names() -> None:
    lines = "1. Left: 24 Zulu impi\n2. Right: 24 Zulu impi"
    assert [unit.name for unit in flat(READERS["magdala"].read(lines)[0])] == ["Left", "Right"]
    lines = "17. FK: 24 Zulu impi\n\n```\n• Right: 24 Zulu impi"
    assert [unit.name for unit in flat(READERS["magdala"].read(lines)[0])] == ["17. FK", "Right"]


def test_too_many_lines_or_none_are_refused() -> None:
    for text, why in (("", "no unit"), ("# ours", "no unit"), ("Zulu impi\n" * 61, "the limit is 60")):
        with pytest.raises(Refused, match=why):
            READERS["magdala"].read(text)
