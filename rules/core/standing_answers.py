"""Standing answers: a side's answers, given in advance, to prompts that arise mostly in another side's turn.

A system declares the occasions of such prompts (`Ruleset.occasions`), and marks its prompts with `Prompt.occasion`.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Generic

from pydantic import Field

from . import naming
from .model import Cite, Model, Viewer
from .number_words import with_digits
from .refusal import Refused
from .report import Offer, Prompt
from .state import Action, S
from .typed_text import NUMBER, read_number, simplify_signs
from .wording import decimal_text

if TYPE_CHECKING:
    from .ruleset import Ruleset

NEAREST, FARTHEST = 0.1, 999
"""Minimum and maximum of the distance limit of a standing answer, in inches or hexes."""
MOST_UNITS = 60
WITHIN = re.compile(
    rf"\b(?:within|under|up to|inside)\s+({NUMBER})\s*"
    r"(?:(?P<inches>\"|''|in\b|inch(?:es)?\b)|(?P<hexes>hex(?:es)?\b))?"
)
CHANCE = re.compile(
    rf"\b(?:if|when|with|and)?\s*(?:the\s+)?(?:chances?\s*)?(?:is|are|of)?\s*(?:>=|at least|from|over)?\s*({NUMBER})\s*"
    r"(?:%|per ?cent)(?:\s+or\s+(?:more|better))?"
)
FILLER = re.compile(r"\b(?:only|if|and|the|enemy|enemies|is|are|please|it|they|there)\b|,")
HOW_TO_SAY = "Say “always”, “never”, “ask”, “within 6”, “at least 50%”, or “within 6, at least 50%”."


class StandingReply(StrEnum):
    """The reply of a standing answer: yes, no, or ask the player each time."""

    YES = "always"
    NO = "never"
    ASK = "ask"


class StandingAnswer(Model):
    """A side's answer, given in advance, to all prompts of one occasion.

    Without `units` (by id), the answer is for the whole side. A yes counts as a no if the target is farther than
    `within` (inches or hexes), or the chance is below `least` percent.
    """

    occasion: str
    units: tuple[str, ...] = Field(default=(), max_length=MOST_UNITS)
    reply: StandingReply = StandingReply.ASK
    within: float | None = Field(default=None, gt=0, le=FARTHEST)
    least: int | None = Field(default=None, ge=1, le=100)

    def has_same_reply(self, other: "StandingAnswer") -> bool:
        """Whether both answers have the same reply and limits; their occasions and units may differ."""
        return (self.reply, self.within, self.least) == (other.reply, other.within, other.least)


@dataclass(frozen=True)
class YesNoActions:
    """The actions of a prompt that mean yes, and the actions that mean no. Each list begins with the best action."""

    yes: Sequence[Action]
    no: Sequence[Action] = ()


@dataclass(frozen=True)
class Occasion(Generic[S]):
    """A kind of prompt that a side may answer in advance. `yes` and `no` are the two answers in words.

    `sort` splits the offered actions into those that mean yes and those that mean no; without it, all mean yes.
    `measure` is the unit of distances to targets, such as `"`; None for prompts without a target. With `has_chance`, a
    yes throws dice. `obstacle` returns why an answer is impossible in this game, or an empty string. With `ends_phase`,
    an answer waits for all other orders and prompts of the side.
    """

    title: str
    yes: str
    no: str
    cite: Cite
    sort: Callable[[S, Sequence[Action]], YesNoActions] | None = None
    measure: str | None = None
    has_chance: bool = False
    obstacle: Callable[[S, StandingAnswer], str] = lambda _state, _answer: ""
    ends_phase: bool = False

    def describe_answer(self, answer: StandingAnswer) -> str:
        """Return the answer in words: `always fire`, `hold fire`, `fire within 6"`, `ask`."""
        if answer.reply is StandingReply.ASK:
            return "ask"
        if answer.reply is StandingReply.NO:
            return f"always {self.no}"
        within = f"within {decimal_text(answer.within)}{self.measure}" if answer.within is not None else ""
        least = f"if the chance is at least {answer.least}%" if answer.least is not None else ""
        limits = ", ".join(filter(None, (within, least)))
        return f"{self.yes} {limits}" if limits else f"always {self.yes}"


def make_action_sorter(means_no: Callable[[Any], bool]) -> Callable[[Any, Sequence[Action]], YesNoActions]:
    """Return a function for `Occasion.sort`. `means_no` tests whether an offered action means no."""
    return lambda _state, actions: YesNoActions(
        [action for action in actions if not means_no(action)], [action for action in actions if means_no(action)]
    )


@dataclass(frozen=True)
class StandingDecision:
    """The decision of a standing answer: an action, or None to ignore an optional prompt."""

    action: Action | None


def decide_by_answers(
    system: "Ruleset[S]",
    seen: S,
    side: Viewer,
    prompt: Prompt,
    answer_to: Callable[[Offer], StandingAnswer | None],
) -> StandingDecision | None:
    """Decide a prompt by the standing answers of `side`. Return None if the player must decide.

    `answer_to` returns the standing answer to an offer. The player decides if an answer is missing or `ask`, if a limit
    needs an unknown distance or chance, or if a required prompt has no action for the answer.
    """
    occasion = system.occasions.get(prompt.occasion)
    offers = [offer for offer in prompt.offers if offer.side == side]
    answers = [
        answer for answer in map(answer_to, offers) if answer is not None and answer.reply is not StandingReply.ASK
    ]
    if occasion is None or not offers or len(answers) < len(offers):
        return None
    actions = [system.parse(offer.kind, offer.args) for offer in offers]
    answer_by_id = dict(zip(map(id, actions), answers, strict=True))
    choices = YesNoActions(actions) if occasion.sort is None else occasion.sort(seen, actions)
    yes_actions = [action for action in choices.yes if answer_by_id[id(action)].reply is StandingReply.YES]
    fits = [(_is_within_limits(system, seen, action, answer_by_id[id(action)]), action) for action in yes_actions]
    if any(fit is None for fit, _ in fits):
        return None
    suitable = [action for fit, action in fits if fit]
    if suitable:
        return StandingDecision(min(suitable, key=lambda action: _rank_action(system, seen, action)))
    if choices.no:
        return StandingDecision(choices.no[0])
    return None if prompt.required and prompt.side == side else StandingDecision(None)


def _is_within_limits(system: "Ruleset[S]", seen: S, action: Action, answer: StandingAnswer) -> bool | None:
    """Whether the action is within the answer's limits. None if the distance or chance is unknown."""
    if answer.within is not None:
        gap = _target_distance(system, seen, action)
        if gap is None:
            return None
        if gap > answer.within:
            return False
    if answer.least is not None:
        chance = _chance_of_action(system, seen, action)
        return None if chance is None else chance * 100 >= answer.least
    return True


def _rank_action(system: "Ruleset[S]", seen: S, action: Action) -> tuple[Fraction, float]:
    """Return a sort key: the likeliest action comes first, of equally likely actions the nearest target."""
    return -(_chance_of_action(system, seen, action) or Fraction(0)), _target_distance(system, seen, action) or 0.0


def _target_distance(system: "Ruleset[S]", seen: S, action: Action) -> float | None:
    target = getattr(action, "target", None)
    return system.places.distance(seen, action.unit, target) if action.unit and target else None


def _chance_of_action(system: "Ruleset[S]", seen: S, action: Action) -> Fraction | None:
    try:
        chances = system.caption(seen, action).chances
    except Refused:
        return None
    return chances[0].value if chances else None


def find_answer(answers: Iterable[StandingAnswer], side: Viewer, prompt: Prompt, offer: Offer) -> StandingAnswer | None:
    """Return a side's newest answer for the unit of an offer, or else for the whole side, or None."""
    units = {offer.args.get("unit"), offer.args.get("target"), prompt.unit if prompt.side == side else ""}
    on_occasion = (answer for answer in answers if answer.occasion == prompt.occasion)
    fitting = [answer for answer in on_occasion if not answer.units or not units.isdisjoint(answer.units)]
    return max(fitting, key=lambda answer: (bool(answer.units), fitting.index(answer)), default=None)


def replace_answer(answers: Sequence[StandingAnswer], new: StandingAnswer) -> tuple[StandingAnswer, ...]:
    """Return the answers with `new` added, and older answers on the same occasion replaced.

    If `new` is for some units, older answers are replaced for these units only; otherwise entirely.
    """
    remaining: list[StandingAnswer] = []
    for answer in answers:
        units = tuple(unit for unit in answer.units if unit not in new.units)
        if answer.occasion != new.occasion:
            remaining.append(answer)
        elif new.units and (units or not answer.units):
            remaining.append(answer.model_copy(update={"units": units}))
    return (*remaining, new)


def read_occasion(occasions: Mapping[str, Occasion[Any]], text: str) -> str:
    """Return the id of the occasion that `text` names. Raises Refused with the names of all occasions."""
    return naming.resolve_name(
        text, {key: occasion.title for key, occasion in occasions.items()}, "There is no standing answer for {}."
    )


def read_answer(occasion: Occasion[Any], key: str, text: str, units: tuple[str, ...] = ()) -> StandingAnswer:
    """Parse a player's words as an answer on the occasion with id `key`. Raises Refused with the possible words."""
    phrase = " ".join(simplify_signs(text).casefold().split()).rstrip(".!")
    words = {
        **dict.fromkeys(
            ("always", "yes", occasion.yes.casefold(), f"always {occasion.yes.casefold()}"), StandingReply.YES
        ),
        **dict.fromkeys(("never", "no", occasion.no.casefold(), f"always {occasion.no.casefold()}"), StandingReply.NO),
        **dict.fromkeys(("ask", "ask me", "ask each time", "always ask"), StandingReply.ASK),
    }
    phrase = phrase if phrase in words else with_digits(phrase)
    within, least = WITHIN.search(phrase), CHANCE.search(WITHIN.sub("", phrase, count=1))
    rest = " ".join(FILLER.sub(" ", CHANCE.sub("", WITHIN.sub("", phrase, count=1), count=1)).split())
    is_limited = within is not None or least is not None
    reply = words.get(phrase) or words.get(rest, StandingReply.YES if is_limited and not rest else None)
    if reply is None or (is_limited and reply is not StandingReply.YES):
        raise Refused(f"“{text.strip()[: naming.MOST_REPEATED]}” is not understood. {HOW_TO_SAY}")
    if within is not None and occasion.measure is None:
        raise Refused(f"{occasion.title}: there is no distance to a target. Say “always”, “never” or “ask”.")
    measure, other_measure = ("inches", "hexes") if occasion.measure == '"' else ("hexes", "inches")
    if within is not None and within[other_measure]:
        raise Refused(f"Distances are in {measure} here.")
    if least is not None and not occasion.has_chance:
        raise Refused(f"{occasion.title}: no dice are thrown. Say “always”, “never” or “ask”.")
    distance = float(read_number(within[1])) if within is not None else None
    percent = read_number(least[1]) if least is not None else None
    if distance is not None and not NEAREST <= distance <= FARTHEST:
        raise Refused(f"A distance is at least {NEAREST} and at most {FARTHEST}.")
    if percent is not None and (percent != int(percent) or not 1 <= percent <= 100):
        raise Refused("A chance is a whole number from 1 to 100%.")
    if len(units) > MOST_UNITS:
        raise Refused(f"An answer is for {MOST_UNITS} units at most. Leave the units out for the whole side.")
    return StandingAnswer(
        occasion=key, units=units, reply=reply, within=distance, least=None if percent is None else int(percent)
    )


def require_possible_answer(occasion: Occasion[S], seen: S, answer: StandingAnswer) -> None:
    """Raise Refused if the answer cannot be given in this game."""
    if obstacle := occasion.obstacle(seen, answer):
        raise Refused(obstacle, occasion.cite)
