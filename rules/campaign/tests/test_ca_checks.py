"""What states and corrections from outside may hold: each contradiction is refused by its name."""

from collections.abc import Callable
from typing import Any

import pytest

from rules.campaign.columns import Arrival
from rules.campaign.corrections import UMPIRE_TOOLS
from rules.campaign.model import Battle, CampaignState
from rules.core.model import PUBLIC, UMPIRE
from rules.core.refusal import Refused
from rules.core.state import Side, Verdict
from rules.core.tests.scripted import ScriptedDice

from .country import BLUE, MAPS, RED, country, hex_at, make_map, with_terrain
from .worlds import SYSTEM

GROUND = make_map(with_terrain("~", "0503"))


def begun() -> CampaignState:
    """A country with a map of its own, a point and a battle."""
    state = country(GROUND, "blue foot 0204", "red foot 0204", points=["Well 0303 blue well"])
    fight = Battle(id="battle", at=hex_at("0204"), day=1, columns=("blue-foot", "red-foot"))
    return state.model_copy(update={"own_map": MAPS[GROUND].spec, "map": "", "battles": {"battle": fight}})


def powers(state: CampaignState, **changed: Any) -> CampaignState:
    """Return the state with changes of its first power."""
    return state.model_copy(update={"powers": (state.powers[0].model_copy(update=changed), state.powers[1])})


def troops(state: CampaignState, **changed: Any) -> CampaignState:
    return state.changed("blue-foot", troops=(state.unit("blue-foot").troops[0].model_copy(update=changed),))


def point(state: CampaignState, **changed: Any) -> CampaignState:
    return state.model_copy(update={"points": {"Well": state.points["Well"].model_copy(update=changed)}})


def battle(state: CampaignState, at: str) -> CampaignState:
    return state.model_copy(
        update={"battles": {"battle": state.battles["battle"].model_copy(update={"at": hex_at(at)})}}
    )


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda state: state.model_copy(update={"powers": state.powers[:1]}), "there are two"),
        (lambda state: powers(state, commands=(BLUE, "third")), "each command is a side"),
        (
            lambda state: state.model_copy(update={"sides": (*state.sides, Side(id="third", name="Third", index=2))}),
            "each command is a side",
        ),
        (lambda state: powers(state, chief=RED), "a chief commands in it"),
        (lambda state: state.model_copy(update={"battle_system": "chess"}), "there is no such battle system"),
        (lambda state: state.model_copy(update={"own_map": None}), "there is no such map"),
        (
            lambda state: state.model_copy(
                update={"own_map": state.own_map.model_copy(update={"names": {hex_at("0101"): "x" * 41}})}
            ),
            "a name is one line of at most 40 characters",
        ),
        (lambda state: state.changed("blue-foot", at=hex_at("9999")), "it stands off the map"),
        (lambda state: state.changed("blue-foot", troops=()), "it has no units"),
        (lambda state: troops(state, figures=0), "a unit without figures"),
        (lambda state: point(state, at=hex_at("0503")), "it lies off the land"),
        (lambda state: point(state, holder="green"), "no such holder"),
        (lambda state: battle(state, "0503"), "it lies off the land"),
    ],
)
def test_a_state_that_contradicts_itself_is_refused(change: Callable[[CampaignState], CampaignState], why: str) -> None:
    state = begun()
    SYSTEM.require_valid_state(state)
    with pytest.raises(Refused, match=why):
        SYSTEM.require_valid_state(change(state))


def test_what_only_looks_wrong_passes() -> None:
    state = begun()
    SYSTEM.require_valid_state(state.changed("blue-foot", at=hex_at("0503")))  # water that was painted under it
    SYSTEM.require_valid_state(point(state, holder=""))
    SYSTEM.require_valid_state(point(state, holder=RED))
    SYSTEM.require_valid_state(powers(state, chief=BLUE))


def test_an_unknown_campaign_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(Refused, match="There is no campaign “waterloo”. There are: suakin-1884"):  # noqa: RUF043
        SYSTEM.setup("waterloo", {}, ScriptedDice(()))


def correct(state: CampaignState, kind: str, **arguments: Any) -> CampaignState:
    return SYSTEM.act(state, SYSTEM.parse(kind, arguments), ScriptedDice(()))[0]


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (
            {"x": 3.0, "y": 4.0},
            "This map has hexes, not inches: add the column without x and y, then /umpire set its place.",
        ),
        ({"troop": "elephants"}, "A column is foot, mounted, wheeled. Say which."),
        ({"figures": 0}, "A column has 1 to 200 figures. Give another number."),
        ({"figures": 201}, "A column has 1 to 200 figures. Give another number."),
    ],
)
def test_a_new_column_that_cannot_be_is_refused(arguments: dict[str, Any], why: str) -> None:
    new = {"troop": "foot", "side": BLUE, "name": "Fresh", **arguments}
    with pytest.raises(Refused) as refused:
        correct(begun(), "add_unit", **new)
    assert why in str(refused.value)


@pytest.mark.parametrize(("fields", "figures"), [({}, 24), ({"figures": 1}, 1), ({"figures": 200}, 200)])
def test_a_new_column_has_one_unit_off_the_map(fields: dict[str, int], figures: int) -> None:
    after = correct(begun(), "add_unit", troop="wheeled", side=BLUE, name="Fresh", **fields)
    fresh = after.unit("blue-fresh")
    (unit,) = fresh.troops
    assert (unit.name, unit.pace, unit.start, unit.figures, fresh.at) == ("Fresh", "wheeled", figures, figures, None)
    assert fresh.supply == 6


def test_a_column_is_put_on_land_and_forgets_its_way() -> None:
    state = country(GROUND, "blue foot 0203 via:0303 came:0202", "red foot 0907").changed("blue-foot", days_dug=2)
    with pytest.raises(Refused, match="Nobody can stand in 0503. Give another hex."):  # noqa: RUF043
        correct(state, "set", unit="blue-foot", field="place", value="0503")
    moved = correct(state, "set", unit="blue-foot", field="place", value="0207").unit("blue-foot")
    assert (moved.orders.way, moved.way_back, moved.days_dug) == ((), (), 0)
    column = correct(state, "set", unit="blue-foot", field="supply", value="2").unit("blue-foot")
    assert (column.orders.way, column.way_back, column.days_dug) == ((hex_at("0303"),), (hex_at("0202"),), 2)
    assert correct(state, "set", unit="blue-foot", field="place", value="0207").powers[0].began_with == 0


def test_only_who_comes_is_counted_among_the_figures_at_the_start() -> None:
    state = country(GROUND, "blue foot 0203:30", "blue foot 0203:5", "red foot 0907")
    late = state.changed("blue-foot", at=None, arrives=Arrival(day=9, at=hex_at("0207")))
    came = correct(late, "set", unit="blue-foot", field="place", value="0207")
    assert ([power.began_with for power in came.powers], came.unit("blue-foot").arrives) == ([30, 0], None)
    supplied = correct(late, "set", unit="blue-foot", field="supply", value="2")
    assert [power.began_with for power in supplied.powers] == [0, 0]


def test_a_correction_of_other_columns_leaves_battles_as_they_are() -> None:
    state = begun()
    assert correct(state, "set", unit="blue-foot", field="supply", value="2").battles == state.battles


def test_corrections_are_told_to_those_who_know_the_column() -> None:
    state = begun()
    assert UMPIRE_TOOLS.readers is not None
    assert UMPIRE_TOOLS.readers(state, "blue-foot") == {BLUE}
    over = state.model_copy(update={"over": Verdict(winner=None, why="It is over.")})
    assert UMPIRE_TOOLS.readers(over, "blue-foot") is None
    assert UMPIRE_TOOLS.line is not None
    assert UMPIRE_TOOLS.line(state, "blue-foot") == "blue foot: 24 figures, 0204."
    assert UMPIRE_TOOLS.line(state.changed("blue-foot", at=None), "blue-foot") == "blue foot: 24 figures, off the map."


def test_each_viewer_may_store_what_it_may_see() -> None:
    state = begun()
    assert SYSTEM.storable_view(state, UMPIRE) is state
    assert SYSTEM.storable_view(state, PUBLIC) == SYSTEM.view(state, PUBLIC) != state
    assert SYSTEM.awaited_viewers(state) == {BLUE, RED} - {*state.done}
