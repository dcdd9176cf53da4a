"""The five scenarios: their lists, deployment and choices."""

from itertools import combinations, product

import pytest

from rules.core.dice import NoDice
from rules.core.model import UMPIRE
from rules.core.ruleset import Refused
from rules.core.scene import Feature
from rules.core.tabletop import table
from rules.magdala import placement
from rules.magdala.model import MagdalaState
from rules.magdala.ruleset import Magdala
from rules.magdala.scenarios import BATTLES, SettleChoice

SYSTEM = Magdala()

GOOD = """
id = "skirmish"
title = "Skirmish"
briefing = "Two battalions meet."
turns = 3
first = "red"
ground = "veld"
sides = [
  { id = "red", name = "Red", home = "south", facing = 0.0 },
  { id = "blue", name = "Blue", home = "north", facing = 180.0 },
]
choices = [{ name = "gun", question = "Which?", options = ["Maxim", "pom-pom"], default = "Maxim", side = "red" }]
objectives = [{ side = "red", name = "the kraal", at = [20.0, 30.0], within = 6.0 }]
terrain = [{ feature = "hill", name = "Kop", points = [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]] }]
units = [
  { id = "a", name = "A", side = "red", troops = "zulus", at = [10.0, 10.0] },
  { id = "b", name = "B", side = "blue", troops = "zulus", at = [10.0, 30.0], figures = 30 },
  { id = "chief", name = "Chief", side = "blue", troops = "native-commander", at = [10.0, 30.5] },
  { id = "m", name = "Maxim", side = "red", troops = "maxim", at = [20.0, 10.0], only = { gun = ["Maxim"] } },
  { id = "p", name = "Pom-pom", side = "red", troops = "pom-pom", at = [20.0, 10.0], only = { gun = ["pom-pom"] } },
]
"""


def every_table() -> list[MagdalaState]:
    tables = []
    for scenario in BATTLES.all.values():
        for values in product(*(choice.options for choice in scenario.choices)):
            names = [choice.name for choice in scenario.choices]
            tables.append(scenario.setup(dict(zip(names, values, strict=True))))
    return tables


TABLES = every_table()


def table_id(state: MagdalaState) -> str:
    return "-".join([state.scenario, *state.choices.values()]).replace(" ", "_")


def placed_bases(state: MagdalaState) -> list:
    """Return units with their bases, without leaders attached to a unit."""
    with_units = {unit.general for unit in state.units.values()}
    return [(unit, placement.base(unit)) for unit in state.units.values() if unit.id not in with_units]


def test_mm_a_five_scenarios_of_two_sides_in_the_order_of_the_appendix() -> None:
    assert [scenario.title for scenario in SYSTEM.scenarios.values()] == [
        "Tel El Kebir 1882",
        "Suakin 1885",
        "North West Frontier",
        "Atbara 1898",
        "South Africa 1899-1900",
    ]
    assert all(len(scenario.sides) == 2 for scenario in SYSTEM.scenarios.values())


@pytest.mark.parametrize("state", TABLES, ids=table_id)
def test_no_two_bases_overlap(state: MagdalaState) -> None:
    for (first, first_base), (second, second_base) in combinations(placed_bases(state), 2):
        assert not table.are_overlapping(first_base, second_base), f"{first.name} stands on {second.name}"


@pytest.mark.parametrize("state", TABLES, ids=table_id)
def test_everyone_stands_on_the_table_and_only_the_boat_in_the_river(state: MagdalaState) -> None:
    rivers = [table.piece_shape(piece) for piece in state.terrain if piece.feature is Feature.RIVER]
    for unit, base in placed_bases(state):
        assert table.is_on_table(base, state.width, state.height), unit.name
        wet = any(river.intersects(base.outline) for river in rivers)
        assert wet == unit.afloat, unit.name


@pytest.mark.parametrize("state", TABLES, ids=table_id)
def test_no_unit_stands_in_a_building(state: MagdalaState) -> None:
    houses = [table.piece_shape(piece) for piece in state.terrain if piece.feature is Feature.BUILDING]
    assert not [u.name for u, base in placed_bases(state) for house in houses if house.intersects(base.outline)]


@pytest.mark.parametrize("state", TABLES, ids=table_id)
def test_the_armies_stand_so_near_that_fighting_begins_in_turn_two_or_three(state: MagdalaState) -> None:
    first, second = (side.id for side in state.sides)
    gaps = [
        table.gap(first_base, second_base)
        for unit_, first_base in placed_bases(state)
        for other, second_base in placed_bases(state)
        if (unit_.side, other.side) == (first, second) and not unit_.afloat and not other.afloat
    ]
    assert 20 <= min(gaps) <= 40


@pytest.mark.parametrize("state", TABLES, ids=table_id)
def test_everyone_faces_an_enemy(state: MagdalaState) -> None:
    """Each unit has an enemy in the half circle before its front."""
    for unit, base in placed_bases(state):
        enemies = [foe_base for foe, foe_base in placed_bases(state) if foe.side != unit.side]
        assert any(table.angle_off_front(base, enemy.at) <= 90 for enemy in enemies), unit.name


@pytest.mark.parametrize("state", TABLES, ids=table_id)
def test_terrain_lies_on_the_table(state: MagdalaState) -> None:
    for piece in state.terrain:
        assert all(0 <= x <= state.width and 0 <= y <= state.height for x, y in piece.points), piece.name


@pytest.mark.parametrize("state", TABLES, ids=table_id)
def test_a_table_survives_saving_and_loading(state: MagdalaState) -> None:
    assert MagdalaState.model_validate_json(state.model_dump_json()) == state


def test_mm_5_1_the_first_turn_remembers_its_figures() -> None:
    assert all(u.this_turn.figures_at_start == u.figures for state in TABLES for u in state.units.values())


def test_unknown_scenario_is_refused_with_the_known_ones() -> None:
    with pytest.raises(Refused, match="suakin-1885"):
        SYSTEM.setup("omdurman", {}, NoDice())


def test_unknown_choice_is_refused_with_the_known_ones() -> None:
    with pytest.raises(Refused, match="battalions"):
        SYSTEM.setup("atbara-1898", {"gun": "Maxim"}, NoDice())
    with pytest.raises(Refused, match="Sudanese, Egyptian, one of each"):
        SYSTEM.setup("atbara-1898", {"battalions": "Scottish"}, NoDice())


def test_mm_a_a_choice_is_offered_until_made_and_does_not_hold_up_the_turn() -> None:
    state = SYSTEM.setup("atbara-1898", {}, NoDice())
    (prompt,) = (prompt for prompt in SYSTEM.prompts(state) if prompt.key.startswith("choose"))
    assert not prompt.required
    assert prompt.side == "british"
    assert [offer.label for offer in prompt.offers] == ["battalions: Egyptian", "battalions: one of each"]


def test_mm_a_a_choice_made_changes_the_list_and_may_be_changed_back() -> None:
    state = SYSTEM.setup("atbara-1898", {}, NoDice())
    after, report = SYSTEM.act(state, SettleChoice(name="battalions", value="egyptian"), NoDice())
    assert "2nd-egyptian" in after.units
    assert "xith-sudanese" not in after.units
    assert "8th Egyptian" in report.steps[0].text
    assert (report.headline, report.side) == ("Battalions: Egyptian.", "british")
    assert [prompt.key for prompt in report.prompts] == [prompt.key for prompt in SYSTEM.prompts(after)][:1]
    later, _ = SYSTEM.act(after, SettleChoice(name="battalions", value="Sudanese"), NoDice())
    assert later == state


def test_mm_a_choice_belongs_to_the_side_of_its_army() -> None:
    state = SYSTEM.setup("north-west-frontier", {}, NoDice())
    assert SYSTEM.side_of(state, SettleChoice(name="imam", value="no")) == "pathans"
    assert SYSTEM.side_of(state, SettleChoice(name="battalions", value="Indian")) == "british"


def test_mm_a_side_and_umpire_may_take_every_value_of_a_choice() -> None:
    state = SYSTEM.setup("atbara-1898", {}, NoDice())
    all_of_them = [SettleChoice(name="battalions", value=value) for value in ("Sudanese", "Egyptian", "one of each")]
    assert list(SYSTEM.legal_actions(state, "british", "choose")) == all_of_them
    assert list(SYSTEM.legal_actions(state, UMPIRE, "choose")) == all_of_them
    assert list(SYSTEM.legal_actions(state, "mahdists", "choose")) == []


def test_mm_a_old_game_is_not_asked_a_new_choice() -> None:
    """The frontier's cavalry is British unless chosen Indian; games that began without this choice continue."""
    state = SYSTEM.setup("north-west-frontier", {"cavalry": "Indian lancers"}, NoDice())
    assert "11th-bengal-lancers" in state.units
    old = state.model_copy(update={"choices": {"battalions": "two of each", "imam": "yes"}})
    assert [prompt.key for prompt in SYSTEM.prompts(old)] == ["choose:battalions", "choose:imam"]
    after, _ = SYSTEM.act(old, SettleChoice(name="imam", value="no"), NoDice())
    assert "imam" not in after.units


def test_mm_a_no_choice_once_the_game_is_under_way() -> None:
    state = SYSTEM.setup("atbara-1898", {}, NoDice()).model_copy(update={"events": 1})
    assert not [prompt for prompt in SYSTEM.prompts(state) if prompt.key.startswith("choose")]
    with pytest.raises(Refused, match="before the first move"):
        SYSTEM.act(state, SettleChoice(name="battalions", value="Egyptian"), NoDice())


def test_options_changed_before_the_choice_are_kept() -> None:
    state = SYSTEM.setup("atbara-1898", {}, NoDice())
    state = state.model_copy(update={"options": state.options.model_copy(update={"lancer_bonus": False})})
    after, _ = SYSTEM.act(state, SettleChoice(name="battalions", value="Egyptian"), NoDice())
    assert after.options.lancer_bonus is False


def test_a_good_file_is_read() -> None:
    scenario = BATTLES.read(GOOD, "skirmish.toml")
    assert scenario.setup({}).unit("b").figures == 30


@pytest.mark.parametrize(
    ("good", "bad", "place"),
    [
        ("turns = 3", "turns = 3\nlenght = 4", "lenght"),
        ("figures = 30", "figurs = 30", "unit b: figurs"),
        ("figures = 30", "figures = 0", "unit b: figures"),
        ('troops = "zulus", at = [10.0, 10.0]', 'troops = "zoulous", at = [10.0, 10.0]', "unit a: .*zoulous"),
        ('id = "b"', 'id = "a"', "same id"),
        ('side = "blue"', 'side = "green"', "unit b: .*green"),
        ('first = "red"', 'first = "green"', "first: .*green"),
        ("figures = 30", 'general = "nobody"', "unit b: general"),
        ("figures = 30", 'general = "a"', "unit b: general: 'a' is no general of its side"),
        (
            'troops = "zulus", at = [10.0, 10.0]',
            'troops = "zulus", at = [10.0, 10.0], general = "chief"',
            "unit a: general",
        ),
        ("at = [10.0, 30.0]", "at = [nan, 30.0]", "units.1..at.0.: it must be a number"),
        ("facing = 180.0", "facing = nan", "sides.1..facing: it must be a number"),
        ("at = [10.0, 10.0]", "facing = 3.0", "unit a: at"),
        ("figures = 30", 'only = { gun = ["Krupp"] }', "unit b: only"),
        ("at = [10.0, 30.0]", "at = [10.0, 47.9]", "unit b: it stands off the table"),
        ("at = [10.0, 30.5]", "at = [10.0, 47.9]", "unit chief: it stands off the table"),
        ("at = [10.0, 30.0]", "at = [10.0, 11.0]", "unit b: it stands on a"),
        ("turns = 3", "turns = 3\noptions = { most_generals = 0 }", "side blue: generals: .* 0 at most"),
        (', only = { gun = ["pom-pom"] }', "", "unit p: it stands on m"),
        ('only = { gun = ["pom-pom"] }', 'only = { gun = ["pom-pom", "Maxim"] }', "unit p: it stands on m"),
        ("[5.0, 6.0]]", "[5.0, -6.0]]", "terrain Kop: it reaches off"),
        ("at = [20.0, 30.0]", "at = [90.0, 30.0]", "objective the kraal: it lies off"),
        ("turns = 3", "turns = 3 3", "line"),
    ],
)
def test_a_bad_file_is_refused_with_its_place(good: str, bad: str, place: str) -> None:
    assert good in GOOD
    with pytest.raises(ValueError, match=f"(?s)^skirmish.toml: .*{place}"):
        BATTLES.read(GOOD.replace(good, bad), "skirmish.toml")
