"""Apply standing answers: settle a side's prompts as its players have decided beforehand."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from bot.errors import NotAllowed
from bot.games.action_batch import ActionBatch
from bot.journal.game import Game
from rules.core.model import UMPIRE
from rules.core.own_turn import is_in_own_turn
from rules.core.refusal import Refused
from rules.core.report import Offer, Prompt
from rules.core.standing_answers import StandingAnswer, StandingDecision, decide, find_answer
from rules.core.state import Action

from .model import StoredSheet, moment_key


@dataclass(frozen=True)
class DecidedPrompt:
    """A prompt to a side. `decision` comes from a standing answer; None if the player must decide."""

    prompt: Prompt
    decision: StandingDecision | None

    @property
    def action(self) -> Action | None:
        """Return the action that settles the prompt, or None."""
        return None if self.decision is None else self.decision.action


def decide_prompts(game: Game, stored: StoredSheet) -> Sequence[DecidedPrompt]:
    """Return the open prompts to the sheet's side with their decisions.

    Prompts of other sides come first, then the side's required prompts. After an undo, standing answers rest until the
    game has moved on from the restored state.
    """
    sheet, side = stored.sheet, stored.side
    if side == UMPIRE or game.state.over is not None or not sheet.standing or sheet.asked_at == game.state_seq:
        return ()
    open_prompts = game.ruleset.open_prompts(game.state)
    prompts = [prompt for prompt in open_prompts if any(offer.side == side for offer in prompt.offers)]
    if not prompts:
        return ()
    view = game.ruleset.view(game.state, side)
    return [
        DecidedPrompt(prompt, decide(game.ruleset, view, side, prompt, partial(_agreed_answer, stored, prompt)))
        for prompt in sorted(prompts, key=lambda prompt: (prompt.side == side, not prompt.required))
    ]


def _agreed_answer(stored: StoredSheet, prompt: Prompt, offer: Offer) -> StandingAnswer | None:
    """Return the sheet's answer to an offer. None without an answer, or if another player of the side disagrees."""
    own = find_answer(stored.sheet.standing, stored.side, prompt, offer)
    fellow_answers = (find_answer(sheet.standing, stored.side, prompt, offer) for sheet in stored.fellows)
    agree = all(answer is None or (own is not None and answer.says_same(own)) for answer in fellow_answers)
    return own if agree else None


def has_standing_work(game: Game, stored: StoredSheet) -> bool:
    """Whether standing answers settle an open prompt now, or end a phase in which the side only answers."""
    return next(_due_answers(game, stored), None) is not None or ends_answer_phase(game, stored)


def answers_other_side(game: Game, stored: StoredSheet) -> bool:
    """Whether a standing answer acts on another side's prompt, such as support in its melee."""
    return any(answer.prompt.side != stored.side for answer in _due_answers(game, stored))


def _due_answers(game: Game, stored: StoredSheet) -> Iterator[DecidedPrompt]:
    """Yield the prompts that standing answers settle by an action now.

    A unit's due order precedes its standing answers to optional prompts, even an order to hold or with an unmet
    condition. A phase ends once nothing else is left to do or ask, unless the player has seen an order refused in the
    phase.
    """
    decided = decide_prompts(game, stored)
    units = _units_with_orders(game, stored) if decided else OrderedUnits()
    acting = [answer for answer in decided if answer.action is not None]
    endings = [answer for answer in acting if game.ruleset.occasions[answer.prompt.occasion].ends_phase]
    other_answers = [answer for answer in acting if answer not in endings]
    yield from (
        answer for answer in other_answers if answer.prompt.required or answer.prompt.unit not in units.unit_ids
    )
    waits = other_answers or units.pending or any(answer.decision is None for answer in decided)
    if not (waits or _has_seen_refusal(game, stored)):
        yield from endings


def ends_answer_phase(game: Game, stored: StoredSheet) -> bool:
    """Whether the side acts in a phase for answers only, and standing answers leave all its prompts unanswered."""
    side = stored.side
    if side not in game.state.acting_sides or is_in_own_turn(game.ruleset, game.state, side):
        return False
    decided = decide_prompts(game, stored)
    leaves = bool(decided) and all(answer.decision is not None and answer.action is None for answer in decided)
    return leaves and not (_has_seen_refusal(game, stored) or _units_with_orders(game, stored).pending)


def _has_seen_refusal(game: Game, stored: StoredSheet) -> bool:
    """Whether the player has seen an order refused in this phase, and so ends the phase himself."""
    sheet = stored.sheet
    refused = any(order.why and order.is_due(game.state, stored.side) for order in sheet.orders)
    return refused and sheet.held == moment_key(game.state)


def answer_prompts(series: ActionBatch, stored: StoredSheet, most: int) -> bool:
    """Apply standing answers until nothing is left to do, or the batch has `most` entries.

    Return whether anything was done. If the rules refuse an answer, the player must decide. A prompt that another side
    may also answer waits for the next batch, so that the other side's answers come first.
    """
    before, refused = len(series.entries), set[str]()
    while len(series.entries) < most:
        due_answers = (answer for answer in _due_answers(series.game, stored) if answer.prompt.key not in refused)
        own_answers = (answer for answer in due_answers if not (series.entries and _asks_others(answer.prompt, stored)))
        answer = next(own_answers, None)
        if answer is None or answer.action is None:
            break
        try:
            series.do(answer.action)
        except (Refused, NotAllowed):
            refused.add(answer.prompt.key)
    return len(series.entries) > before


def _asks_others(prompt: Prompt, stored: StoredSheet) -> bool:
    return any(offer.side != stored.side for offer in prompt.offers)


@dataclass(frozen=True)
class OrderedUnits:
    """Ids of units with a due order. `pending` units have not carried out their orders; `idle` units hold by order."""

    pending: frozenset[str] = frozenset()
    idle: frozenset[str] = frozenset()

    @property
    def unit_ids(self) -> frozenset[str]:
        """Return the ids of both groups."""
        return self.pending | self.idle


def _units_with_orders(game: Game, stored: StoredSheet) -> OrderedUnits:
    """Return the units with a due order that was not refused, on any sheet of the side."""
    now, pending, idle = moment_key(game.state), set[str](), set[str]()
    for sheet in (stored.sheet, *stored.fellows):
        idle |= {*(sheet.holding if sheet.holding_at == now else ())}
        for order in sheet.orders:
            if order.is_due(game.state, stored.side) and not order.why:
                (idle if order.unmet else pending).update(order.units)
    return OrderedUnits(frozenset(pending), frozenset(idle))
