"""Questions that pause the British turn: German opportunity fire, results from the player's box (TA-H.0)."""

from collections.abc import Mapping
from typing import Any

from rules.core.hexboard.hexes import Hex
from rules.core.model import Cite, Mark
from rules.core.play import Play
from rules.core.report import Offer, Prompt
from rules.core.state import Action

from .combat import fire as fires
from .field import board_of
from .model import GERMAN, Standing, TangaState, TangaUnit
from .options import Resolution
from .progress import Ask, Asked, mark

NONE, HIT, TWICE, GONE = "none", "hit", "twice", "eliminated"
BRITISH_WIN, GERMANS_WIN, NEITHER, BOTH = "british", "germans", "neither", "both"
RALLIES, FAILS = "rallies", "fails"
OPPORTUNITY = "opportunity fire"
"""Kind of prompt that asks whether to fire. The Germans may answer this kind beforehand."""

OWN_TABLE = Cite(rule="TA-H", mark=Mark.HOUSE)
OF_FIRE = ((NONE, "No effect"), (HIT, "Hit"), (TWICE, "Two hits"), (GONE, "Eliminated"))
OF_MELEE = ((BRITISH_WIN, "British win"), (GERMANS_WIN, "Germans win"), (NEITHER, "No effect"), (BOTH, "Both are hit"))
OF_TABLE: Mapping[Ask, tuple[str, tuple[tuple[str, str], ...]]] = {
    Ask.FIRE_RESULT: ("{unit} fires at {at}. What does the table of your box say?", OF_FIRE),
    Ask.MELEE_RESULT: ("{unit} and its stack attack {at}. How does the melee end by your box?", OF_MELEE),
    Ask.RALLY_RESULT: (
        "{unit} tries to rally in {at}. Does it, by your box?",
        ((RALLIES, "Rallies"), (FAILS, "Stays disrupted")),
    ),
}
"""Questions about results of the player's own tables, with answers and button labels."""
WORDS = {ask: frozenset(word for word, _ in answers) for ask, (_, answers) in OF_TABLE.items()} | {
    Ask.OPPORTUNITY_FIRE: frozenset(word for word, _ in (*fires.ANSWERS, *OF_FIRE))
}
"""Words allowed as answers, by question. Opportunity fire also allows the results of the player's table."""


class Answer(Action):
    """Answer to the open question, by one of the offered words."""

    is_unit_action = False

    word: str


def ask_own_table(play: Play[TangaState], ask: Ask, unit: TangaUnit, at: Hex) -> bool:
    """Ask for a result from the player's own box, if the game uses one. Return whether a question was opened."""
    if play.state.options.resolution is not Resolution.OWN:
        return False
    text, answers = OF_TABLE[ask]
    question = text.format(unit=unit.name, at=board_of(play.state).title(at))
    _ask(play, ask.value, ask=ask, text=question, cite=OWN_TABLE, answers=answers, unit=unit.id, at=at)
    return True


def ask_about_fire(play: Play[TangaState], shot: fires.Reckoning) -> bool:
    """Ask whether Germans fire at the march, or for the fire result in the player's box.

    Return whether a question was opened.
    """
    if shot.shooter.standing is not Standing.ASK:
        return ask_own_table(play, Ask.FIRE_RESULT, shot.shooter, shot.target)
    own = play.state.options.resolution is Resolution.OWN
    _ask(
        play,
        "opportunity",
        ask=Ask.OPPORTUNITY_FIRE,
        text=fires.describe_shot(play.state, shot),
        cite=fires.WATCH,
        answers=(*OF_FIRE, *fires.ANSWERS[1:]) if own else fires.ANSWERS,
        unit=shot.shooter.id,
        at=shot.target,
    )
    return True


def _ask(play: Play[TangaState], key: str, **question: Any) -> None:
    """Open a question with a new key."""
    count = play.state.british.count
    new_question = Asked(key=f"{key}-{play.state.turn}-{count}", side=GERMAN, **question)
    mark(play, asked=new_question, count=count + 1)


def prompts(state: TangaState) -> tuple[Prompt, ...]:
    """Return a prompt for the open question, with a button per answer; empty if no question is open."""
    question = state.british.asked
    if question is None or state.over is not None:
        return ()
    offers = tuple(
        Offer(label=label, kind=Answer.kind, args={"word": word}, side=question.side, key=question.key)
        for word, label in question.answers
    )
    may_be_foreseen = question.ask is Ask.OPPORTUNITY_FIRE and state.options.resolution is not Resolution.OWN
    return (
        Prompt(
            key=question.key,
            unit=question.unit,
            side=question.side,
            text=question.text,
            cite=question.cite,
            offers=offers,
            occasion=OPPORTUNITY if may_be_foreseen else "",
        ),
    )
