"""Find the facts that people must state about an action: without a game, or in a game without positions."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic

from pydantic import ValidationError

from . import parsing
from .action_type import ActionType
from .dice import Dice
from .odds import Odds
from .refusal import MissingField, Refused
from .report import Report
from .state import Action, S, Side, Unit
from .unit_lookup import TARGET

if TYPE_CHECKING:
    from .ruleset import Ruleset

OURS, THEIRS = "ours", "theirs"


@dataclass(frozen=True)
class FactsToAsk:
    """Facts that people must state before an action.

    Of the `fields` to fill in, those in `needed` are required. `targets` and `words` list the possible targets and
    circumstances. `why` tells the player which required field is missing.
    """

    why: str
    fields: tuple[str, ...] = ()
    needed: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    words: tuple[str, ...] = ()


def find_facts_to_ask(kind: ActionType[S, Any, Any], state: S, action: Action, *, measures: bool) -> FactsToAsk | None:
    """Return the missing field and the circumstances that people must state before an action.

    If the game itself `measures` circumstances, leave them out. Return None if nothing is missing, or if another rule
    refuses the action.
    """
    lacking = kind.missing_field(state, action)
    if lacking is not None and lacking.field == TARGET:
        return _find_facts_for_target(kind, state, action, lacking, measures=measures)
    words = () if measures else kind.circumstances_to_ask(state, action)
    if lacking is None and (not words or frozenset(words) & frozenset(action.circumstances)):
        return None
    if lacking is None and kind.plan_if_allowed(state, action) is None:
        return None
    needed = () if lacking is None else (lacking.field,)
    missing = (name for name in kind.fields_to_measure(state, action) if getattr(action, name) is None)
    return FactsToAsk(lacking.why if lacking else "", tuple(dict.fromkeys((*needed, *missing))), needed, words=words)


def _find_facts_for_target(
    kind: ActionType[S, Any, Any], state: S, action: Action, lacking: MissingField, *, measures: bool
) -> FactsToAsk | None:
    """Return the facts to ask for an action without a target: the target, and facts about possible targets."""
    targets = (getattr(suggestion, TARGET) for suggestion in kind.suggest_for_unit(state, action.unit or ""))
    candidates = (action.model_copy(update={TARGET: target}) for target in dict.fromkeys(targets))
    possible_actions = [
        candidate
        for candidate in candidates
        if kind.missing_field(state, candidate) or kind.plan_if_allowed(state, candidate) is not None
    ]
    if not possible_actions:
        return None
    all_facts = [
        facts
        for candidate in possible_actions
        if (facts := find_facts_to_ask(kind, state, candidate, measures=measures)) is not None
    ]
    return FactsToAsk(
        why=lacking.why,
        fields=tuple(dict.fromkeys(field for facts in all_facts for field in facts.fields)),
        needed=(TARGET, *dict.fromkeys(field for facts in all_facts for field in facts.needed)),
        targets=tuple(getattr(candidate, TARGET) for candidate in possible_actions),
        words=tuple(dict.fromkeys(word for facts in all_facts for word in facts.words)),
    )


class AdHocQuestions(Generic[S]):
    """Answers to questions without a game, each calculated on a throwaway state."""

    def __init__(self, system: "Ruleset[S]", types: Mapping[str, ActionType[S, Any, Any]]) -> None:
        self._system = system
        self._types = types

    @property
    def question_fields_by_kind(self) -> Mapping[str, tuple[str, ...]]:
        """Return the fields of a question without a game, by kind of action. Circumstances (`with`) are allowed too."""
        return {
            kind: action_type.question_fields
            for kind, action_type in self._types.items()
            if action_type.question_fields is not None
        }

    def circumstances(self, kind: str) -> tuple[str, ...]:
        """Return the circumstances that a question of that kind takes."""
        return self._types[kind].question_circumstances if kind in self._types else ()

    def set_up(self, kind: str, args: Mapping[str, Any]) -> tuple[S, Action]:
        """Return a throwaway state and the action that a question asks about. Raises Refused."""
        if kind not in self.question_fields_by_kind:
            kinds, title = ", ".join(self.question_fields_by_kind) or "nothing", self._system.title
            raise Refused(f"Without a game you can ask {title} for {kinds}. For {kind}, begin one with /game new.")
        options = {name: value for name, value in args.items() if value is not None and name != "with"}
        for name in options:
            if name not in self.question_fields_by_kind[kind]:
                needs = ", ".join(self.question_fields_by_kind[kind])
                raise Refused(f"Without a game, {kind} takes {needs} and with. Leave out “{name[:40]}”.")
        asked_type, troops = self._types[kind], self._system.troops
        options = {**asked_type.question_defaults, **options}
        if "troop" in self.question_fields_by_kind[kind] and "troop" not in options:
            example = next(iter(troops.values())).name
            raise Refused(f"Say which troops: {kind} needs “troop”, such as “{example}”.")
        circumstances = args.get("with") or ()
        known_words = asked_type.question_circumstances
        words = (
            parsing.parse_circumstances(known_words, circumstances, self._system.circumstances)
            if isinstance(circumstances, str)
            else tuple(circumstances)
        )
        try:
            return asked_type.set_up_question(options, words)
        except ValidationError as error:
            raise Refused(f"{parsing.invalid_field_in_words(error)} Change it and try again.") from None

    def answer(self, kind: str, args: Mapping[str, Any], dice: Dice) -> tuple[S, Report]:
        """Execute the action of a question, without consequences. Raises Refused before any die is thrown.

        The report's prompts are the tests and moves that the units must now take.
        """
        with drop_refusal_prompts():
            state, action = self.set_up(kind, args)
            return self._system.act_without_consequences(state, action, dice)

    def odds(self, kind: str, args: Mapping[str, Any]) -> Odds:
        """Return the exact odds of a question. Raises Refused."""
        with drop_refusal_prompts():
            return self._system.odds(*self.set_up(kind, args))


@contextmanager
def drop_refusal_prompts() -> Iterator[None]:
    """Remove the prompts from a refusal raised in this context: they belong to a throwaway state."""
    try:
        yield
    except Refused as refused:
        raise Refused(refused.why, refused.cite) from refused


def read_whole_number(options: Mapping[str, Any], name: str, low: int, high: int) -> int:
    """Return the option `name` as a whole number from `low` to `high`. Raises Refused for any other value."""
    option = options[name]
    try:
        value = int(option)
    except (TypeError, ValueError, OverflowError):
        value = None
    if value is None or isinstance(option, bool) or (isinstance(option, float) and option != value):
        raise Refused(f"{name}: “{str(option)[:20]}” is no whole number. Give {low} to {high}.")
    if not low <= value <= high:
        raise Refused(f"{name}: {str(option)[:20]} is out of bounds. Give {low} to {high}.")
    return value


def throwaway_state(state_type: type[S], *units: Unit, **fields: Any) -> S:
    """Return a throwaway state with these units and `fields`. The side OURS is active."""
    sides = (Side(id=OURS, name="Ours", index=0), Side(id=THEIRS, name="Theirs", index=1))
    return state_type(scenario="", sides=sides, active=OURS, units={unit.id: unit for unit in units}, **fields)
