"""Questions that hold the British turn up: shall the Germans fire, and what the tables of the player's box say."""

from rules.core.hexboard.hexes import Hex
from rules.core.model import Cite, Mark
from rules.tanga.combat import opportunity
from rules.tanga.combat.opportunity import Volley
from rules.tanga.field import board_of
from rules.tanga.model import GERMAN, TangaState, TangaUnit
from rules.tanga.options import Resolution
from rules.tanga.progress import Ask, Asked

from .stepped import british

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


def ask(state: TangaState, what: Ask, unit: TangaUnit, at: Hex | None) -> TangaState:
    """Asks for a result of the player's own box about a unit that fires at, attacks or rallies in a hex."""
    where = board_of(state).title(at) if at is not None else "its hex"
    return _asked(
        state,
        Asked(
            key=f"{what.value}-{state.turn}-{state.british.count}",
            ask=what,
            text=TEXTS[what].format(unit=unit.name, at=where),
            cite=OWN_TABLE,
            side=GERMAN,
            answers=ANSWERS[what],
            unit=unit.id,
            at=at,
        ),
    )


def about_volley(state: TangaState, volley: Volley) -> TangaState:
    """Asks whether Germans fire at the marching stack; in the player's own game for the result at once."""
    if state.options.resolution is not Resolution.OWN:
        return _asked(state, opportunity.question(state, volley))
    if not volley.asks:
        return ask(state, Ask.FIRE_RESULT, volley.reckoning.shooter, volley.reckoning.target)
    hold = tuple(answer for answer in opportunity.ANSWERS if answer[0] == opportunity.HOLD)
    question = opportunity.question(state, volley)
    return _asked(state, question.model_copy(update={"answers": (*OF_FIRE, *hold)}))


def _asked(state: TangaState, question: Asked) -> TangaState:
    return british(state, asked=question, count=state.british.count + 1)
