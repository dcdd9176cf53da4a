"""Tests of the card's charts, as shown by `/rule` and as used by decisions (TA-0.3, TA-8, TA-9, TA-H.2)."""

from itertools import pairwise

import pytest

from rules.core.model import Mark
from rules.tanga.charts import all_charts, priority_chart
from rules.tanga.maps import house_board
from rules.tanga.priorities import Measure, WantedValue

from .field import hexes

PRIORITIES = ("target", "objective", "retreat-hex", "move")


def test_ta_0_3_the_card_has_four_charts_of_priorities() -> None:
    assert [chart for chart in all_charts() if chart in PRIORITIES] == list(PRIORITIES)


ROWS = {
    "target": "1 machine gun yes, 2 protection least, 3 combat factor most, 4 combat factor least, 5 black powder no, "
    "6 hex number least",
    "objective": "1 company's victory hex yes, 2 staff's beach hex yes, 3 Germans near a beach yes, 4 beach yes, "
    "5 embankment yes, 6 european town yes, 7 key building yes, nearest way least, 8 hex number least",
    "retreat-hex": "1 distance to the enemy most, 2 protection most, 3 hex number least",
    "move": "1 under opportunity fire no, 2 protection most, 3 cost least, 4 hex number least",
}


@pytest.mark.parametrize("chart", PRIORITIES)
def test_ta_0_3_rows_stand_as_on_the_card(chart: str) -> None:
    assert ", ".join(f"{row.row} {row.measure} {row.wants}" for row in priority_chart(chart).rows) == ROWS[chart]


@pytest.mark.parametrize("chart", PRIORITIES)
def test_ta_0_3_shown_chart_has_the_words_of_its_decisions(chart: str) -> None:
    chart_ = all_charts()[chart]
    assert [(row.label, row.cells[0].text, row.cite) for row in chart_.rows] == [
        (row.row, row.words, row.cite) for row in priority_chart(chart).rows
    ]
    assert {row.mark for row in chart_.rows} == {Mark.TEXT}


def test_ta_9_b_chart_shows_the_scope_of_each_row() -> None:
    assert [row.cells[1].text for row in all_charts()["objective"].rows] == [
        "all", "staff", "companies G and H", "staff", "scenario 1", "scenario 1, 2, 3", "campaign", "all", "all",
    ]  # fmt: skip
    assert [row.cells[1].text for row in all_charts()["target"].rows] == ["all", "all", "fire", "melee", "all", "all"]


def test_ta_0_3_every_chart_ends_with_the_lowest_number() -> None:
    for chart in PRIORITIES:
        last = priority_chart(chart).rows[-1]
        assert (last.measure, last.wants) == (Measure.NUMBER, WantedValue.LEAST)


def test_ta_9_a_the_entry_hexes_by_2d6() -> None:
    chart = all_charts()["entry-hexes"]
    printed = "2411 2410 2309 2209 2208 2516 2515 2514 2513 2512 2511"
    assert " ".join(chart.row_for_score(total).cells[0].text for total in range(2, 13)) == printed
    chain = hexes("2516 2515 2514 2513 2512 2511 2411 2410 2309 2209 2208")
    assert all(hex_.distance(following) == 1 for hex_, following in pairwise(chain))


def test_ta_8_the_staffs_by_beach() -> None:
    chart = all_charts()["staffs"]
    columns = {name: [row.cells[n].text for row in chart.rows] for n, name in enumerate(chart.columns)}
    assert columns == {
        "Imperial Service": ["Tighe", "HQ Coy", "NW RV/MG", "NW RV/Art", "Stevedores"],
        "27th Bangalore": ["Wapshare", "HQ Coy", "Faridkot S & M", "1/28th Mtn RA", "Stevedores"],
        "I.E.F. 'B'": ["Aitken", "Meinertzhagen", "HQ Coy", "2/28th Mtn RA", "Stevedores"],
    }


def test_ta_h_2_terrain_chart_matches_the_map() -> None:
    chart = all_charts()["terrain"]
    for terrain in {terrain.id: terrain for terrain in house_board().terrain.values()}.values():
        cost, protection, blocks = chart.row(terrain.name).cells
        assert (cost.value, protection.value) == (terrain.cost, terrain.protection)
        assert blocks.text == ("yes" if terrain.blocks else "no")
    assert chart.row("sea").cells[0].text == "never"
    assert chart.row("European town").mark is Mark.HOUSE


def test_no_two_charts_have_one_id() -> None:
    assert len(all_charts()) == 7
