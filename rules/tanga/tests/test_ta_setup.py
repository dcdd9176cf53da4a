"""Tests of set-up: forces (TA-2, TA-8, TA-H.10), scenarios (TA-H.11), dealt MG markers (TA-1)."""

from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.core.hexboard.stacks import units_at
from rules.core.refusal import Refused
from rules.core.tests.scripted import ScriptedDice
from rules.tanga import validation
from rules.tanga.charts import all_charts
from rules.tanga.field import board_of, count_losses, formation_units
from rules.tanga.model import Arm, Condition, Kind, TangaState
from rules.tanga.scenarios import SCENARIOS, house_forces, read_forces, scenario_entry, set_up_house_scenario
from rules.tanga.tests.field import hex_at

ALL = tuple(SCENARIOS.all)
ASSAULT = (files("rules.tanga") / "scenarios" / "1_initial_assault.toml").read_text(encoding="utf-8")
FORCES = (files("rules.tanga") / "data" / "forces.toml").read_text(encoding="utf-8")


def set_up(scenario: str, *faces: int) -> TangaState:
    return set_up_house_scenario(scenario, {}, ScriptedDice([*faces, *[1] * 8][:8]))


def test_ta_2_the_british_act_in_the_order_of_the_sequence_of_play():
    british = [force.formation for force in house_forces().values() if force.formation.side == "british"]
    assert [formation.name for formation in sorted(british, key=lambda formation: formation.order)] == [
        "13th Rajputs",
        "61st Pioneers",
        "2nd Loyal North Lancashire",
        "63rd Palamcottah",
        "98th Infantry",
        "101st Grenadiers",
        "2nd Kashmir Rifles",
        "3rd Kashmir and 3rd Gwalior",
        "Imperial Service",
        "27th Bangalore",
        "I.E.F. 'B'",
    ]


@pytest.mark.parametrize(
    ("formation", "cf", "bonuses", "fbn"),
    [
        ("13-rajputs", 5, [1, 1], 5),
        ("61-pioneers", 5, [1, 1], 4),
        ("2-lnl", 6, [2, 1], 6),
        ("63-palamcottah", 4, [0, 0], 3),
        ("98-infantry", 5, [1, 1], 4),
        ("101-grenadiers", 5, [1, 1], 5),
        ("2-kashmir", 5, [1, 1], 5),
        ("3-kashmir-gwalior", 5, [1, 1], 5),
    ],
)
def test_ta_h_10_battalions(formation, cf, bonuses, fbn):
    force = house_forces()[formation]
    companies = [unit for unit in force.units.values() if unit.arm is Arm.INFANTRY]
    assert "".join(unit.letter for unit in companies) == "ABCDEFGH"
    assert {(unit.cf, unit.mf) for unit in companies} == {(cf, 4)}
    assert [unit.eb for unit in force.units.values() if unit.arm is Arm.LEADER] == bonuses
    assert [(unit.cf, unit.mf) for unit in force.units.values() if unit.arm is Arm.MACHINE_GUN] == [(7, 3)]
    assert force.formation.fbn == fbn


@pytest.mark.parametrize(
    ("staff", "beach", "names"),
    [
        ("imperial-service", "A", ["Tighe", "HQ Coy Imperial Service", "NW RV/MG", "NW RV/Art"]),
        ("27-bangalore", "B", ["Wapshare", "HQ Coy 27th Bangalore", "Faridkot S & M", "1/28th Mtn RA"]),
        ("ief-b", "C", ["Aitken", "Meinertzhagen", "HQ Coy I.E.F. 'B'", "2/28th Mtn RA"]),
    ],
)
def test_ta_8_staffs_by_the_staff_chart(staff, beach, names):
    force = house_forces()[staff]
    *fighting, stevedores = force.units.values()
    assert [unit.name for unit in fighting] == names
    assert stevedores.arm is Arm.STEVEDORES
    assert not stevedores.is_combat
    assert (force.formation.beach, force.formation.fbn) == (beach, 3)
    guns = [unit for unit in fighting if unit.arm is Arm.ARTILLERY]
    assert [(gun.cf, gun.mf, gun.rounds, gun.rounds_full) for gun in guns] == [(6, 3, 4, 4)]
    assert {unit.cf for unit in fighting if unit.arm is Arm.INFANTRY} == {4}


def test_ta_h_9_hq_company_does_not_count_as_a_loss():
    state = set_up("big-push")
    hq, faridkot = state.unit("27-bangalore-hq"), state.unit("27-bangalore-faridkot")
    disrupted = [unit.model_copy(update={"condition": Condition.DISRUPTED}) for unit in (hq, faridkot)]
    assert count_losses(state.with_unit(*disrupted), "27-bangalore") == 1


def test_ta_h_10_german_companies():
    companies = {key: force for key, force in house_forces().items() if force.formation.kind is Kind.COMPANY}
    assert set(companies) == {"1-fk", "4-fk", "6-fk", "13-fk", "16-fk", "17-fk", "6-schk", "7-schk", "8-schk"}
    black, schuetzen, second = set(), set(), set()
    for key, force in companies.items():
        platoons = [unit for unit in force.units.values() if unit.arm is Arm.INFANTRY]
        guns = [unit for unit in force.units.values() if unit.arm is Arm.MACHINE_GUN]
        (leader,) = (unit for unit in force.units.values() if unit.is_leader)
        assert len(platoons) == 3
        assert len(guns) in (1, 2)
        assert force.formation.fbn == 3
        assert not any(gun.black_powder for gun in guns)
        black |= {key for unit in platoons if unit.black_powder}
        schuetzen |= {key for unit in platoons if unit.cf == 6}
        second |= {leader.name for _ in range(leader.eb) if leader.eb == 2}
    assert black == {"1-fk", "4-fk", "16-fk", "17-fk"}
    assert schuetzen == {"6-schk", "7-schk", "8-schk"}
    assert second == {"v. Prince", "v. Lettow-Vorbeck"}


def test_ta_8_the_counters_of_a_staff_are_those_of_the_staff_chart():
    chart = all_charts()["staffs"]
    for column, name in enumerate(chart.columns):
        (force,) = (force for force in house_forces().values() if force.formation.name == name)
        printed = [row.cells[column].text for row in chart.rows]
        counters = [unit.name.removesuffix(f" {name}") for unit in force.units.values()]
        assert counters == printed


@pytest.mark.parametrize("scenario", ALL)
def test_ta_h_11_a_scenario_is_sound_and_can_be_saved(scenario):
    state = set_up(scenario)
    validation.check_state(state)
    assert TangaState.model_validate_json(state.model_dump_json()) == state
    listing = scenario_entry(SCENARIOS.all[scenario])
    assert listing.turns == state.turns
    assert listing.sides == ("British", "Germans")


@pytest.mark.parametrize("scenario", ALL)
def test_ta_h_3_set_up_keeps_stacking_limits_and_formations_apart(scenario):
    state = set_up(scenario)
    for hex_ in {unit.at for unit in state.units.values() if unit.at}:
        stack = units_at(state, hex_)
        assert sum(unit.is_combat for unit in stack) <= 3
        assert len({unit.formation for unit in stack}) == 1


@pytest.mark.parametrize(
    ("scenario", "arrivals"),
    [
        ("initial-assault", {"16-fk": 4, "6-fk": 7, "1-fk": 7, "6-schk": 8}),
        ("invasion", {"3-kashmir-gwalior": 13, "16-fk": 5, "6-fk": 6, "1-fk": 7, "6-schk": 8}),
        ("big-push", {"13-fk": 4, "4-fk": 6}),
    ],
)
def test_ta_h_11_arrivals_of_each_scenario(scenario, arrivals):
    state = set_up(scenario)
    late = {formation.id: formation for formation in state.formations.values() if formation.arrives != 1}
    assert {key: formation.arrives for key, formation in late.items()} == arrivals
    marching = {key for key, formation in late.items() if formation.side == "german" and not formation.by_train}
    assert marching == {"16-fk"} & arrivals.keys()
    for key in late:
        assert not any(unit.on_map for unit in formation_units(state, key))


def test_ta_h_11_initial_assault_begins_with_two_battalions_ashore():
    state = set_up("initial-assault")
    ashore = {unit.at.column for unit in state.units.values() if unit.side == "british" and unit.at}
    assert ashore == {33, 34}
    assert {formation.id for formation in state.formations.values() if formation.side == "british"} == {
        "13-rajputs",
        "61-pioneers",
    }
    germans = {unit.at for unit in state.units.values() if unit.side == "german" and unit.at}
    assert germans < board_of(state).victory_hexes["embankment"]
    assert all(unit.inland for unit in state.units.values() if unit.side == "british" and unit.at)


@pytest.mark.parametrize("scenario", ["invasion", "campaign"])
def test_ta_3_in_a_landing_all_the_british_are_aboard_in_good_order(scenario):
    british = [unit for unit in set_up(scenario).units.values() if unit.side == "british"]
    assert british
    assert not any(unit.on_map or unit.inland or unit.condition is not Condition.GOOD for unit in british)


def test_ta_h_11_big_push_begins_in_columns_33_to_36():
    state = set_up("big-push")

    def rows(formation):
        return [unit.at.row for unit in formation_units(state, formation) if unit.at]

    line = ("2-kashmir", "2-lnl", "63-palamcottah", "101-grenadiers")
    assert [max(rows(battalion)) for battalion in line] == sorted(max(rows(battalion)) for battalion in line)
    behind = {unit.at.column for unit in formation_units(state, "98-infantry") if unit.at}
    assert min(behind) > max(unit.at.column for unit in formation_units(state, "63-palamcottah") if unit.at)
    battalions = [formation.id for formation in state.formations.values() if formation.kind is Kind.BATTALION]
    assert {unit.at.column for battalion in battalions for unit in formation_units(state, battalion) if unit.at} == {
        33,
        34,
        35,
        36,
    }
    assert {unit.at for unit in formation_units(state, "27-bangalore")} == {hex_at("3903")}
    assert {unit.at for unit in formation_units(state, "ief-b")} == {hex_at("3804")}


@given(st.lists(st.integers(1, 4), min_size=2, max_size=2))
def test_ta_1_one_of_four_markers_is_real_under_companies_a_c_e_g(faces):
    state = set_up("initial-assault", *faces)
    for battalion, face in zip(("13-rajputs", "61-pioneers"), faces, strict=True):
        markers = [marker for marker in state.markers.values() if marker.formation == battalion]
        assert [marker.company for marker in markers] == [f"{battalion}-{letter}" for letter in "aceg"]
        assert [marker.real for marker in markers].index(True) == face - 1
        assert sum(bool(marker.real) for marker in markers) == 1
        assert not state.unit(f"{battalion}-mg").on_map


def test_ta_1_set_up_dice_are_hidden():
    class Dice(ScriptedDice):
        def throw(self, count, sides, label, *, side=None, hidden=False):
            assert hidden
            return super().throw(count, sides, label, side=side, hidden=hidden)

    set_up_house_scenario("initial-assault", {}, Dice([1, 2]))


def test_unknown_scenario_or_choice_is_refused_with_the_known_ones():
    with pytest.raises(Refused, match="initial-assault, invasion, big-push, campaign"):
        set_up_house_scenario("jassin", {}, ScriptedDice([]))
    with pytest.raises(Refused, match="nothing to choose"):
        set_up_house_scenario("invasion", {"weather": "rain"}, ScriptedDice([]))


@pytest.mark.parametrize(
    ("was", "now", "why"),
    [
        ("turns = 10", "turns = 0", "turns"),
        ("turns = 10", "turns = 100", "turns"),
        ('id = "17-fk"', 'id = "18-fk"', "there is none called '18-fk'"),
        ('2611 = "2 MG1 L"', '2611 = "2 MG3 L"', "no counter 'MG3'"),
        ('2611 = "2 MG1 L"', '2611 = "MG1 L"', "2: no hex is given"),
        ('2611 = "2 MG1 L"', '2611 = "2 1 MG1 L"', "1 stands in"),
        ('2611 = "2 MG1 L"', '2611 = "MG1 L", 2606 = "2"', "2606 is no land hex"),
        ('2611 = "2 MG1 L"', '3307 = "2 MG1 L"', "3307 is 13-rajputs's"),
        ('2609 = "1", 2611 = "2 MG1 L", 2613 = "3", 2615', '2609 = "1 2 3 L MG1", 2615', "more stand in 2609"),
        ("arrives = 8", "arrives = 11", "after the last"),
        ("arrives = 8", "arrives = 0", "greater than or equal to 1"),
        ("embankment = 1", "embankment = 11", "no 11 victory hexes"),
        ("embankment = 1", "castle = 1", "of the kind 'castle'"),
        ('id = "1-fk"', 'id = "6-fk"', "one appears twice"),
    ],
)
def test_a_fault_of_a_scenario_file_names_its_place(was, now, why):
    assert was in ASSAULT
    with pytest.raises(ValueError, match=r"^assault\.toml: ") as caught:
        SCENARIOS.read(ASSAULT.replace(was, now), "assault.toml")
    assert why in str(caught.value)


def test_a_scenario_has_99_turns_at_most():
    assert SCENARIOS.read(ASSAULT.replace("turns = 10", "turns = 99"), "assault.toml").turns == 99


def test_fault_of_the_forces_is_reported():
    with pytest.raises(ValueError, match="61-pioneers: “13th Rajputs” appears twice"):
        read_forces(FORCES.replace('"61st Pioneers"', '"13th Rajputs"'))
    with pytest.raises(ValueError, match="13-rajputs: two formations have that id"):
        read_forces(FORCES.replace('"61-pioneers"', '"13-rajputs"'))
