"""The Germans' fire, melee and rally in a player's own game: the box resolves them, and is asked what it says."""

from rules.core.hexboard.hexes import Hex
from rules.core.report import Report
from rules.tanga.automaton.asking import ask
from rules.tanga.model import GERMAN, TangaState, TangaUnit
from rules.tanga.progress import Ask


def ask_table(state: TangaState, what: Ask, unit: TangaUnit, at: Hex | None) -> tuple[TangaState, Report]:
    """Asks for the result of a German unit that fires at, attacks or rallies in a hex (TA-H)."""
    after = ask(state.model_copy(update={"trails": ()}), what, unit, at)
    question = after.british.asked
    assert question is not None
    return after, Report(headline=question.text, side=GERMAN, units=(unit.id,))
