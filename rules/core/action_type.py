"""Action types: permission, required fields, odds, and effects of one kind of action."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar, cast, final

from .dice import Dice
from .model import UMPIRE, Cite, Viewer
from .odds import Odds
from .play import Play
from .refusal import NotSaid, Refused
from .report import Offer, Prompt, Report
from .state import Action, State
from .wording import as_words, percent

S = TypeVar("S", bound=State)
A = TypeVar("A", bound=Action)
P = TypeVar("P")


class Chance(NamedTuple):
    """A chance and what it is of: `33.3% to rally`."""

    value: Fraction
    hope: str = ""

    def __str__(self) -> str:
        return f"{percent(self.value)} {self.hope}".rstrip()


class Caption(NamedTuple):
    """What a button says: who does what to whom, and the chance if dice decide, with `more` chances behind it."""

    text: str
    chance: Chance | None = None
    between: str = ": "
    more: tuple[Chance, ...] = ()

    @property
    def chances(self) -> tuple[Chance, ...]:
        """All chances, the first one first."""
        return () if self.chance is None else (self.chance, *self.more)

    def __str__(self) -> str:
        return f"{self.text}{self.between}{', '.join(map(str, self.chances))}" if self.chances else self.text


class ActionType(Generic[S, A, P]):
    """What a system knows of one kind of action. All of it is pure, but `resolve` and `surprised`, which play.

    A plan `P` is all that is settled before a die is thrown: ids and numbers. It is made twice. A player's refusals,
    buttons and chances come from the plan of what his side sees; what happens comes from the plan of how things are.
    """

    action: type[Action]
    needs: ClassVar[tuple[str, ...] | None] = None
    """Options beside `with` that the question takes without a game; None where it cannot be asked so."""
    left_out: Mapping[str, str] = {}
    """Question asked when such an option is missing."""
    needs_words: ClassVar[tuple[str, ...]] = ()
    """Circumstances allowed without a game."""
    measured_circumstances: ClassVar[tuple[str, ...]] = ()
    """Circumstances that the table measures with positions, and people say without them."""
    _latest: tuple[S | None, A | None, P | None] = (None, None, None)

    def side(self, state: S, action: A) -> Viewer:
        """Return the acting side: the umpire, the unit's side, or the active side."""
        said = action.circumstances
        if action.umpire_only or (said and not frozenset(said).isdisjoint(self.umpires_words(state, action))):
            return UMPIRE
        unit = state.units.get(action.unit) if action.unit else None
        return unit.side if unit is not None else state.active

    def umpires_words(self, state: S, action: A) -> Iterable[str]:  # noqa: ARG002
        """Yield circumstances reserved to the umpire, because the game's state decides them."""
        return ()

    def thinkable(self, state: S) -> Iterable[A]:  # noqa: ARG002
        """A useful finite choice of such actions, whosever; those that cannot be planned drop out."""
        return ()

    def candidates(self, state: S, viewer: Viewer, unit: str | None = None) -> Iterable[A]:
        """Yield the side's candidates, for one unit (by id) or all; the umpire gets all candidates."""
        found = self.thinkable(state) if unit is None else self.of_unit(state, unit)
        return (each for each in found if viewer in (self.side(state, each), UMPIRE))

    def of_unit(self, state: S, unit: str) -> Iterable[A]:
        """Yield a unit's candidates, most useful first; types override this for speed."""
        return (each for each in self.thinkable(state) if each.unit == unit) if self.action.by_unit else ()

    def plan(self, state: S, action: A) -> P:
        """Return everything settled before the dice. Raises Refused."""
        return self.settle(state, action, supposing=False)

    def suppose(self, state: S, action: A) -> P:
        """Return the plan of an action even if it is not called for now. Raises Refused."""
        is_plain = type(self).settle is ActionType.settle
        return self.plan(state, action) if is_plain else self.settle(state, action, supposing=True)

    def settle(self, state: S, action: A, *, supposing: bool) -> P:
        """Return the plan; `supposing`, even if the action is not called for now. Other types override `plan`."""
        raise NotImplementedError

    def caption(self, state: S, plan: P) -> Caption:
        """Return the button text: unit, action, target and, apart, the chance."""
        raise NotImplementedError

    @final
    def label(self, state: S, plan: P) -> str:
        """Return the caption as one text."""
        return str(self.caption(state, plan))

    def danger(self, plan: P) -> bool:  # noqa: ARG002
        """Whether its button warns that it may cost something."""
        return False

    def offer(self, state: S, action: A, key: str, label: str = "", *, danger: bool = False) -> Offer:
        """Return a button for the action under the prompt `key`, with `label` or its own text. Raises Refused.

        Raises Refused where it cannot be planned.
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
        """Return a button for each action that can be planned, or lacks only a measurement."""
        return tuple(offer for action in actions if (offer := self._offered(state, action, key)) is not None)

    def _offered(self, state: S, action: A, key: str) -> Offer | None:
        try:
            plan = self._made(state, action)
        except NotSaid:
            return self._button(state, action, key, self.label_of_question(state, action))
        except Refused:
            return None
        return self._button(state, action, key, self.label(state, plan), danger=self.danger(plan))

    def prompt(
        self, state: S, actions: Sequence[A], key: str, text: str, cite: Cite, *, required: bool = True
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
        )

    def odds(self, state: S, plan: P) -> Odds:
        """Return the exact chances of that plan. Types that throw no dice have none."""
        raise NotImplementedError

    def odds_of(self, state: S, action: A) -> Odds:
        """The exact chances of an action, called for now or not. Raises Refused."""
        return self.odds(state, self.suppose(state, action))

    def resolve(self, play: Play[S], plan: P) -> None:
        """Throws, changes and tells. Never raises Refused."""
        raise NotImplementedError

    def surprised(self, play: Play[S], action: A, why: Refused) -> None:  # noqa: ARG002
        """Handle an action allowed by the side's knowledge but prevented by hidden facts; by default refuse.

        Nothing is hidden that could prevent it, unless a system says otherwise: then it is refused as well.
        """
        raise why

    def ask(self, given: Mapping[str, Any], words: tuple[str, ...]) -> tuple[S, A]:
        """Return the state and the action of a question without a game. Raises Refused on what is missing or absurd.

        Types without `needs` have no such questions.
        """
        raise NotImplementedError

    @property
    def finds_unit(self) -> bool:
        """Whether the type finds a unit's actions without searching the actions of all units."""
        return type(self).of_unit is not ActionType.of_unit

    @property
    def has_odds(self) -> bool:
        """Whether it throws dice whose chances can be asked for."""
        return type(self).odds is not ActionType.odds

    def measured(self, state: S, action: A) -> tuple[str, ...]:  # noqa: ARG002
        """Return the fields of the action that people fill in without positions, as in a question without a game."""
        return tuple(name for name in self.needs or () if name in self.action.model_fields)

    def circumstances_to_ask(self, state: S, action: A) -> tuple[str, ...]:
        """Return the circumstances of the action that only people know, in a game without positions."""
        known = frozenset(self.umpires_words(state, action))
        return tuple(word for word in self.measured_circumstances if word not in known)

    def label_of_question(self, state: S, action: A) -> str:
        """Return the label of a button for an action that lacks a measurement. A press asks for it."""
        target = state.units.get(getattr(action, "target", None) or "")
        at = f" {target.name}" if target is not None else ""
        return f"{state.units[action.unit or '']}: {as_words(action.kind)}{at} …"

    def carry_out(self, play: Play[S], action: A, seen: Callable[[], S]) -> None:
        """Plans it by what its side sees, then by how things are, and resolves that. Raises Refused before any die."""
        known = seen()
        plan = self._made(known, action)
        if known is not play.state:
            try:
                plan = self.plan(play.state, action)
            except Refused as why:
                self.surprised(play, action, why)
                return
        self.resolve(play, plan)

    def done(self, state: S, action: A, dice: Dice) -> tuple[S, Report]:
        """The action done by itself, all lying open, with nothing that a system makes follow. Raises Refused."""
        play = Play(state, dice, self.side(state, action))
        self.carry_out(play, action, lambda: play.state)
        return play.state, play.report

    def possible(self, state: S, viewer: Viewer, unit: str | None = None) -> Iterable[A]:
        """Yield the candidates that can be planned, for one unit (by id) or all."""
        for action in self.candidates(state, viewer, unit):
            if self.planned(state, action) is not None:
                yield action

    def lacking(self, state: S, viewer: Viewer, unit: str | None = None) -> Iterable[A]:
        """Yield the candidates that lack only a measurement."""
        for action in self.candidates(state, viewer, unit):
            if self.lacks(state, action) is not None:
                yield action

    def lacks(self, state: S, action: A) -> NotSaid | None:
        """Return the field the action lacks, if it is refused for that alone."""
        try:
            self._made(state, action)
        except NotSaid as lacking:
            return lacking
        except Refused:
            return None
        return None

    def planned(self, state: S, action: A) -> P | None:
        """Return the action's plan, or None if refused."""
        try:
            return self._made(state, action)
        except Refused:
            return None

    def _made(self, state: S, action: A) -> P:
        """Its plan. The last one made is remembered: what is found to be possible is often tried or done next."""
        remembered, planned, plan = self._latest
        if remembered is not state or planned is not action:
            plan = self.plan(state, action)
            self._latest = state, action, plan
        return cast("P", plan)


class SimpleType(ActionType[S, A, A]):
    """An action type without preparation: the action is its own plan.

    Beside a system's own base it stands first: `class ClearType(SimpleType[S, Clear], OwnTurnType[Clear, Clear])`.
    """

    says: ClassVar[str] = "{unit}: {kind}"
    """What its button says, of the fields of the action: `{unit:send} out {figures} figures`."""

    def check(self, state: S, action: A) -> None:
        """Raise Refused if the action is not allowed."""

    def plan(self, state: S, action: A) -> A:
        """Return the action if allowed. Raises Refused."""
        self.check(state, action)
        return action

    def caption(self, state: S, plan: A) -> Caption:
        """Return the formatted `says`, with names of units and sides inserted."""
        names = {**{side.id: side.name for side in state.sides}, **state.units}
        return Caption(self.says.format(kind=plan.kind, **{field: names.get(value, value) for field, value in plan}))
