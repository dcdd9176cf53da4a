"""Action types: permission, required fields, odds, and effects of one kind of action."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar, cast, final

from .dice import Dice
from .model import UMPIRE, Cite, Viewer
from .odds import Odds
from .play import Play
from .refusal import MissingField, Refused
from .report import Offer, Prompt, Report
from .state import Action, S
from .wording import as_words, percent

A = TypeVar("A", bound=Action)
P = TypeVar("P")


class Chance(NamedTuple):
    """The chance of a hoped-for result: `33.3% to rally`."""

    value: Fraction
    hope: str = ""

    def __str__(self) -> str:
        return f"{percent(self.value)} {self.hope}".rstrip()


class Caption(NamedTuple):
    """The caption of a button: unit, action and target, and the chances if dice decide."""

    text: str
    chance: Chance | None = None
    between: str = ": "
    more: tuple[Chance, ...] = ()
    danger: bool = False
    """Whether the button warns that the action may cost something."""

    @property
    def chances(self) -> tuple[Chance, ...]:
        """Return all chances of the caption; empty if no dice decide."""
        return () if self.chance is None else (self.chance, *self.more)

    def __str__(self) -> str:
        return f"{self.text}{self.between}{', '.join(map(str, self.chances))}" if self.chances else self.text


class ActionType(Generic[S, A, P]):
    """The rules for one kind of action. All methods are pure, except for changes to a `Play`.

    A plan `P` holds all that is settled before the dice. A plan on the side's view gives players refusals, buttons and
    chances. A second plan, on the real state, decides what happens.
    """

    action: type[Action]
    question_fields: ClassVar[tuple[str, ...] | None] = None
    """Options, besides `with`, of a question without a game; None if the type has no such questions."""
    question_defaults: Mapping[str, str] = {}
    """Default values for options that a question without a game leaves out."""
    question_circumstances: ClassVar[tuple[str, ...]] = ()
    """Circumstances that a question without a game takes."""
    measured_circumstances: ClassVar[tuple[str, ...]] = ()
    """Circumstances that the game itself measures, if it stores positions; otherwise people state them."""
    effect_on_move: Callable[[S, P], str] | None = None
    """Return how much of a unit's move a plan uses up, or how far the unit may go, in words; None for most types."""
    expected_course: Callable[[S, P], str] | None = None
    """Return the expected course of a plan in words, as far as its side knows; None for most types."""
    handle_surprise: Callable[[Play[S], A, Refused], None] | None = None
    """Handle an action that the side's view allows but hidden facts prevent. If None, the refusal is raised."""
    _latest: tuple[S | None, A | None, P | None] = (None, None, None)

    def side(self, state: S, action: A) -> Viewer:
        """Return the acting side: the umpire, the unit's side, or the active side."""
        circumstances = action.circumstances
        if action.umpire_only or (
            circumstances and not frozenset(circumstances).isdisjoint(self.umpire_circumstances(state, action))
        ):
            return UMPIRE
        unit = state.units.get(action.unit) if action.unit else None
        return unit.side if unit is not None else state.active

    def umpire_circumstances(self, state: S, action: A) -> Iterable[str]:  # noqa: ARG002
        """Yield the circumstances that only the umpire may state. For players, the game's state decides them."""
        return ()

    def suggest_actions(self, state: S) -> Iterable[A]:
        """Yield a useful, finite selection of actions for all sides. The caller drops those that are refused."""
        for unit in state.units if self.can_list_by_unit else ():
            yield from self.suggest_for_unit(state, unit)

    def candidates(self, state: S, viewer: Viewer, unit: str | None = None) -> Iterable[A]:
        """Yield the suggested actions of the viewer's sides (all for the umpire), for one unit (by id) or all."""
        actions = self.suggest_actions(state) if unit is None else self.suggest_for_unit(state, unit)
        sides = state.sides_represented_by(viewer)
        return (action for action in actions if viewer == UMPIRE or self.side(state, action) in sides)

    def suggest_for_unit(self, state: S, unit: str) -> Iterable[A]:
        """Yield a unit's suggested actions, most useful first; types override this or `suggest_actions`."""
        return (
            (action for action in self.suggest_actions(state) if action.unit == unit)
            if self.action.is_unit_action
            else ()
        )

    def plan(self, state: S, action: A) -> P:
        """Return everything that is settled before the dice. Raises Refused if the action is not allowed."""
        return self.settle(state, action, supposing=False)

    def suppose(self, state: S, action: A) -> P:
        """Return the plan of `action`, even if the action is not due now. Raises Refused."""
        is_plain = type(self).settle is ActionType.settle
        return self.plan(state, action) if is_plain else self.settle(state, action, supposing=True)

    def settle(self, state: S, action: A, *, supposing: bool) -> P:
        """Return the plan of `action`; with `supposing`, even if the action is not due now. Raises Refused.

        A type whose plans do not depend on `supposing` overrides `plan` instead.
        """
        raise NotImplementedError

    def caption(self, state: S, plan: P) -> Caption:
        """Return the button's caption: unit, action and target as text, and the chance as separate fields."""
        raise NotImplementedError

    @final
    def label(self, state: S, plan: P) -> str:
        """Return the button's caption as one text."""
        return str(self.caption(state, plan))

    def offer(self, state: S, action: A, key: str, label: str = "", *, danger: bool = False) -> Offer:
        """Return the button that answers the prompt `key` with `action`.

        Without `label`, the button shows the action's caption; raises Refused if the action is not allowed.
        """
        return self._button(state, action, key, label or self.label(state, self.plan(state, action)), danger=danger)

    def _button(self, state: S, action: A, key: str, label: str, *, danger: bool = False) -> Offer:
        return Offer(
            label=label,
            kind=action.kind,
            args=action.model_dump(mode="json", by_alias=True, exclude_defaults=True),
            side=self.side(state, action),
            key=key,
            danger=danger,
        )

    def offers(self, state: S, actions: Iterable[A], key: str) -> tuple[Offer, ...]:
        """Return a button for each action that is allowed or lacks only a measurement."""
        return tuple(offer for action in actions if (offer := self._offer_if_possible(state, action, key)) is not None)

    def _offer_if_possible(self, state: S, action: A, key: str) -> Offer | None:
        try:
            plan = self._cached_plan(state, action)
        except MissingField:
            return self._button(state, action, key, self.question_label(state, action))
        except Refused:
            return None
        caption = self.caption(state, plan)
        return self._button(state, action, key, str(caption), danger=caption.danger)

    def prompt(
        self,
        state: S,
        actions: Sequence[A],
        key: str,
        text: str,
        cite: Cite,
        *,
        required: bool = True,
        occasion: str = "",
    ) -> Prompt:
        """Return a prompt for the first action's unit, with a button for each action."""
        return Prompt(
            key=key,
            unit=actions[0].unit or "",
            side=self.side(state, actions[0]),
            text=text,
            cite=cite,
            offers=self.offers(state, actions, key),
            required=required,
            occasion=occasion,
        )

    def odds(self, state: S, plan: P) -> Odds:
        """Return the exact chances of `plan`. A type that throws no dice does not override this."""
        raise NotImplementedError

    def odds_of(self, state: S, action: A) -> Odds:
        """Return the exact chances of `action`, even if the action is not due now. Raises Refused."""
        return self.odds(state, self.suppose(state, action))

    def resolve(self, play: Play[S], plan: P) -> None:
        """Throw the dice of `plan`, and record the new state and the report in `play`. Never raises Refused."""
        raise NotImplementedError

    def set_up_question(self, options: Mapping[str, Any], words: tuple[str, ...]) -> tuple[S, A]:
        """Return a throwaway state and the action for a question without a game.

        Raises Refused for missing or wrong options. A type without `question_fields` does not override this.
        """
        raise NotImplementedError

    @property
    def can_list_by_unit(self) -> bool:
        """Whether the type can list one unit's actions without a search of all units' actions."""
        return type(self).suggest_for_unit is not ActionType.suggest_for_unit

    @property
    def has_odds(self) -> bool:
        """Whether the type throws dice whose chances can be asked for."""
        return type(self).odds is not ActionType.odds

    def fields_to_measure(self, state: S, action: A) -> tuple[str, ...]:  # noqa: ARG002
        """Return the fields that people fill in if the game keeps no positions: by default `question_fields`."""
        return tuple(name for name in self.question_fields or () if name in self.action.model_fields)

    def circumstances_to_ask(self, state: S, action: A) -> tuple[str, ...]:
        """Return the circumstances that only people know, in a game without positions."""
        umpire_words = frozenset(self.umpire_circumstances(state, action))
        return tuple(word for word in self.measured_circumstances if word not in umpire_words)

    def question_label(self, state: S, action: A) -> str:
        """Return the button label of an action that lacks a measurement. A press asks for the measurement."""
        target = state.units.get(getattr(action, "target", None) or "")
        at = f" {target.name}" if target is not None else ""
        return f"{state.units[action.unit or '']}: {as_words(action.kind)}{at} …"

    def carry_out(self, play: Play[S], action: A, get_view: Callable[[], S]) -> None:
        """Plan `action` on its side's view, then on the real state, and resolve the second plan.

        If only the view allows the action, call `handle_surprise`. Raises Refused before any die is thrown.
        """
        view = get_view()
        plan = self._cached_plan(view, action)
        if view is not play.state:
            try:
                plan = self.plan(play.state, action)
            except Refused as why:
                if self.handle_surprise is None:
                    raise
                self.handle_surprise(play, action, why)
                return
        self.resolve(play, plan)

    def execute(self, state: S, action: A, dice: Dice) -> tuple[S, Report]:
        """Execute `action` alone, on a state without hidden facts. Return state and report. Raises Refused."""
        play = Play(state, dice, self.side(state, action))
        self.carry_out(play, action, lambda: play.state)
        return play.state, play.report

    def possible_actions(self, state: S, viewer: Viewer, unit: str | None = None) -> Iterable[A]:
        """Yield the viewer's suggested actions that are allowed, for one unit (by id) or all."""
        for action in self.candidates(state, viewer, unit):
            if self.plan_if_allowed(state, action) is not None:
                yield action

    def unmeasured_actions(self, state: S, viewer: Viewer, unit: str | None = None) -> Iterable[A]:
        """Yield the viewer's suggested actions that lack only a measurement, for one unit (by id) or all."""
        for action in self.candidates(state, viewer, unit):
            if self.missing_field(state, action) is not None:
                yield action

    def missing_field(self, state: S, action: A) -> MissingField | None:
        """Return the refusal for a missing field; None if the action is allowed, or refused for another reason."""
        try:
            self._cached_plan(state, action)
        except MissingField as lacking:
            return lacking
        except Refused:
            return None
        return None

    def plan_if_allowed(self, state: S, action: A) -> P | None:
        """Return the action's plan, or None if refused."""
        try:
            return self._cached_plan(state, action)
        except Refused:
            return None

    def _cached_plan(self, state: S, action: A) -> P:
        """Return the plan of `action`. The newest plan is cached: the action's odds or result often follow."""
        remembered, planned, plan = self._latest
        if remembered is not state or planned is not action:
            plan = self.plan(state, action)
            self._latest = state, action, plan
        return cast("P", plan)


class SimpleType(ActionType[S, A, A]):
    """An action type without preparation: the action is its own plan.

    A class with two bases names this base first: `class ClearType(SimpleType[S, Clear], OwnTurnType[Clear, Clear])`.
    """

    says: ClassVar[str] = "{unit}: {kind}"
    """Format of the button's text, with fields of the action: `{unit:send} out {figures} figures`."""
    danger: ClassVar[bool] = False
    """Whether the button warns that the action may cost something."""

    def check(self, state: S, action: A) -> None:
        """Raise Refused if the action is not allowed."""

    def plan(self, state: S, action: A) -> A:
        """Return the action itself as the plan. Raises Refused if the action is not allowed."""
        self.check(state, action)
        return action

    def caption(self, state: S, plan: A) -> Caption:
        """Return the template `says` filled in with the action's fields. Units and sides appear by name."""
        names = {**{side.id: side.name for side in state.sides}, **state.units}
        text = self.says.format(kind=plan.kind, **{field: names.get(value, value) for field, value in plan})
        return Caption(text, danger=self.danger)
