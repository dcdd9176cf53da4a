"""Questions that hold the British turn up: shall the Germans fire, and what the tables of the player's box say."""

from rules.core.hexboard.hexes import Hex
from rules.core.model import Cite, Mark
from rules.core.play import Play
from rules.tanga.combat import opportunity
from rules.tanga.combat.opportunity import OpportunityFire
from rules.tanga.field import board_of
from rules.tanga.model import GERMAN, TangaState, TangaUnit
from rules.tanga.options import Resolution
from rules.tanga.progress import Ask, Asked

from .stepped import mark

NONE, HIT, TWICE, GONE = "none", "hit", "twice", "eliminated"
BRITISH_WIN, GERMANS_WIN, NEITHER, BOTH = "british", "germans", "neither", "both"
RALLIES, FAILS = "rallies", "fails"

OWN_TABLE = Cite(rule="TA-H", mark=Mark.HOUSE)
OF_FIRE = ((NONE, "No effect"), (HIT, "Hit"), (TWICE, "Two hits"), (GONE, "Eliminated"))
ANSWERS = {
    Ask.FIRE_RESULT: OF_FIRE,
    Ask.MELEE_RESULT: (
        (BRITISH_WIN, "British win"),
        (GERMANS_WIN, "Germans win"),
        (NEITHER, "No effect"),
        (BOTH, "Both are hit"),
    ),
    Ask.RALLY_RESULT: ((RALLIES, "Rallies"), (FAILS, "Stays disrupted")),
}
TEXTS = {
    Ask.FIRE_RESULT: "{unit} fires at {at}. What does the table of your box say?",
    Ask.MELEE_RESULT: "{unit} and its stack attack {at}. How does the melee end by your box?",
    Ask.RALLY_RESULT: "{unit} tries to rally in {at}. Does it, by your box?",
}


def ask(play: Play[TangaState], what: Ask, unit: TangaUnit, at: Hex | None) -> None:
    """Asks for a result of the player's own box about a unit that fires at, attacks or rallies in a hex."""
    now = play.state
    where = board_of(now).title(at) if at is not None else "its hex"
    asked = Asked(
        key=f"{what.value}-{now.turn}-{now.british.count}",
        ask=what,
        text=TEXTS[what].format(unit=unit.name, at=where),
        cite=OWN_TABLE,
        side=GERMAN,
        answers=ANSWERS[what],
        unit=unit.id,
        at=at,
    )
    _ask(play, asked)


def ask_table(play: Play[TangaState], what: Ask, unit: TangaUnit, at: Hex | None) -> None:
    """The same of a German unit on its player's order, which tells of nothing else (TA-H)."""
    play.set(trails=())
    ask(play, what, unit, at)
    question = play.state.british.asked
    assert question is not None
    play.tell(headline=question.text, units=(unit.id,))


def about_fire(play: Play[TangaState], shot: OpportunityFire) -> None:
    """Asks whether Germans fire at the marching stack; in the player's own game for the result at once."""
    question = opportunity.question(play.state, shot)
    if play.state.options.resolution is not Resolution.OWN:
        _ask(play, question)
    elif not shot.asks:
        ask(play, Ask.FIRE_RESULT, shot.reckoning.shooter, shot.reckoning.target)
    else:
        hold = tuple(answer for answer in opportunity.ANSWERS if answer[0] == opportunity.HOLD)
        _ask(play, question.model_copy(update={"answers": (*OF_FIRE, *hold)}))


def _ask(play: Play[TangaState], question: Asked) -> None:
    mark(play, asked=question, count=play.state.british.count + 1)
