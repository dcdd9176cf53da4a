"""The ten lists of the appendix, figure for figure (MM-A): a test for each line."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import pytest

from rules.magdala.arms import has_own_morale
from rules.magdala.model import (
    MagdalaState,
    MagdalaUnit,
    Nation,
    Order,
    Troop,
    Weapon,
    Works,
)
from rules.magdala.scenarios import BATTLES

TEL, SUAKIN, FRONTIER, ATBARA, AFRICA = (
    "tel-el-kebir-1882",
    "suakin-1885",
    "north-west-frontier",
    "atbara-1898",
    "south-africa-1899",
)

SINGLE_SHOT = {"weapon": Weapon.BREECHLOADER, "magazine": False}
MAGAZINE = {"weapon": Weapon.BREECHLOADER, "magazine": True}
CARBINES = {"weapon": Weapon.OTHER_SMALL_ARMS, "magazine": False}
STEEL = {"weapon": Weapon.MELEE}
DUG_IN = {"works": Works.EARTHWORKS}
FOOT = {"troop": Troop.REGULAR_INFANTRY, "regular": True}
HORSE = {"troop": Troop.REGULAR_CAVALRY, "regular": True, "mounted": True}
BRITISH = {"nation": Nation.BRITISH, "european": True}
GUN = {"troop": Troop.FIELD_ARTILLERY, "weapon": Weapon.FIELD_GUN}
OLD_MACHINE_GUN = {"troop": Troop.MACHINE_GUN, "weapon": Weapon.MACHINE_GUN, "pre_maxim": True}
TRIBESMEN = {"troop": Troop.NATIVE_FOOT, "regular": False}
MAHDIST = {"nation": Nation.MAHDIST, "fanatic": True, "regular": False}
PATHAN = {"nation": Nation.PATHAN, "regular": False}
WAVES = {**TRIBESMEN, **MAHDIST, "order": Order.CLOSE}
CAMELS = {"troop": Troop.MOUNTED_INFANTRY, "camels": True, "mounted": True}
NATIVE_HORSE = {"troop": Troop.NATIVE_MOUNTED, "mounted": True}


@dataclass(frozen=True)
class Line:
    """A line of an army list: a number of units with equal figures and fields."""

    scenario: str
    side: str
    words: str
    units: int
    figures: int
    fields: dict[str, Any]
    choices: tuple[tuple[str, str], ...] = ()


LINES = (
    Line(
        TEL, "british", "4 x 24 regular infantry, single shot", 4, 24, {**FOOT, **BRITISH, **SINGLE_SHOT, "quality": 0}
    ),
    Line(TEL, "british", "2 x 12 cavalry, carbines", 2, 12, {**HORSE, **BRITISH, **CARBINES, "lancer": False}),
    Line(TEL, "british", "2 field guns, 4 crew", 2, 4, {**GUN, **BRITISH}),
    Line(TEL, "british", "1 Nordenfeldt, 3 crew", 1, 3, {**OLD_MACHINE_GUN, **BRITISH}),
    Line(
        TEL,
        "egyptians",
        "4 x 20 inferior regulars",
        4,
        20,
        {**FOOT, **SINGLE_SHOT, **DUG_IN, "quality": -1, "european": False},
    ),
    Line(TEL, "egyptians", "2 x 20 Retif irregulars", 2, 20, {**TRIBESMEN, **SINGLE_SHOT, **DUG_IN, "quality": 0}),
    Line(TEL, "egyptians", "3 Krupp guns, 3 crew", 3, 3, {**GUN, **DUG_IN}),
    Line(TEL, "egyptians", "of 2 x 10 inferior cavalry, one", 1, 10, {**HORSE, "quality": -1, "lancer": False}),
    Line(TEL, "egyptians", "and one with lances", 1, 10, {**HORSE, "quality": -1, "lancer": True}),
    Line(SUAKIN, "british", "4 x 24 regulars, single shot", 4, 24, {**FOOT, **BRITISH, **SINGLE_SHOT}),
    Line(
        SUAKIN, "british", "of 2 x 12 cavalry, carbines, one", 1, 12, {**HORSE, **BRITISH, **CARBINES, "lancer": False}
    ),
    Line(SUAKIN, "british", "and one with improvised lances", 1, 12, {**HORSE, **BRITISH, **CARBINES, "lancer": True}),
    Line(SUAKIN, "british", "2 field guns, 3 crew", 2, 3, {**GUN, **BRITISH}),
    Line(SUAKIN, "british", "1 Gatling, 3 crew", 1, 3, {**OLD_MACHINE_GUN, **BRITISH}),
    Line(SUAKIN, "mahdists", "2 x 12 cavalry", 2, 12, {**NATIVE_HORSE, **MAHDIST, **STEEL}),
    Line(SUAKIN, "mahdists", "2 x 12 camel mounted infantry", 2, 12, {**CAMELS, **MAHDIST, **STEEL}),
    Line(
        SUAKIN,
        "mahdists",
        "2 x 12 skirmishers, single shot",
        2,
        12,
        {**TRIBESMEN, **MAHDIST, **SINGLE_SHOT, "order": Order.SKIRMISH},
    ),
    Line(SUAKIN, "mahdists", "6 x 30 natives", 6, 30, {**WAVES, **STEEL}),
    Line(
        FRONTIER,
        "british",
        "4 x 20 British battalions",
        4,
        20,
        {**FOOT, **BRITISH, **SINGLE_SHOT},
        (("battalions", "British"),),
    ),
    Line(
        FRONTIER,
        "british",
        "or Indian battalions",
        4,
        20,
        {**FOOT, **SINGLE_SHOT, "nation": Nation.INDIAN, "european": False},
        (("battalions", "Indian"),),
    ),
    Line(
        FRONTIER,
        "british",
        "or both",
        2,
        20,
        {**FOOT, **SINGLE_SHOT, "nation": Nation.INDIAN},
        (("battalions", "two of each"),),
    ),
    Line(FRONTIER, "british", "1 x 20 irregular scouts", 1, 20, {**TRIBESMEN, **SINGLE_SHOT, "order": Order.SKIRMISH}),
    Line(
        FRONTIER, "british", "2 mountain guns, 3 crew", 2, 3, {"troop": Troop.MOUNTAIN_GUN, "weapon": Weapon.LIGHT_GUN}
    ),
    Line(FRONTIER, "british", "1 field gun, 3 crew", 1, 3, GUN),
    Line(
        FRONTIER,
        "british",
        "1 x 12 cavalry, lances, carbines, British unless chosen otherwise",
        1,
        12,
        {**HORSE, **CARBINES, **BRITISH, "lancer": True},
    ),
    Line(
        FRONTIER,
        "british",
        "or Indian cavalry",
        1,
        12,
        {**HORSE, **CARBINES, "lancer": True, "nation": Nation.INDIAN, "european": False},
        (("cavalry", "Indian lancers"),),
    ),
    Line(FRONTIER, "pathans", "4 x 24 swordsmen, fierce", 4, 24, {**TRIBESMEN, **PATHAN, **STEEL, "fierce": True}),
    Line(
        FRONTIER,
        "pathans",
        "4 x 24 musketeers, may detach half",
        4,
        24,
        {**TRIBESMEN, **PATHAN, "weapon": Weapon.OTHER_SMALL_ARMS, "may_detach_half": True},
    ),
    Line(FRONTIER, "pathans", "3 x 10 cavalry", 3, 10, {**NATIVE_HORSE, **PATHAN, **STEEL}),
    Line(FRONTIER, "pathans", "one imam", 1, 1, {"troop": Troop.IMAM}, (("imam", "yes"),)),
    Line(FRONTIER, "pathans", "two generals", 2, 1, {"troop": Troop.NATIVE_COMMANDER}),
    Line(
        ATBARA,
        "dervishes",
        "4 x 24 Ansar, rifles, poor shots",
        4,
        24,
        {**WAVES, **SINGLE_SHOT, **DUG_IN, "poor_shots": True},
    ),
    Line(ATBARA, "dervishes", "4 x 24 Ansar, melee weapons", 4, 24, {**WAVES, **STEEL, **DUG_IN}),
    Line(
        ATBARA, "dervishes", "3 x 12 Baggara cavalry", 3, 12, {**NATIVE_HORSE, **MAHDIST, **STEEL, "works": Works.NONE}
    ),
    Line(ATBARA, "dervishes", "2 x 12 Baggara camelry", 2, 12, {**CAMELS, **MAHDIST, **STEEL, "works": Works.NONE}),
    Line(ATBARA, "dervishes", "1 Krupp gun, 2 crew", 1, 2, {**GUN, **DUG_IN}),
    Line(ATBARA, "british", "4 x 20 regular infantry, magazine", 4, 20, {**FOOT, **BRITISH, **MAGAZINE}),
    Line(
        ATBARA,
        "british",
        "2 x 20 Sudanese",
        2,
        20,
        {**FOOT, **SINGLE_SHOT, "nation": Nation.SUDANESE},
        (("battalions", "Sudanese"),),
    ),
    Line(
        ATBARA,
        "british",
        "or Egyptian",
        2,
        20,
        {**FOOT, **SINGLE_SHOT, "nation": Nation.EGYPTIAN, "quality": 0},
        (("battalions", "Egyptian"),),
    ),
    Line(ATBARA, "british", "1 x 12 cavalry, lance, carbine", 1, 12, {**HORSE, **CARBINES, "lancer": True}),
    Line(ATBARA, "british", "2 field guns, 5 crew", 2, 5, {**GUN, "afloat": False}),
    Line(ATBARA, "british", "riverboat's field gun, 4 crew", 1, 4, {**GUN, "afloat": True}),
    Line(ATBARA, "british", "riverboat's Nordenfeldt, 3 crew", 1, 3, {**OLD_MACHINE_GUN, "afloat": True}),
    Line(
        AFRICA,
        "boers",
        "6 x 16 kommandos, magazine, sharpshooters",
        6,
        16,
        {
            "troop": Troop.KOMMANDO,
            "nation": Nation.BOER,
            "sharpshooter": True,
            "regular": False,
            "has_horses": True,
            **MAGAZINE,
        },
    ),
    Line(AFRICA, "boers", "1 pom-pom, 3 crew", 1, 3, {"troop": Troop.POM_POM, "weapon": Weapon.LIGHT_GUN}),
    Line(AFRICA, "boers", "1 field gun, 4 crew", 1, 4, GUN),
    Line(AFRICA, "boers", "1 ammunition wagon", 1, 2, {"troop": Troop.WAGON}),
    Line(AFRICA, "british", "6 x 24 regular infantry, magazine", 6, 24, {**FOOT, **BRITISH, **MAGAZINE}),
    Line(AFRICA, "british", "1 x 12 lancers", 1, 12, {**HORSE, **BRITISH, **STEEL, "lancer": True}),
    Line(
        AFRICA,
        "british",
        "1 x 16 mounted infantry, magazine",
        1,
        16,
        {"troop": Troop.MOUNTED_INFANTRY, **MAGAZINE},
        (("mounted troops", "mounted infantry"),),
    ),
    Line(
        AFRICA,
        "british",
        "or 1 x 12 colonial cavalry, magazine",
        1,
        12,
        {**HORSE, **MAGAZINE, "lancer": False},
        (("mounted troops", "colonial cavalry"),),
    ),
    Line(AFRICA, "british", "2 field guns, 4 crew", 2, 4, GUN),
    Line(
        AFRICA,
        "british",
        "4.7-inch naval gun, 4 crew",
        1,
        4,
        {"troop": Troop.HEAVY_ARTILLERY, "weapon": Weapon.HEAVY_GUN},
        (("heavy weapon", "naval gun"),),
    ),
    Line(
        AFRICA,
        "british",
        "or a pom-pom, 3 crew",
        1,
        3,
        {"troop": Troop.POM_POM, "weapon": Weapon.LIGHT_GUN},
        (("heavy weapon", "pom-pom"),),
    ),
    Line(
        AFRICA,
        "british",
        "or a Maxim, 3 crew",
        1,
        3,
        {"troop": Troop.MACHINE_GUN, "weapon": Weapon.MACHINE_GUN, "pre_maxim": False},
        (("heavy weapon", "Maxim gun"),),
    ),
)

FIGHTING_UNITS = {
    (TEL, "british"): 9,
    (TEL, "egyptians"): 11,
    (SUAKIN, "british"): 9,
    (SUAKIN, "mahdists"): 12,
    (FRONTIER, "british"): 9,
    (FRONTIER, "pathans"): 11,
    (ATBARA, "dervishes"): 14,
    (ATBARA, "british"): 11,
    (AFRICA, "boers"): 8,
    (AFRICA, "british"): 11,
}
"""Number of units of each army, without leaders and wagons."""


def army(scenario: str, side: str, choices: Iterable[tuple[str, str]] = ()) -> list[MagdalaUnit]:
    state = BATTLES.all[scenario].setup(dict(choices))
    return [unit for unit in state.units.values() if unit.side == side]


def line_id(line: Line) -> str:
    return f"{line.scenario}-{line.side}-{line.words}".replace(" ", "_")


@pytest.mark.parametrize("line", LINES, ids=line_id)
def test_mm_a_line_of_the_list(line: Line) -> None:
    units = [
        unit
        for unit in army(line.scenario, line.side, line.choices)
        if unit.figures == line.figures and all(getattr(unit, field) == value for field, value in line.fields.items())
    ]
    assert len(units) == line.units


@pytest.mark.parametrize(("scenario", "side"), FIGHTING_UNITS)
def test_mm_a_nothing_beyond_the_list(scenario: str, side: str) -> None:
    assert sum(map(has_own_morale, army(scenario, side))) == FIGHTING_UNITS[scenario, side]


@pytest.mark.parametrize(("scenario", "side"), FIGHTING_UNITS)
def test_mm_6_two_leaders_at_most(scenario: str, side: str) -> None:
    leaders = [unit for unit in army(scenario, side) if unit.troop in (Troop.GENERAL, Troop.NATIVE_COMMANDER)]
    assert 1 <= len(leaders) <= 2
    led = [unit.general for unit in army(scenario, side) if unit.general]
    assert sorted(led) == sorted(leader.id for leader in leaders)


def test_mm_a_no_imam_when_none_has_come() -> None:
    assert not [unit for unit in army(FRONTIER, "pathans", [("imam", "no")]) if unit.troop is Troop.IMAM]


def test_mm_a_only_the_kommandos_have_horses_to_bug_out_to() -> None:
    on_foot = [unit for unit in army(AFRICA, "boers") if unit.has_horses and not unit.mounted]
    assert len(on_foot) == 4
    for unit in on_foot:
        assert unit.place is not None
        assert unit.horses_at is not None
        assert abs(unit.place.y - unit.horses_at.y) <= 8


def test_mm_3_9_six_turns_of_ammunition_for_everyone() -> None:
    for scenario in BATTLES.all.values():
        assert all(unit.ammunition == unit.ammunition_full == 6 for unit in scenario.setup({}).units.values())


def test_mm_3_9_the_boers_wagon_refills_boers() -> None:
    state: MagdalaState = BATTLES.all[AFRICA].setup({})
    assert state.options.refill_irregulars
