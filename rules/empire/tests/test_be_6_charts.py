"""Every cell of the printed conduct charts, and the chart that each unit reads (BE-6, BE-6a)."""

import tomllib
from importlib.resources import files
from itertools import product

import pytest

from rules.core.dice import NoDice
from rules.core.model import Mark
from rules.empire.conduct.charts import ConductResult, conduct_columns, conduct_results, find_conduct_column
from rules.empire.model import Arm, Conduct
from rules.empire.options import EmpireOptions, Theatre
from rules.empire.ruleset import Empire
from rules.empire.tables import TABLES

from .field import field, unit

DATA = files("rules.empire") / "data"
GENERAL, ZULU, SUDAN, FRONTIER = Theatre.ALL_TYPES, Theatre.ZULU_WAR, Theatre.SUDAN, Theatre.FRONTIER
DRILLED, TRAINED, ASSAULT, FICKLE, BOERS, HORSE = Conduct
SCORES_STEADY = {"under 1": (-9, 0), "1": (1,), "2-5": (2, 3, 4, 5), "6": (6,), "over 6": (7, 8, 20)}
SCORES_SHAKEN = {"under 1": (-9, 0), "1-2": (1, 2), "3": (3,), "4": (4,), "5-6": (5, 6), "over 6": (7, 8, 20)}

# Typed from the source: foot/mounted in inches; * is no penalty for formation or facing, ** fanatic charge.
CLOSE = ("0/0", "3/9", "6/12", "9/15", "9/15*")
MASSED = ("0/0", "6/12", "9/15", "12/18", "12/18**")
LOOSE = ("0/0", "6/12", "9/15", "12/18", "12/18 mount")
STEADY = {
    (GENERAL, DRILLED): CLOSE,
    (GENERAL, TRAINED): CLOSE,
    (GENERAL, ASSAULT): MASSED,
    (GENERAL, FICKLE): MASSED,
    (GENERAL, BOERS): LOOSE,
    (GENERAL, HORSE): LOOSE,
    (ZULU, DRILLED): ("0/0", "3/9", "6/12", "9/15", "9/15*"),
    (ZULU, ASSAULT): ("0/0", "6/12", "9/15", "12/18", "12/18**"),
    (SUDAN, DRILLED): ("0/0", "3/9", "6/12", "9/15", "9/15*"),
    (SUDAN, TRAINED): ("0/0", "3/9", "6/12", "9/15", "9/15*"),
    (SUDAN, ASSAULT): ("0/0", "6/12", "9/15", "12/18", "12/18**"),
    (FRONTIER, DRILLED): ("0/0", "3/9", "6/12", "9/15", "9/15*"),
    (FRONTIER, TRAINED): ("0/0", "3/9", "6/12", "9/15", "9/15*"),
    (FRONTIER, ASSAULT): ("0/0", "6/12", "9/15", "12/18", "12/18**"),
    (FRONTIER, FICKLE): ("0/0", "6/12", "9/15", "12/18", "12/18**"),
}
SHAKEN = {
    (GENERAL, DRILLED): ("recoil", "hold", "rally 0/0", "rally 3/9", "rally 6/12", "rally 9/15"),
    (GENERAL, TRAINED): ("destroyed", "recoil", "hold", "rally 0/0", "rally 3/9", "rally 6/12"),
    (GENERAL, ASSAULT): ("destroyed", "recoil", "hold", "rally 0/0", "rally 6/12", "rally 12/18**"),
    (GENERAL, FICKLE): ("destroyed", "recoil", "recoil", "rally 3/9", "rally 6/12", "rally 12/18**"),
    (GENERAL, BOERS): ("destroyed", "recoil", "rally 0/0", "rally 6/12", "rally 9/15", "rally 12/18"),
    (GENERAL, HORSE): ("destroyed", "recoil", "rally 0/0", "rally 6/12", "rally 9/15", "rally 12/18"),
    (ZULU, DRILLED): ("recoil", "hold", "rally 0/0", "rally 3/9", "rally 6/12", "rally 9/15*"),
    (ZULU, ASSAULT): ("destroyed", "recoil", "hold", "rally 0/0", "rally 6/12", "rally 12/18**"),
    (ZULU, HORSE): ("destroyed", "recoil", "rally 0/0", "rally 6/12", "rally 9/15", "rally 12/18*"),
    (SUDAN, DRILLED): ("recoil", "hold", "rally 0/0", "rally 3/9", "rally 6/12", "rally 9/15*"),
    (SUDAN, TRAINED): ("recoil", "hold", "rally 0/0", "rally 3/9", "rally 6/12", "rally 9/15*"),
    (SUDAN, ASSAULT): ("destroyed", "recoil", "hold", "rally 0/0", "rally 6/12", "rally 12/18**"),
    (FRONTIER, DRILLED): ("recoil", "hold", "rally 0/0", "rally 3/9", "rally 6/12", "rally 9/15*"),
    (FRONTIER, TRAINED): ("recoil", "hold", "rally 0/0", "rally 3/9", "rally 6/12", "rally 9/15*"),
    (FRONTIER, ASSAULT): ("destroyed", "recoil", "hold", "rally 0/0", "rally 6/12", "rally 12/18**"),
    (FRONTIER, FICKLE): ("destroyed", "recoil", "recoil", "rally 3/9", "rally 6/12", "rally 12/18**"),
}


# Nations in the headings of the theatres' charts, by class; irregular horse and volunteers of any nation.
HEADINGS = {
    (ZULU, DRILLED): "British",
    (ZULU, ASSAULT): "Zulu",
    (SUDAN, DRILLED): "British",
    (SUDAN, TRAINED): "Egyptian",
    (SUDAN, ASSAULT): "Dervish",
    (FRONTIER, DRILLED): "British",
    (FRONTIER, TRAINED): "Indian",
    (FRONTIER, ASSAULT): "Pathan",
    (FRONTIER, FICKLE): "Pathan",
}


def make_unit_of(conduct: Conduct, theatre: Theatre = GENERAL, *, shaken: bool = False, arm: Arm = Arm.FOOT):
    """Return a unit of the class, of a nation in the theatre's heading."""
    nation = HEADINGS.get((theatre, conduct), "other")
    return unit("british-regulars", conduct=conduct, nation=nation, shaken=shaken, arm=arm)


def read_result(theatre: Theatre, conduct: Conduct, score: int, *, shaken: bool) -> str:
    """Return the result in the words of the tables above."""
    foot, horse = (make_unit_of(conduct, theatre, shaken=shaken, arm=arm) for arm in (Arm.FOOT, Arm.MOUNTED))
    result = find_conduct_column(field(foot, theatre=theatre), foot).read(score)
    if not result.allows_move:
        return "destroyed" if result.destroyed else "recoil" if result.recoil else "hold"
    marks = "*" * result.free_change + "**" * (conduct in result.fanatic) + " mount" * (conduct in result.free_mounting)
    return f"{'rally ' if shaken else ''}{result.inches_for(foot)}/{result.inches_for(horse)}{marks}"


def cells(printed, scores):
    return [
        pytest.param(theatre, conduct, band, expected, id=f"{theatre}, {conduct}, {row}")
        for (theatre, conduct), column in printed.items()
        for (row, band), expected in zip(scores.items(), column, strict=True)
    ]


@pytest.mark.parametrize(("theatre", "conduct", "band", "expected"), cells(STEADY, SCORES_STEADY))
def test_be_6_steady_charts(theatre: Theatre, conduct: Conduct, band: tuple[int, ...], expected: str) -> None:
    assert [read_result(theatre, conduct, score, shaken=False) for score in band] == [expected] * len(band)


@pytest.mark.parametrize(("theatre", "conduct", "band", "expected"), cells(SHAKEN, SCORES_SHAKEN))
def test_be_6_shaken_charts(theatre: Theatre, conduct: Conduct, band: tuple[int, ...], expected: str) -> None:
    assert [read_result(theatre, conduct, score, shaken=True) for score in band] == [expected] * len(band)


@pytest.mark.parametrize(("shaken", "printed"), [(False, STEADY), (True, SHAKEN)])
def test_be_6a_classes_a_theatre_does_not_list_read_the_charts_of_all_types(shaken: bool, printed) -> None:
    load_conduct = {key for key in printed if key[0] is not GENERAL}
    for theatre, conduct in product((ZULU, SUDAN, FRONTIER), Conduct):
        of = make_unit_of(conduct, theatre, shaken=shaken)
        general = find_conduct_column(field(of), of)
        assert (find_conduct_column(field(of, theatre=theatre), of).chart != general.chart) is (
            (theatre, conduct) in load_conduct
        )


SAME = "conduct-shaken"


@pytest.mark.parametrize(
    ("theatre", "troops", "chart"),
    [
        (ZULU, "british-regulars", "conduct-zulu-war-shaken"),
        (ZULU, "native-contingent", "conduct-zulu-war-shaken"),
        (ZULU, "european-regulars", SAME),
        (SUDAN, "egyptians", "conduct-sudan-shaken"),
        (SUDAN, "dervishes", "conduct-sudan-shaken"),
        (SUDAN, "indian-regulars", SAME),
        (SUDAN, "indian-cavalry", SAME),
        (FRONTIER, "indian-regulars", "conduct-frontier-shaken"),
        (FRONTIER, "ghazis", "conduct-frontier-shaken"),
        (FRONTIER, "pathans", "conduct-frontier-shaken"),
        (FRONTIER, "afghan-regulars", SAME),
        (FRONTIER, "native-gun", SAME),
        *((theatre, "chinese-regulars", SAME) for theatre in (ZULU, SUDAN, FRONTIER)),
        *((theatre, "boers", SAME) for theatre in (ZULU, SUDAN, FRONTIER)),
    ],
)
def test_be_6a_troops_missing_from_a_heading_read_the_charts_of_all_types(
    theatre: Theatre, troops: str, chart: str
) -> None:
    of = unit(troops, shaken=True)
    reader = find_conduct_column(field(of, theatre=theatre), of)
    assert (reader.chart, reader.cite.mark) == (chart, Mark.RULING if chart == SAME else Mark.TEXT)


def test_be_6a_afghan_regulars_are_destroyed_where_indian_regulars_would_stand() -> None:
    afghans, indians = (unit(troops, shaken=True) for troops in ("afghan-regulars", "indian-regulars"))
    assert find_conduct_column(field(afghans, theatre=FRONTIER), afghans).read(0).destroyed
    assert not find_conduct_column(field(indians, theatre=FRONTIER), indians).read(0).destroyed
    by_class = field(afghans, options=EmpireOptions(theatre=FRONTIER, theatre_names_nations=False))
    assert not find_conduct_column(by_class, afghans).read(0).destroyed


def test_be_6a_option_enables_the_charts_of_a_theatre() -> None:
    of = make_unit_of(TRAINED, SUDAN, shaken=True)
    state = field(of, theatre=SUDAN)
    assert find_conduct_column(state, of).chart == "conduct-sudan-shaken"
    off = field(of, options=EmpireOptions(theatre=SUDAN, theatre_charts_win=False))
    assert find_conduct_column(off, of).chart == "conduct-shaken"


@pytest.mark.parametrize("shaken", [False, True])
def test_be_6_irregular_horse_read_as_boers_by_a_ruling(shaken: bool) -> None:
    of = make_unit_of(HORSE, shaken=shaken)
    reader = find_conduct_column(field(of), of)
    assert reader.cite.mark is Mark.RULING
    assert reader.column == ("loose Boers" if shaken else "massed or loose")
    zulu = find_conduct_column(field(of, theatre=ZULU), of)
    assert (zulu.column, zulu.cite.mark) == (
        ("irregular horse", Mark.TEXT) if shaken else ("massed or loose", Mark.RULING)
    )


@pytest.mark.parametrize("words", list(conduct_results()))
def test_be_6_inches_of_a_result_match_its_words(words: str) -> None:
    result = conduct_results()[words]
    if result.foot:
        assert f": {result.foot} foot/{result.mounted} mounted" in words
    else:
        assert "foot/" not in words
    assert [result.allows_move, result.recoil, words.endswith("hold")].count(True) == 1
    assert result.allows_move or not words.startswith("rally")
    assert (result.mounted is None) is not result.allows_move
    assert result.recoil is ("recoil" in words)
    assert result.destroyed is words.startswith("destroyed")
    assert result.free_change is ("no penalty for changing formation or facing" in words)
    assert bool(result.fanatic) is ("fanatic charge" in words)


def load_conduct(name: str):
    return tomllib.loads((DATA / f"conduct_{name}.toml").read_text(encoding="utf-8"))


def test_be_6_each_wording_has_one_meaning_and_is_printed() -> None:
    words = [result["words"] for result in load_conduct("results")["result"]]
    charts = {reader.conduct_chart.id: reader.conduct_chart for reader in conduct_columns().values()}.values()
    assert sorted(words) == sorted({cell.text for chart in charts for row in chart.rows for cell in row.cells})


def test_be_6_each_class_reads_a_column_and_each_column_is_read() -> None:
    columns = load_conduct("columns")["reader"]
    keys = [(column["theatre"], column["state"], conduct) for column in columns for conduct in column["classes"]]
    assert sorted(keys) == sorted(conduct_columns())
    assert {
        (GENERAL, state, conduct) for state, conduct in product(("steady", "shaken"), Conduct)
    } < conduct_columns().keys()
    charts = [TABLES.charts[name] for name in {column["chart"] for column in columns}]
    read_result = {(column["chart"], column["column"]) for column in columns}
    assert read_result == {(chart.id, column) for chart in charts for column in chart.columns}


def test_be_6_gun_moves() -> None:
    moves = {
        ("guns and carriage machine guns", "limbered"): 12,
        ("guns and carriage machine guns", "unlimbered"): 3,
        ("mountain guns and Maxims", "limbered"): 9,
        ("mountain guns and Maxims", "unlimbered"): 6,
    }
    assert {cell: TABLES.value("gun-moves", *cell) for cell in moves} == moves
    gun = unit("field-gun", limbered=True)
    assert [ConductResult(words="", foot=foot).inches_for(gun) for foot in (None, 0, 6)] == [0, 12, 12]


def test_be_6_the_theatre_is_an_option_of_the_game() -> None:
    """In the Sudan, Egyptians read the chart of regulars; with charts of all types, they read their own."""
    of = unit("egyptians", shaken=True)
    state = field(of)
    empire = Empire()
    after, report = empire.act(state, empire.parse("option", {"name": "theatre", "value": "Sudan"}), NoDice())
    assert "theatre = Sudan" in report.headline
    assert find_conduct_column(after, of) != find_conduct_column(state, of)
