"""Base classes and checks that all action types of Magdala to Mafeking share."""

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from typing_extensions import override

from rules.core.action_type import A, P
from rules.core.ad_hoc import read_whole_number
from rules.core.model import Cite, Mark
from rules.core.refusal import Refused, refuse
from rules.core.report import Standing
from rules.core.tabletop.table_action import TableActionType
from rules.core.unit_lookup import find_unit

from .arms import CREWED, LEADERS
from .model import MOST_FIGURES, MagdalaPlay, MagdalaState, MagdalaUnit, Morale, StoredPrompt, Test
from .scenarios import TROOPS
from .scene import unit_summary
from .stored_prompts import SETTLE_FIRST, oldest_prompt, prompts_of, refusal_for_prompt

UMPIRES_CALL = "umpire's call"
AT_ITS_BEST = "at its best"
FOR_UNIT, FOR_TARGET = ("umpire +1", "umpire -1"), ("target +1", "target -1")
UMPIRES_WORDS = (*FOR_UNIT, *FOR_TARGET, UMPIRES_CALL, AT_ITS_BEST)
"""Circumstances that only the umpire may claim (MM-4.3, MM-5.4)."""
TURNS = Cite(rule="MM-1", mark=Mark.RULING)
"""Order of play is by alternate turns."""
FLYING = {
    Morale.ROUTED: Cite(rule="MM-5.8"),
    Morale.RETREATING: Cite(rule="MM-5.9"),
    Morale.PURSUING: Cite(rule="MM-4.6"),
}
MOST_CREW = 12
"""Maximum crew of a gun in a question without a game."""


class MagdalaType(TableActionType[MagdalaState, A, P]):
    """Base of the system's action types. It declares circumstances that only the umpire may claim."""

    def circumstances_from_state(self, state: MagdalaState, unit: MagdalaUnit, action: A) -> Iterable[str]:  # noqa: ARG002
        """Return the circumstances that the state decides, so that only the umpire may claim them."""
        return ()

    @override
    def umpire_circumstances(self, state: MagdalaState, action: A) -> Iterable[str]:
        """Return the circumstances that only the umpire may claim, including all that the state decides."""
        unit = state.units.get(action.unit or "")
        by_state = () if unit is None else self.circumstances_from_state(state, unit, action)
        return (*UMPIRES_WORDS, *super().umpire_circumstances(state, action), *by_state)

    def suggest_answers(self, state: MagdalaState, prompt: StoredPrompt) -> Iterable[A]:
        """Yield the actions of this type that settle the stored prompt; by default none."""
        raise NotImplementedError


class OwnTurnType(MagdalaType[A, P]):
    """Base of action types for orders that a unit carries out in its own turn."""

    def candidates_of_unit(self, state: MagdalaState, unit: MagdalaUnit) -> Iterable[A]:  # noqa: ARG002
        """Return the unit's candidates: by default the plain order, which only names the unit."""
        plain: Any = self.action.model_validate({"unit": unit.id})
        return (plain,)

    @override
    def suggest_for_unit(self, state: MagdalaState, unit_id: str) -> Iterable[A]:
        """Return the unit's candidates if it is its side's turn."""
        unit = state.unit(unit_id)
        return self.candidates_of_unit(state, unit) if unit.on_table and unit.side == state.active else ()


class PromptedType(MagdalaType[A, P]):
    """Base of action types whose actions settle stored prompts."""

    settles: ClassVar[tuple[Test, ...]] = ()
    """Tests that the action settles if it names only the unit."""
    settles_failed = False
    """Whether the action settles failed tests awaiting a general."""

    def suggest_actions(self, state: MagdalaState) -> Iterable[A]:
        """Yield the actions of this type that settle any stored prompt."""
        for prompt in state.prompts:
            yield from self.suggest_answers(state, prompt)

    @override
    def suggest_answers(self, state: MagdalaState, prompt: StoredPrompt) -> Iterable[A]:
        """Yield the action that names only the unit, if it settles the prompt; a secret action for a secret test."""
        if self.settles_failed if prompt.failed else prompt.test in self.settles:
            answer: Any = self.action.model_validate({"unit": prompt.unit, "secret": prompt.secret})
            yield answer


class OwedActionType(PromptedType[A, StoredPrompt]):
    """Base of action types for what a unit owes. The plan is the stored prompt that the action settles."""

    owes_none: ClassVar[str]
    """Refusal for a unit that owes no such action; it follows the unit's name."""
    rule: ClassVar[Cite]

    def settle(self, state: MagdalaState, action: A, *, supposing: bool) -> StoredPrompt:
        """Return the prompt that the unit owes, a failed test first. Raises Refused if it owes none.

        A secret test must be settled in secret, an open one openly (ruling).
        """
        unit = find_unit_on_table(state, action.unit)
        prompts = (prompt for prompt in prompts_of(state, unit.id) if any(self.suggest_answers(state, prompt)))
        first = min(prompts, key=lambda prompt: not prompt.failed, default=None)
        if first is None:
            raise Refused(f"{unit.name} {unit.verb(self.owes_none)}", self.rule)
        if first.failed and not supposing:
            in_secret, openly = first.secret and not action.secret, action.secret and not first.secret
            refuse(
                self.rule.as_ruling,
                (in_secret, "That test was thrown in secret: settle it in secret too."),
                (openly, "Everyone saw that test: settle it in the open too. Leave “secret” out."),
            )
        return first


def find_unit_on_table(state: MagdalaState, unit_id: str | None, noun: str = "unit") -> MagdalaUnit:
    """Return the unit of that id. Raises Refused, with the nearest names, unless it is on the table."""
    unit: MagdalaUnit = find_unit(state, unit_id, noun)
    refuse(None, (not unit.on_table, f"{unit:have} left the table. Choose another {noun}."))
    return unit


def make_unit_for_question(
    options: Mapping[str, Any], unit_id: str, side: str, name: str = "troop", number: str = "figures"
) -> MagdalaUnit:
    """Return the unit described in a question without a game, by default with the troops' usual number of figures.

    Raises Refused on leaders, unknown troops and wrong numbers.
    """
    troop = TROOPS.find(str(options[name]))
    usual = troop.make_unit(unit_id, troop.name, side)
    if usual.troop in LEADERS:
        raise Refused(f"{troop.name} fights with the unit he is with, not alone. Name other troops.")
    most = MOST_CREW if usual.troop in CREWED else MOST_FIGURES
    figures = read_whole_number(options, number, 1, most) if number in options else usual.figures
    return troop.make_unit(unit_id, troop.name, side, figures=figures)


def require_own_turn(state: MagdalaState, unit: MagdalaUnit) -> None:
    """Raise Refused unless it is the turn of the unit's side."""
    active_side = state.side(state.active)
    why = f"It is the turn of {active_side:the}; {unit:act} when it has passed."
    refuse(TURNS, (unit.side != state.active, why))


def require_may_be_ordered(state: MagdalaState, unit: MagdalaUnit) -> None:
    """Raise Refused unless the unit may be given an order: in its own turn, under command, in no melee."""
    require_own_turn(state, unit)
    require_under_command(state, unit)
    require_not_in_melee(unit)


def require_under_command(state: MagdalaState, unit: MagdalaUnit) -> None:
    """Raise Refused if the unit obeys no orders, or has spent its whole turn."""
    require_obedience(state, unit)
    spent = f"{unit:have} spent {unit:their} whole turn. {unit:They} can act again in {unit:their} next."
    refuse(TURNS, (unit.this_turn.whole_turn_spent, spent))


def require_obedience(state: MagdalaState, unit: MagdalaUnit) -> None:
    """Raise Refused if the unit is routed, retreating or pursuing, or owes a test that it must settle first."""
    rule = FLYING.get(unit.morale)
    refuse(rule, (rule, f"{unit:are} {unit.morale}: {unit:they obey} no orders until that is over."))
    prompt = oldest_prompt(state, unit.id, *SETTLE_FIRST)
    if prompt is not None:
        raise refusal_for_prompt(state, prompt, Cite(rule="MM-5"))


def require_not_in_melee(unit: MagdalaUnit) -> None:
    """Raise Refused if the unit is in melee, where it can only fight."""
    why = f"{unit:are} in melee: {unit:they fight} on until one side gives way."
    refuse(Cite(rule="MM-4.5", mark=Mark.RULING), (unit.melee_with, why))


def complete_action(
    play: MagdalaPlay, headline: str, *units: str, outcome: str | None = None, warnings: tuple[str, ...] = ()
) -> None:
    """Count the action, and complete its report with `outcome`, or with the units' status if None."""
    state = play.state
    play.set(events=state.events + 1)
    play.tell(
        headline=f"{headline}.",
        side=state.unit(units[0]).side,
        outcome=outcome or "",
        standing=unit_statuses(state, units) if outcome is None else (),
        warnings=warnings,
        units=units,
    )


def unit_statuses(state: MagdalaState, units: Iterable[str]) -> tuple[Standing, ...]:
    """Return the status of the units with these ids: `Berkshires: 18 of 24 figures, halted`."""
    named = (state.unit(unit_id) for unit_id in units)
    return tuple(Standing(unit.id, f"{unit.name}: {unit_summary(unit)}.") for unit in named)
