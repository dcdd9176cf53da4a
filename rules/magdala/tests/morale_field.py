"""Units under fire and their morale tests, for tests of morale."""

from fractions import Fraction

from rules.magdala.model import MagdalaState, MagdalaUnit, Morale
from rules.magdala.model import Test as Owes
from rules.magdala.morale.effects import CasualtyCause, inflict_casualties
from rules.magdala.morale.testing import MORALE, MoraleTest
from rules.magdala.stored_prompts import add_prompt, prompts_of

from .field import field, play_part, unit

CALL = "umpire's call"
TROOPS = ("british-breechloaders", "kommando", "british-cavalry", "field-gun", "mahdist-spears", "egyptian-conscripts")


def chance(of: MagdalaUnit, *words: str) -> Fraction:
    return MORALE.odds_of(field(of), MoraleTest(unit=of.id, circumstances=(CALL, *words))).outcomes[0].chance


def with_casualties(of: MagdalaUnit, figures: int) -> MagdalaUnit:
    return of.model_copy(update={"casualties": figures})


def with_advance(of: MagdalaUnit) -> MagdalaUnit:
    return of.model_copy(update={"this_turn": of.this_turn.model_copy(update={"advanced": True})})


def inflict_fire(state: MagdalaState, target: str, hits: int) -> MagdalaState:
    return play_part(inflict_casualties, state, target, hits, "b", CasualtyCause.FIRE)[0]


def owed_tests(state: MagdalaState, unit_id: str = "a") -> list[Owes]:
    return [prompt.test for prompt in prompts_of(state, unit_id)]


def state_under_fire(of: MagdalaUnit, **fields: object) -> MagdalaState:
    return add_prompt(field(of, **fields), of.id, Owes.UNDER_FIRE)


def make_halted_unit(turns: int) -> MagdalaUnit:
    of = with_casualties(unit("mahdist-spears", at=(20, 20)), 8)
    return of.model_copy(update={"morale": Morale.HALTED, "half_effect_next_fire": True, "held_turns": turns})
