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
from .model import GERMAN, FireOrder, TangaState, TangaUnit
from .options import Resolution
from .progress import OpenQuestion, QuestionKind, change_progress

NONE, HIT, TWICE, GONE = "none", "hit", "twice", "eliminated"
BRITISH_WIN, GERMANS_WIN, NEITHER, BOTH = "british", "germans", "neither", "both"
RALLIES, FAILS = "rallies", "fails"
OPPORTUNITY = "opportunity fire"
"""Kind of prompt that asks whether to fire. The German player may answer this kind beforehand."""

OWN_TABLE = Cite(rule="TA-H", mark=Mark.HOUSE)
FIRE_WORDS = ((NONE, "No effect"), (HIT, "Hit"), (TWICE, "Two hits"), (GONE, "Eliminated"))
MELEE_WORDS = (
    (BRITISH_WIN, "British win"),
    (GERMANS_WIN, "Germans win"),
    (NEITHER, "No effect"),
    (BOTH, "Both are hit"),
)
TABLE_QUESTIONS: Mapping[QuestionKind, tuple[str, tuple[tuple[str, str], ...]]] = {
    QuestionKind.FIRE_RESULT: ("{unit} fires at {at}. What does the table of your box say?", FIRE_WORDS),
    QuestionKind.MELEE_RESULT: ("{unit} and its stack attack {at}. How does the melee end by your box?", MELEE_WORDS),
    QuestionKind.RALLY_RESULT: (
        "{unit} tries to rally in {at}. Does it, by your box?",
        ((RALLIES, "Rallies"), (FAILS, "Stays disrupted")),
    ),
}
"""Questions for results of the player's own tables: the question's text, then each answer with its button label."""
ANSWER_WORDS = {ask: frozenset(word for word, _ in answers) for ask, (_, answers) in TABLE_QUESTIONS.items()} | {
    QuestionKind.OPPORTUNITY_FIRE: frozenset(word for word, _ in (*fires.ANSWERS, *FIRE_WORDS))
}
"""Words allowed as answers, by question. Opportunity fire also allows the results of the player's table."""


class Answer(Action):
    """Answer to the open question, by one of the offered words."""

    is_unit_action = False

    word: str


def ask_for_table_result(play: Play[TangaState], ask: QuestionKind, unit: TangaUnit, at: Hex) -> bool:
    """Ask for the result of a table in the player's own box. Return False if the game uses the house rules."""
    if play.state.options.resolution is not Resolution.OWN:
        return False
    text, answers = TABLE_QUESTIONS[ask]
    question = text.format(unit=unit.name, at=board_of(play.state).title(at))
    _open_question(play, ask.value, ask=ask, text=question, cite=OWN_TABLE, answers=answers, unit=unit.id, at=at)
    return True


def ask_about_opportunity_fire(play: Play[TangaState], shot: fires.VolleyPlan) -> bool:
    """Ask whether a German stack fires, or for the result on the player's own table, if needed.

    Return whether a question is open.
    """
    if shot.shooter.standing is not FireOrder.ASK:
        return ask_for_table_result(play, QuestionKind.FIRE_RESULT, shot.shooter, shot.target)
    own = play.state.options.resolution is Resolution.OWN
    _open_question(
        play,
        "opportunity",
        ask=QuestionKind.OPPORTUNITY_FIRE,
        text=fires.describe_shot(play.state, shot),
        cite=fires.WATCH,
        answers=(*FIRE_WORDS, *fires.ANSWERS[1:]) if own else fires.ANSWERS,
        unit=shot.shooter.id,
        at=shot.target,
    )
    return True


def _open_question(play: Play[TangaState], key: str, **question: Any) -> None:
    """Open a question with a new key."""
    count = play.state.british.count
    new_question = OpenQuestion(key=f"{key}-{play.state.turn}-{count}", side=GERMAN, **question)
    change_progress(play, asked=new_question, count=count + 1)


def question_prompts(state: TangaState) -> tuple[Prompt, ...]:
    """Return the prompt of the open question, with a button for each answer; empty if no question is open."""
    question = state.british.asked
    if question is None or state.over is not None:
        return ()
    offers = tuple(
        Offer(label=label, kind=Answer.kind, args={"word": word}, side=question.side, key=question.key)
        for word, label in question.answers
    )
    may_be_foreseen = question.ask is QuestionKind.OPPORTUNITY_FIRE and state.options.resolution is not Resolution.OWN
    prompt = Prompt(
        key=question.key,
        unit=question.unit,
        side=question.side,
        text=question.text,
        cite=question.cite,
        offers=offers,
        occasion=OPPORTUNITY if may_be_foreseen else "",
    )
    return (prompt,)
