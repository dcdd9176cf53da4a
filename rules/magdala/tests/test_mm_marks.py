"""Marks: values that print leaves open are cited as rulings."""

from fractions import Fraction

import pytest

from rules.core.dice import NoDice
from rules.core.fields import with_field_from_words
from rules.core.model import Cite, Mark
from rules.core.play import Play
from rules.core.wording import decimal_text, inches
from rules.magdala.firing.fire import FIRE, Fire
from rules.magdala.firing.firepower import find_range_band
from rules.magdala.model import Works
from rules.magdala.moving import allowance
from rules.magdala.moving.allowance import move_rate
from rules.magdala.options import MagdalaOptions

from .field import BLUE, dice, field, unit

OPTIONS = MagdalaOptions()
TEXT, RULING = Mark.TEXT, Mark.RULING


@pytest.mark.parametrize(
    ("mover", "rule", "mark"),
    [
        (unit("british-breechloaders"), "MM-2.1", TEXT),
        (unit("british-mounted-infantry", mounted=False), "MM-2.7a", RULING),
        (unit("mahdist-camelry", mounted=False), "MM-2.5", TEXT),
        (unit("native-commander"), "MM-2.7a", RULING),
        (unit("imam"), "MM-2.7a", RULING),
        (unit("mahdist-camelry"), "MM-2.7a", RULING),
    ],
)
def test_mm_2_7a_rates_that_print_does_not_name_are_rulings(mover, rule: str, mark: Mark) -> None:
    assert move_rate(mover, OPTIONS).cite == Cite(rule=rule, mark=mark)


def test_mm_2_9_the_half_of_bad_going_is_a_ruling() -> None:
    going, mounting = allowance.move_factors(OPTIONS, bad_going="bad going", half_turn=True)
    assert (going.cite.mark, mounting.cite.mark) == (RULING, TEXT)


def test_mm_3_6_beyond_the_printed_reach_the_sharpshooters_bonus_is_a_ruling() -> None:
    boers = unit("kommando", mounted=False)
    assert [find_range_band(boers, far, OPTIONS).cite.mark for far in (24, 30)] == [TEXT, RULING]


@pytest.mark.parametrize(
    ("troops_id", "works", "mark"),
    [
        ("british-breechloaders", Works.SANDBAGS, TEXT),
        ("maxim", Works.SANDBAGS, RULING),
        ("maxim", Works.EARTHWORKS, TEXT),
    ],
)
def test_mm_7_cover_of_works_cites_the_works(troops_id: str, works: Works, mark: Mark) -> None:
    foe = unit("mahdist-rifles", "b", BLUE, works=works)
    _, report = FIRE.execute(field(unit(troops_id), foe), Fire(unit="a", target="b", range=10), dice(*[2] * 12))
    cited = [m.cite for step in report.steps for m in step.modifiers if m.reason == f"target {works}"]
    assert cited == [Cite(rule="MM-7", mark=mark)]


def test_mm_2_inches_are_shown_to_the_tenth() -> None:
    assert (inches(5.89687), decimal_text(12.0)) == ('5.9"', "12")
    slowed = allowance.move_factors(MagdalaOptions(going=Fraction(1, 7)), bad_going="bad going", half_turn=False)
    foot = unit("british-breechloaders")
    play = Play(field(foot), NoDice())
    allowance.throw_allowance(play, foot, move_rate(foot, OPTIONS), slowed, "move")
    assert [step.needed for step in play.report.steps] == ["up to 0.9 inches"]


@pytest.mark.parametrize(
    "name", [n for n, f in MagdalaOptions.model_fields.items() if f.annotation in (int, float, Fraction)]
)
def test_mm_every_number_that_is_an_option_has_bounds(name: str) -> None:
    for absurd in ("-1", "1000"):
        with pytest.raises(ValueError, match=r"It must be at (least|most) \d"):
            with_field_from_words(OPTIONS, name, absurd)


def test_mm_2_long_ways_are_written_out() -> None:
    assert inches(1414170.04) == '1414170"'


@pytest.mark.parametrize(
    ("troops", "inches", "name"),
    [
        ("british-breechloaders", 5, "short range"),
        ("british-breechloaders", 20, "long range"),
        ("field-gun", 11, "short range"),
        ("field-gun", 40, "long range"),
        ("maxim", 11, "any range"),
        ("heavy-gun", 60, "long range"),
    ],
)
def test_mm_3_6_bands_of_range_have_their_names(troops: str, inches: float, name: str) -> None:
    assert find_range_band(unit(troops), inches, OPTIONS).name == name
