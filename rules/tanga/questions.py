"""The question that holds the British turn up, and its prompt with a button for each answer (TA-H.0).

Shall the Germans fire at who marches (TA-H.6), and what does the table of the player's own box say?
"""

from collections.abc import Mapping
from typing import ClassVar

from rules.core.hexboard.hexes import Hex
from rules.core.model import Cite, Mark
from rules.core.play import Play
from rules.core.report import Offer, Prompt
from rules.core.state import Action

from .combat import fire as fires
from .field import board_of
from .model import GERMAN, TangaState, TangaUnit
from .options import Resolution
from .progress import Ask, Asked, mark

NONE, HIT, TWICE, GONE = "none", "hit", "twice", "eliminated"
BRITISH_WIN, GERMANS_WIN, NEITHER, BOTH = "british", "germans", "neither", "both"
RALLIES, FAILS = "rallies", "fails"

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
"""What is asked of the player's own box, and the answers with their words."""
WORDS = {ask: frozenset(word for word, _ in answers) for ask, (_, answers) in OF_TABLE.items()} | {
    Ask.OPPORTUNITY_FIRE: frozenset(word for word, _ in (*fires.ANSWERS, *OF_FIRE))
}
"""Answers that a question may have; those of fire by the player's own box where his men are asked whether they fire."""


class Answer(Action):
    """Answers what holds the British turn up, with one of the words offered."""

    kind: ClassVar[str] = "answer"
    by_unit: ClassVar[bool] = False

    word: str


def ask(play: Play[TangaState], what: Ask, unit: TangaUnit, at: Hex) -> Asked:
    """Asks for a result of the player's own box about a unit that fires at, attacks or rallies in a hex."""
    now, (text, answers) = play.state, OF_TABLE[what]
    asked = Asked(
        key=f"{what.value}-{now.turn}-{now.british.count}",
        ask=what,
        text=text.format(unit=unit.name, at=board_of(now).title(at)),
        cite=OWN_TABLE,
        side=GERMAN,
        answers=answers,
        unit=unit.id,
        at=at,
    )
    mark(play, asked=asked, count=now.british.count + 1)
    return asked


def ask_table(play: Play[TangaState], what: Ask, unit: TangaUnit, at: Hex) -> None:
    """The same of a German unit on its player's order, which tells of nothing else (TA-H)."""
    play.set(trails=())
    play.tell(headline=ask(play, what, unit, at).text, units=(unit.id,))


def ask_about_fire(play: Play[TangaState], shot: fires.OpportunityFire) -> None:
    """Asks whether Germans fire at the marching stack; in the player's own game for the result at once."""
    own = play.state.options.resolution is Resolution.OWN
    if own and not shot.asks:
        ask(play, Ask.FIRE_RESULT, shot.reckoning.shooter, shot.reckoning.target)
        return
    question = fires.question(play.state, shot)
    if own:
        hold = (answer for answer in question.answers if answer[0] == fires.HOLD)
        question = question.model_copy(update={"answers": (*OF_FIRE, *hold)})
    mark(play, asked=question, count=play.state.british.count + 1)


def prompts(state: TangaState) -> tuple[Prompt, ...]:
    """The question that holds the British turn up, with an offer for each answer."""
    asked = state.british.asked
    if asked is None or state.over is not None:
        return ()
    offers = tuple(
        Offer(label=label, kind=Answer.kind, args={"word": word}, side=asked.side, key=asked.key)
        for word, label in asked.answers
    )
    return (Prompt(key=asked.key, unit=asked.unit, side=asked.side, text=asked.text, cite=asked.cite, offers=offers),)


def words_of(state: TangaState) -> str:
    """`Play the British turn`; once it has begun, `Play on the British turn`."""
    begun = state.british.done or state.british.formation
    return "Play on the British turn" if begun else "Play the British turn"
