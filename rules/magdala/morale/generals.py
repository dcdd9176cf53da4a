"""Generals rally by having a failed test thrown again, and run risks (MM-6)."""

from fractions import Fraction
from typing import ClassVar

from rules.core.action_type import Deed
from rules.core.chart import Row
from rules.core.dice import Dice
from rules.core.model import Cite, Mark
from rules.core.odds import Odds, Outcome
from rules.core.report import Step
from rules.core.ruleset import Refused
from rules.core.state import Action
from rules.magdala.fleeing.flight import remove
from rules.magdala.model import Health, MagdalaState, StoredPrompt, Test
from rules.magdala.orders import find
from rules.magdala.prompts import offering
from rules.magdala.stored_prompts import first_prompt, prompts_of, settle
from rules.magdala.tables import SIDES, TABLES
from rules.magdala.telling import Told, told

from .generalship import in_danger, may_be_thrown_again
from .taken import accept, odds_of, take_again
from .trials import totals

RULE = Cite(rule="MM-6")
RISK_FIRST = Cite(rule="MM-6", mark=Mark.RULING)
SECRECY = Cite(rule="MM-6", mark=Mark.RULING)
RISK_DICE = 2


class Reroll(Action):
    """The general with a unit has its failed test thrown again."""

    kind: ClassVar[str] = "reroll"
    can_be_secret: ClassVar[bool] = True


class Decline(Action):
    """Lets something offered go by: a re-roll, so that the failure stands, or the defender's fire."""

    kind: ClassVar[str] = "decline"
    can_be_secret: ClassVar[bool] = True


class Risk(Action):
    """2D6 for a general whose unit took more than 2 hits at once."""

    kind: ClassVar[str] = "risk"


def waiting(state: MagdalaState, unit_id: str) -> StoredPrompt | None:
    """The failed test that waits for a general's word."""
    return next((prompt for prompt in prompts_of(state, unit_id) if prompt.failed), None)


def throw_again(state: MagdalaState, action: Reroll, dice: Dice) -> Told:
    """Throws the failed test again. Raises Refused when none waits, or no unwounded general is there."""
    prompt = _to_throw_again(state, action)
    _in_secret(action, prompt)
    return take_again(state, prompt, dice)


def odds_again(state: MagdalaState, action: Reroll) -> Odds:
    """The exact chances of the second throw."""
    return odds_of(state, _to_throw_again(state, action))


def _to_throw_again(state: MagdalaState, action: Reroll) -> StoredPrompt:
    unit = find(state, action.unit)
    prompt = waiting(state, unit.id)
    if prompt is None:
        raise Refused(f"{unit.name} has no failed test that could be thrown again.", RULE)
    if not may_be_thrown_again(state, prompt):
        raise Refused(f"No unwounded general is with {unit.name} any more: accept the failure.", RULE)
    general = in_danger(state, unit)
    if general is not None:
        raise Refused(f"{general.name} is in danger himself: throw for his risk first.", RISK_FIRST)
    return prompt


def _in_secret(action: Action, prompt: StoredPrompt) -> None:
    """What follows of a secret test is secret too, and of an open one open. Raises Refused."""
    if prompt.secret and not action.secret:
        raise Refused("That test was thrown in secret: settle it in secret too.", SECRECY)
    if action.secret and not prompt.secret:
        raise Refused("Everyone saw that test: settle it in the open too. Leave “secret” out.", SECRECY)


def decline(state: MagdalaState, action: Decline, dice: Dice) -> Told:
    """Lets it go by. Raises Refused when nothing is offered."""
    unit = find(state, action.unit)
    prompt = waiting(state, unit.id)
    if prompt is not None:
        _in_secret(action, prompt)
        return accept(state, prompt, dice)
    fire = first_prompt(state, unit.id, Test.DEFENSIVE_FIRE)
    if fire is None:
        raise Refused(f"{unit.name} is offered nothing that it could decline.", RULE)
    step = Step(text=unit.name, cite=Cite(rule="MM-4.1"), verdict="holds its fire")
    return told(settle(state, fire), unit.id, f"{unit.name} holds its fire", (step,))


def risk(state: MagdalaState, action: Risk, dice: Dice) -> Told:
    """2: killed; 3: wounded. Raises Refused when the general has not been in danger."""
    prompt = _in_danger(state, action)
    general = state.unit(prompt.unit)
    thrown = dice.throw(RISK_DICE, SIDES, f"{general.name}: risk", side=general.side)
    row = TABLES.charts["risk-to-generals"].band(thrown.total)
    fate = row.cells[0].text
    step = Step(
        text=f"{general.name}: risk",
        cite=row.cite,
        throws=(thrown,),
        start=Fraction(thrown.total),
        verdict=fate,
        chance=_unhurt(),
        hope="to be unhurt",
    )
    state = _befallen(settle(state, prompt), general.id, fate)
    return told(state, general.id, f"{general.name} is {fate}", (step,))


def odds_of_risk(state: MagdalaState, action: Risk) -> Odds:
    """The exact chances of each fate."""
    general = state.unit(_in_danger(state, action).unit)
    rows = TABLES.charts["risk-to-generals"].rows
    return Odds(
        question=f"{general.name}: risk",
        outcomes=tuple(Outcome(label=row.cells[0].text, chance=_chance(row), good=row == rows[-1]) for row in rows),
        spread=tuple(sorted(totals(RISK_DICE).items())),
        spread_of="2D6",
        pass_from=rows[-1].low,
    )


def _in_danger(state: MagdalaState, action: Risk) -> StoredPrompt:
    general = find(state, action.unit, "general")
    prompt = first_prompt(state, general.id, Test.GENERAL_RISK)
    if prompt is None:
        raise Refused(f"{general.name} has not been in danger: no unit he is with took more than 2 hits at once.", RULE)
    return prompt


def _befallen(state: MagdalaState, general_id: str, fate: str) -> MagdalaState:
    general = state.unit(general_id)
    if fate == Health.WOUNDED.value:
        return state.with_unit(general.model_copy(update={"health": Health.WOUNDED}))
    if fate != Health.KILLED.value:
        return state
    return remove(state.with_unit(general.model_copy(update={"health": Health.KILLED})), general_id)


def _chance(row: Row) -> Fraction:
    return sum((chance for total, chance in totals(RISK_DICE).items() if row.holds(total)), Fraction(0))


def _unhurt() -> Fraction:
    return _chance(TABLES.charts["risk-to-generals"].rows[-1])


REROLL: Deed[MagdalaState] = Deed(Reroll, throw_again, odds_again, offering(Reroll))
DECLINE: Deed[MagdalaState] = Deed(Decline, decline, legal=offering(Decline))
RISK: Deed[MagdalaState] = Deed(Risk, risk, odds_of_risk, offering(Risk))
