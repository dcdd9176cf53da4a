"""A scenario's file: chosen options, deployed units, and the place of every fault."""

from collections.abc import Mapping
from typing import Any, ClassVar

import pytest

from rules.core.catalog import ScenarioChoice
from rules.core.model import Cite
from rules.core.refusal import Refused
from rules.core.scene import Feature, Ground, TerrainPiece
from rules.core.tabletop.battle import Objective, Place
from rules.core.tabletop.battle_files import BattleFile
from rules.core.tabletop.troops import NamedTroop, Troops
from rules.core.tabletop.ways import Ways
from rules.core.umpire import AddUnit

from .companies import OURS, PLACEMENT, THEIRS, Company, Field

RULE = Cite(rule="T-3")
TROOPS = """
troop = [
  { id = "foot", name = "Foot" },
  { id = "guns", name = "Guns", guns = true },
]
"""


WAYS = Ways(PLACEMENT, takes_ground=lambda unit: not unit.colonel, attacks=lambda _: True, rule=RULE)


class Listed(Troops[Company]):
    """A scenario file read from a text."""

    @property
    def all(self) -> Mapping[str, NamedTroop[Company]]:  # type: ignore[override]
        return self.read(TROOPS)


class File(BattleFile[Company, Field]):
    troops, state_type, ways, lists_rule = Listed("nothing", Company), Field, WAYS, RULE
    initial_fields: ClassVar[Mapping[str, Any]] = {"ruleset": "toy"}

    def unit_faults(self, unit: Company) -> list[tuple[str, str]]:
        return [("gone", f"{unit.name} is lost")] if unit.gone else []


def line(name: str, x: float, y: float, side: str = OURS, troops: str = "foot", **fields: Any) -> dict[str, Any]:
    return {"id": name.casefold(), "name": name, "side": side, "troops": troops, "at": (x, y), **fields}


def file(*units: dict[str, Any], **fields: Any) -> File:
    return File.model_validate(
        {
            "id": "toy",
            "title": "The toy",
            "briefing": " Play. ",
            "turns": 6,
            "first": OURS,
            "ground": Ground.DESERT,
            "sides": (
                {"id": OURS, "name": "Ours", "facing": 90.0},
                {"id": THEIRS, "name": "Theirs", "facing": 270.0},
            ),
            "units": units or (line("A", 10, 10), line("E", 60, 10, THEIRS)),
            **fields,
        }
    )


WEATHER = ScenarioChoice(name="weather", question="What is it like?", options=("Fair", "Foul"), default="Fair")
ROAD = ScenarioChoice(name="road", question="Which?", options=("north", "south"), default="south")


def test_the_lists_show_a_scenario_with_its_sides_and_choices() -> None:
    scenario = file(choices=(WEATHER,)).catalogue_entry
    assert (scenario.id, scenario.title, scenario.briefing, scenario.turns) == ("toy", "The toy", "Play.", 6)
    assert (scenario.sides, scenario.choices) == (("Ours", "Theirs"), (WEATHER,))


def test_choices_come_from_the_given_values_or_the_default() -> None:
    battle_file = file(choices=(WEATHER, ROAD))
    assert battle_file.choices_with_defaults({}) == {"weather": "Fair", "road": "south"}
    assert battle_file.choices_with_defaults({"weather": "foul"}) == {"weather": "Foul", "road": "south"}


@pytest.mark.parametrize(
    ("fields", "choices", "why"),
    [
        ({"wether": "Fair"}, (WEATHER, ROAD), "The toy has no choice “wether”. Its choices: weather, road."),
        ({"weather": "Fair"}, (), "The toy has no choice “weather”. It leaves nothing to choose."),
        ({"w" * 41: "x"}, (), f"The toy has no choice “{'w' * 40}”. It leaves nothing to choose."),
        ({"weather": "wet"}, (WEATHER,), "“wet” is no weather. Choose one of: Fair, Foul."),
        ({"weather": "w" * 41}, (WEATHER,), f"“{'w' * 40}” is no weather. Choose one of: Fair, Foul."),
    ],
)
def test_choice_not_offered_is_refused(fields: dict[str, str], choices: tuple[ScenarioChoice, ...], why: str) -> None:
    with pytest.raises(Refused) as refused:
        file(choices=choices).choices_with_defaults(fields)
    assert (refused.value.why, refused.value.cite) == (why, RULE)


def test_the_table_is_set_up_as_the_file_says() -> None:
    wood = TerrainPiece(feature=Feature.WOOD, name="", points=((1.0, 1.0),), width=2.0)
    hill = Objective(side=OURS, name="hill", at=(30, 30), within=6)
    state = file(width=60.0, height=40.0, terrain=(wood,), objectives=(hill,), choices=(WEATHER,)).setup({})
    assert [(side.id, side.name, side.index) for side in state.sides] == [(OURS, "Ours", 0), (THEIRS, "Theirs", 1)]
    assert (state.scenario, state.active, state.choices, state.turn_limit) == ("toy", OURS, {"weather": "Fair"}, 6)
    assert (state.width, state.height, state.ground, state.terrain) == (60, 40, Ground.DESERT, (wood,))
    assert state.objectives == (hill,)
    assert list(state.units) == ["a", "e"]


def test_units_face_as_their_side_does_unless_they_say_otherwise() -> None:
    state = file(
        line("A", 10, 10), line("B", 10, 20, facing=45), line("E", 60, 10, THEIRS), {**line("N", 0, 0), "at": None}
    ).setup({})
    assert [unit.place for unit in state.units.values()] == [
        Place(x=10, y=10, facing=90),
        Place(x=10, y=20, facing=45),
        Place(x=60, y=10, facing=270),
        None,
    ]


def test_units_have_the_values_of_their_troops_and_the_list() -> None:
    guns, colonel = file(line("G", 10, 10, troops="guns"), line("C", 10, 20, colonel=True)).setup({}).units.values()
    assert (guns.guns, guns.colonel) == (True, False)
    assert (colonel.guns, colonel.colonel) == (False, True)


def test_units_of_a_choice_need_that_choice() -> None:
    battle_file = file(line("A", 10, 10), line("B", 10, 20, only={"weather": ["Foul"]}), choices=(WEATHER,))
    assert list(battle_file.setup({}).units) == ["a"]
    assert list(battle_file.setup({"weather": "Foul"}).units) == ["a", "b"]


def faults(*units: dict[str, Any], **fields: Any) -> list[str]:
    return list(file(*units, **fields).faults())


def test_a_sound_file_has_no_faults() -> None:
    assert faults() == []
    edge = Objective(side=OURS, name="hill", at=(72, 48), within=6)
    assert faults(line("A", 0.5, 2), line("B", 70, 47.5, facing=0), objectives=(edge,)) == []


@pytest.mark.parametrize(
    ("units", "fields", "fault"),
    [
        ((), {"first": "nobody"}, "first: there is no side 'nobody'"),
        (
            (),
            {"choices": (WEATHER.model_copy(update={"default": "wet"}),)},
            "choice weather: the default 'wet' is none of its options",
        ),
        (
            (),
            {"objectives": (Objective(side="nobody", name="hill", at=(1, 1), within=6),)},
            "objective hill: there is no side 'nobody'",
        ),
        ((line("A", 10, 10), line("A", 10, 20)), {}, "unit a: two have the same id"),
        ((line("A", 10, 10, "nobody"),), {}, "unit a: there is no side 'nobody'"),
        (
            (line("A", 10, 10, troops="horse"),),
            {},
            "unit a: troops: no troops are called 'horse'; the nearest: foot, guns",
        ),
        (
            (line("A", 10, 10, only={"weather": ["Fair", "wet"]}),),
            {"choices": (WEATHER,)},
            "unit a: only: there is no choice weather = 'wet'",
        ),
        ((line("A", 10, 10, only={"road": ["x"]}),), {}, "unit a: only: there is no choice road = 'x'"),
        (
            (line("A", 10, 10, horses=3),),
            {},
            "unit a: horses: a unit has nothing of that name; the nearest: side, gone, guns, colonel",
        ),
        ((line("A", 10, 10, gone=True),), {}, "unit a: gone: A is lost"),
        (
            (),
            {"terrain": (TerrainPiece(feature=Feature.WOOD, name="", points=((1.0, 1.0), (73.0, 1.0)), width=1.0),)},
            "terrain wood: it reaches off the table",
        ),
        (
            (),
            {"terrain": (TerrainPiece(feature=Feature.WOOD, name="copse", points=((1.0, 49.0),), width=1.0),)},
            "terrain copse: it reaches off the table",
        ),
        (
            (),
            {"objectives": (Objective(side=OURS, name="hill", at=(-1, 1), within=6),)},
            "objective hill: it lies off the table",
        ),
        (
            (),
            {"objectives": (Objective(side=OURS, name="hill", at=(1, -1), within=6),)},
            "objective hill: it lies off the table",
        ),
        ((line("A", 10, 10), line("B", 0, 20)), {}, "unit b: it stands off the table"),
        ((line("A", 10, 10), line("B", 10, 11)), {}, "unit b: it stands on a"),
    ],
)
def test_every_fault_is_reported_with_its_place(units: tuple[Any, ...], fields: dict[str, Any], fault: str) -> None:
    assert faults(*units, **fields) == [fault]


def test_table_is_checked_only_after_valid_lists() -> None:
    off = (line("A", 10, 10), line("B", 0, 20))
    assert faults(*off, first="nobody") == ["first: there is no side 'nobody'"]


def test_units_of_exclusive_choices_may_overlap() -> None:
    apart = line("A", 10, 10, only={"weather": ["Fair"]}), line("B", 10, 10, only={"weather": ["Foul"]})
    assert faults(*apart, choices=(WEATHER,)) == []
    both = line("A", 10, 10, only={"weather": ["Fair"]}), line("B", 10, 10, only={"weather": ["Fair", "Foul"]})
    assert faults(*both, choices=(WEATHER,)) == ["unit b: it stands on a"]


def test_troops_are_named_by_id_name_or_kind() -> None:
    troops = Listed("nothing", Company)
    assert (troops.find("guns").id, troops.find("Foot").id) == ("guns", "foot")
    with pytest.raises(Refused, match="No troops are called “horse”"):
        troops.find("horse")
    with pytest.raises(ValueError, match=r"troops\.toml, foot: two troops have that id"):
        troops.read(TROOPS.replace('"guns", name', '"foot", name'))
    with pytest.raises(ValueError, match=r"troops\.toml, guns: "):
        troops.read(TROOPS.replace("guns = true", 'guns = "loud"'))
    assert NamedTroop[Company](id="x", name="X", arm="horse", figures=3).words == ("horse",)


def test_unit_that_takes_no_ground_may_stand_among_others() -> None:
    colonel = line("C", 10, 10, colonel=True)
    assert list(file(line("A", 10, 10), colonel, line("E", 60, 10, THEIRS)).faults()) == []
    assert list(file(line("A", 10, 10), line("B", 10, 10)).faults()) == ["unit b: it stands on a"]


def test_a_unit_is_brought_on_where_the_umpire_puts_it() -> None:
    troops = Listed("rules.core", Company)

    def bring_unit(**fields: object) -> Company:
        return troops.make_added_unit(AddUnit(troop="foot", side="ours", name="New", **fields), "new")

    assert (bring_unit().place, bring_unit(x=3).place, bring_unit(y=4).place) == (None, None, None)
    assert [bring_unit(x=3, y=4, facing=facing).place for facing in (0, 370, -90)] == [
        Place(x=3, y=4, facing=facing) for facing in (0, 10, 270)
    ]
    with pytest.raises(Refused, match=r"“figures”: .* Change it and try again"):
        bring_unit(figures=3)
