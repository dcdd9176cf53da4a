"""The umpire's tools and fields in words, for any system."""

from fractions import Fraction

import pytest

from rules.core import fields
from rules.core.dice import NoDice
from rules.core.model import PUBLIC, UMPIRE, Cite, Mark
from rules.core.refusal import NoPlace
from rules.core.report import Report
from rules.core.ruleset import Refused
from rules.core.umpire import BY_UMPIRE, SetField, UmpireTools
from rules.core.unit_lookup import find_unit, new_unit_id

from .drill import SYSTEM, DrillOptions, DrillState, Mood, Spot, Squad, start_drill, with_squad


def perform(state: DrillState, kind: str, **args) -> tuple[DrillState, Report]:
    return SYSTEM.act(state, SYSTEM.parse(kind, args), NoDice())


def refusal(kind: str, **args) -> str:
    with pytest.raises(Refused) as refused:
        perform(start_drill(), kind, **args)
    return str(refused.value)


def test_editable_secret_and_option_fields() -> None:
    assert set(SYSTEM.editable_fields) == {"name", "side", "figures", "mood", "ammunition", "brave", "leader", "spot"}
    assert set(SYSTEM.secret_fields) == {"secret"}
    assert set(SYSTEM.option_fields) == {"throw_at_once", "pace", "share"}


@pytest.mark.parametrize(
    ("name", "words", "value"),
    [
        ("figures", " 7 ", 7),
        ("mood", "Cross", Mood.DEEP_FRIED),
        ("mood", "deep fried", Mood.DEEP_FRIED),
        ("ammunition", "4½", Fraction(9, 2)),
        ("ammunition", "½", Fraction(1, 2)),
        ("ammunition", "4.5", Fraction(9, 2)),
        ("ammunition", "9/2", Fraction(9, 2)),
        ("ammunition", "-4½", Fraction(-9, 2)),
        ("ammunition", "-½", Fraction(-1, 2)),
        ("ammunition", "-2", Fraction(-2)),
        ("brave", "yes", True),
        ("brave", "no", False),
        ("brave", "true", True),
        ("side", "Blue", "blue"),
        ("leader", "b", "b"),
        ("leader", "Baker", "b"),
        ("leader", "bak", "b"),
        ("leader", "none", None),
        ("leader", "", None),
        ("spot", "3, 4.5", Spot(x=3, y=4.5)),
        ("spot", "3,4,90", Spot(x=3, y=4, facing=90)),
        ("spot", "none", None),
        ("name", "Able's own", "Able's own"),
        ("name", "Yes", "Yes"),
    ],
)
def test_set_reads_words(name: str, words: str, value: object) -> None:
    state, _ = perform(start_drill(), "set", unit="a", field=name, value=words)
    assert getattr(state.units["a"], name) == value


@pytest.mark.parametrize(
    ("name", "words", "reason"),
    [
        ("figures", "11", "at most 10"),
        ("figures", "lots", "a whole number"),
        ("mood", "sunny", "calm, cross"),
        ("ammunition", "plenty", "4½"),
        ("ammunition", "1/0", "4½"),
        ("brave", "perhaps", "yes or no"),
        ("side", "green", "There is no side “green”. There are: Red, Blue."),
        ("leader", "z", "No other unit here is called “z”. There are: Baker."),
        ("leader", "Able", "No other unit here"),
        ("spot", "3", "x, y, facing"),
        ("spot", "1,2,3,4", "x, y, facing"),
        ("spot", "here, there", "no number"),
        ("spot", "nan, 3", "no number"),
        ("spot", "3, 1e999", "no number"),
    ],
)
def test_set_refuses_invalid_values(name: str, words: str, reason: str) -> None:
    assert reason in refusal("set", unit="a", field=name, value=words)


@pytest.mark.parametrize("name", ["id", "secret", "memories", "colour"])
def test_set_knows_open_fields_only_and_names_the_nearest(name: str) -> None:
    assert f"There is no field “{name}”. The" in refusal("set", unit="a", field=name, value="1")


def test_place_is_read_in_words_of_moves_or_as_shown() -> None:
    def down(state: DrillState, unit: str, words: str) -> Spot:
        if words == "the sea":
            raise Refused("Nobody stands there.")
        if not words.startswith("forward"):
            raise NoPlace("No place.")
        return Spot(x=0, y=float(words.split()[1]))

    tools: UmpireTools[DrillState] = UmpireTools(add_unit=lambda state, *_: state, set_down=down, place_field="spot")
    (correct, *_) = tools.action_types
    spots = {}
    for words in ("forward 6", "3, 4, 90"):
        for field in ("spot", "place"):
            plan = correct.plan(start_drill(), SetField(unit="a", field=field, value=words))
            assert correct.label(start_drill(), plan) == "The umpire corrects Able: spot."
            spots[words] = plan[0].units["a"].spot
    assert spots == {"forward 6": Spot(x=0, y=6), "3, 4, 90": Spot(x=3, y=4, facing=90)}
    for words, why in (("the sea", "Nobody stands there"), ("behind", "^No place")):
        with pytest.raises(Refused, match=why):
            correct.plan(start_drill(), SetField(unit="a", field="spot", value=words))
    after, _ = correct.plan(start_drill(), SetField(unit="a", field="figures", value="7"))
    assert after.units["a"].figures == 7


def test_set_reports_old_and_new_value() -> None:
    _, report = perform(start_drill(), "set", unit="a", field="mood", value="cross")
    assert report.steps[0].text == "Mood: calm → cross."
    assert report.units == ("a",)
    assert report.audience is None


def test_set_calls_sides_and_other_units_by_their_names() -> None:
    _, report = perform(start_drill(), "set", unit="a", field="side", value="blue")
    assert report.steps[0].text == "Side: Red → Blue."
    state, report = perform(start_drill(), "set", unit="a", field="leader", value="b")
    assert report.steps[0].text == "Leader: none → Baker."
    _, report = perform(state, "set", unit="a", field="leader", value="none")
    assert report.steps[0].text == "Leader: Baker → none."


def test_only_the_umpire_reads_a_secret() -> None:
    state, report = perform(start_drill(), "secret", unit="a", field="secret", value="-1")
    assert state.units["a"].secret == -1
    assert report.view_for(UMPIRE) == report
    assert report.view_for(PUBLIC) is None
    assert report.view_for("red") is None
    assert "at most 2" in refusal("secret", unit="a", field="secret", value="3")
    assert "hidden field" in refusal("secret", unit="a", field="mood", value="calm")


def test_revealing_shows_the_secret_to_all() -> None:
    assert "no secret" in refusal("reveal", unit="a")
    state, _ = perform(start_drill(), "secret", unit="a", field="secret", value="-1")
    state, report = perform(state, "reveal", unit="a")
    assert report.showed_hidden
    assert report.audience is None
    assert "Secret -1" in report.steps[0].text
    assert state.units["a"].brave, "the system has had its say"


def test_an_option_is_changed_with_its_rule() -> None:
    state, report = perform(start_drill(), "option", name="Share", value="¾")
    assert state.options == DrillOptions(share=Fraction(3, 4), throw_at_once=False)
    assert report.steps[0].cite == BY_UMPIRE
    _, report = perform(state, "option", name="pace", value="4")
    assert report.steps[0].cite == Cite(rule="D-1", mark=Mark.RULING)
    assert report.steps[0].text == "Steps of a pace. 3 → 4."


@pytest.mark.parametrize(
    ("name", "value", "reason"), [("pase", "4", "pace"), ("pace", "0", "Steps of a pace"), ("share", "some", "4½")]
)
def test_invalid_option_is_refused(name: str, value: str, reason: str) -> None:
    assert reason in refusal("option", name=name, value=value)


def test_units_come_and_go() -> None:
    state, report = perform(start_drill(), "add_unit", troop="any", side="red", name="Charlie's Own")
    assert state.units["charlie-s-own"].side == "red"
    assert report.units == ("charlie-s-own",)
    state, _ = perform(state, "remove_unit", unit="charlie-s-own")
    assert state == start_drill()
    led = with_squad(state.changed("a", leader="b"), Squad(id="c", name="C", side="red", leader="a"))
    assert [squad.leader for squad in perform(led, "remove_unit", unit="b")[0].units.values()] == [None, "a"]
    assert "red, blue" in refusal("add_unit", troop="any", side="green", name="X")
    assert "both x and y" in refusal("add_unit", troop="any", side="red", name="X", x=3)
    assert "no unit “z”" in refusal("remove_unit", unit="z")
    assert "Another unit is already called “able”." in refusal("add_unit", troop="any", side="red", name="able")
    assert "Able already answers to “A”." in refusal("add_unit", troop="any", side="red", name="A")


def test_every_unit_gets_an_id_of_its_own() -> None:
    state = start_drill()
    assert new_unit_id(state, "Dog") == "dog"
    assert new_unit_id(state, "A") == "a-2"
    assert new_unit_id(state, "…") == "unit"


def test_an_unknown_unit_is_refused_with_the_nearest() -> None:
    with pytest.raises(Refused, match="The nearest: Able"):
        find_unit(start_drill(), "aa")


def test_a_number_with_a_point_is_read_or_refused() -> None:
    kind = Spot.model_fields["x"]
    assert fields.read_value(kind, " 4.5 ") == 4.5
    for words in ("far", "inf"):
        with pytest.raises(ValueError, match=f"“{words}” is no number"):
            fields.read_value(kind, words)


def test_a_field_says_the_words_it_may_take() -> None:
    assert fields.allowed_values(Squad.model_fields["mood"]) == ("calm", "cross")
    assert fields.allowed_values(Squad.model_fields["brave"]) == ("yes", "no")
    assert fields.allowed_values(Squad.model_fields["leader"]) == ("none",)
    assert fields.allowed_values(Squad.model_fields["figures"]) == ()


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (None, "none"),
        (True, "yes"),
        (False, "no"),
        (Fraction(9, 2), "4½"),
        (Fraction(1, 2), "½"),
        (3.0, "3"),
        (Spot(x=1, y=2.5), "1, 2.5, 0"),
        (Mood.CALM, "calm"),
        (7, "7"),
    ],
)
def test_a_value_in_words(value: object, words: str) -> None:
    assert fields.value_in_words(value) == words


@pytest.mark.parametrize("name", ["", "   ", "a\nb", "\x07", "x" * 61, "Able ", "ABLE", "A"])
def test_unit_name_must_be_valid_and_unique(name: str) -> None:
    state, _ = perform(start_drill(), "set", unit="a", field="name", value="Able")
    for kind, args in (
        ("add_unit", {"troop": "any", "side": "red", "name": name}),
        ("set", {"unit": "b", "field": "name", "value": name}),
    ):
        with pytest.raises(Refused, match="name"):
            perform(state, kind, **args)


def test_a_name_is_stripped_and_may_be_kept() -> None:
    state, _ = perform(start_drill(), "set", unit="a", field="name", value="  Able  ")
    assert state.units["a"].name == "Able"
    assert perform(state, "set", unit="a", field="name", value="ABLE")[0].units["a"].name == "ABLE"
