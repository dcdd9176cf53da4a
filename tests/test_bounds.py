"""Limits of typed numbers and dice: short input must not stand for huge numbers or millions of dice."""

from fractions import Fraction

import pytest
from pydantic import TypeAdapter, ValidationError

from rules.core import fields
from rules.core.dice import NoDice
from rules.core.model import Cite, Exact
from rules.core.ruleset import Refused
from rules.core.sealed_dice import MOST_DICE, SealedDice
from rules.core.umpire import SetField
from rules.magdala.model import MagdalaUnit
from rules.magdala.ruleset import Magdala

BOMBS = ["1e4000", "1e9000000", "-1E30000000", "1" * 7, "1/" + "9" * 5, "1_000", "1.00001", "1e9½"]


@pytest.mark.parametrize("words", BOMBS)
def test_a_number_of_another_form_is_refused_before_it_is_made(words: str) -> None:
    with pytest.raises(ValueError, match="is no number"):
        fields.read_value(MagdalaUnit.model_fields["ammunition"], words)


@pytest.mark.parametrize(
    ("words", "value"),
    [
        ("٣", Fraction(3)),
        ("4½", Fraction(9, 2)),
        ("½", Fraction(1, 2)),
        ("4.5", Fraction(9, 2)),
        ("9/2", Fraction(9, 2)),
    ],
)
def test_a_plain_number_is_read(words: str, value: Fraction) -> None:
    assert fields.read_value(MagdalaUnit.model_fields["ammunition"], words) == value


@pytest.mark.parametrize("text", ["1e9000000", "1/1e9", "x"])
def test_a_fraction_in_a_file_has_no_exponent(text: str) -> None:
    with pytest.raises(ValidationError, match="9/2"):
        TypeAdapter(Exact).validate_python(text)
    assert TypeAdapter(Exact).validate_json('"-7/2"') == Fraction(-7, 2)


@pytest.mark.parametrize("words", ["-5", "100", "1e4000"])
def test_the_umpire_sets_ammunition_within_reason(words: str) -> None:
    magdala = Magdala()
    state = magdala.setup("suakin-1885", {}, NoDice())
    with pytest.raises(Refused, match="Ammunition"):
        magdala.act(state, SetField(unit=next(iter(state.units)), field="ammunition", value=words), NoDice())


def test_a_throw_of_too_many_dice_is_refused_before_any_is_thrown() -> None:
    dice = SealedDice(b"x" * 32, "g", 1, 1)
    with pytest.raises(Refused, match="the limit is 1,000"):
        dice.throw(MOST_DICE + 1, 6, "bomb")
    assert dice.thrown == ()
    assert len(dice.throw(MOST_DICE, 6, "the most").dice) == MOST_DICE


def test_a_rule_number_is_short() -> None:
    with pytest.raises(ValidationError):
        Cite(rule="x" * 41)
