"""Apply standing answers: settle a side's prompts as its players have decided beforehand."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from bot.errors import NotAllowed
from bot.games.action_batch import ActionBatch
from bot.journal.game import Game
from rules.core.model import UMPIRE, Viewer
from rules.core.own_turn import is_in_own_turn
from rules.core.refusal import Refused
from rules.core.report import Offer, Prompt
from rules.core.standing_answers import StandingAnswer, StandingDecision, decide_by_answers, find_answer
from rules.core.state import Action

from .model import StoredSheet, moment_key


@dataclass(frozen=True)
class DecidedPrompt:
    """A prompt, and the side's decision by standing answers. `decision` is None if the player must decide."""

    prompt: Prompt
    decision: StandingDecision | None

    @property
    def action(self) -> Action | None:
        """The action that settles the prompt. None if the player must decide, or has decided to do nothing."""
        return None if self.decision is None else self.decision.action


def decide_prompts(game: Game, stored: StoredSheet) -> Sequence[DecidedPrompt]:
    """Return the open prompts that the side may answer, each with its decision by standing answers.

    Prompts to other sides come first, then required prompts, then optional ones. Directly after an undo, no prompt is
    returned.
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
        DecidedPrompt(
            prompt, decide_by_answers(game.ruleset, view, side, prompt, partial(_find_standing_answer, stored, prompt))
        )
        for prompt in sorted(prompts, key=lambda prompt: (prompt.side == side, not prompt.required))
    ]


def _find_standing_answer(stored: StoredSheet, prompt: Prompt, offer: Offer) -> StandingAnswer | None:
    """Return the sheet's standing answer to an offer, if any.

    Return None if another player of the side has a different standing answer.
    """
    own = find_answer(stored.sheet.standing, stored.side, prompt, offer)
    fellow_answers = (find_answer(sheet.standing, stored.side, prompt, offer) for sheet in stored.fellows)
    agree = all(answer is None or (own is not None and answer.has_same_reply(own)) for answer in fellow_answers)
    return own if agree else None


def has_due_standing_answers(game: Game, stored: StoredSheet) -> bool:
    """Whether standing answers now settle an open prompt, or end a phase in which the side can only answer prompts."""
    return next(_find_due_answers(game, stored), None) is not None or leaves_all_prompts_unanswered(game, stored)


def has_due_answer_to_other_side(game: Game, stored: StoredSheet) -> bool:
    """Whether a standing answer now settles a prompt to another side, such as one to support another side's melee."""
    return any(answer.prompt.side != stored.side for answer in _find_due_answers(game, stored))


def _find_due_answers(game: Game, stored: StoredSheet) -> Iterator[DecidedPrompt]:
    """Yield the prompts that standing answers settle now.

    A unit with a due order, or holding by order, leaves its optional prompts open. A prompt to end the phase comes
    last, when nothing else is due. A player who saw a refused order in this phase ends it himself.
    """
    decided = decide_prompts(game, stored)
    units = _find_units_with_orders(game, stored) if decided else UnitsWithOrders()
    acting = [answer for answer in decided if answer.action is not None]
    endings = [answer for answer in acting if game.ruleset.occasions[answer.prompt.occasion].ends_phase]
    other_answers = [answer for answer in acting if answer not in endings]
    yield from (
        answer for answer in other_answers if answer.prompt.required or answer.prompt.unit not in units.unit_ids
    )
    waits = other_answers or units.pending or any(answer.decision is None for answer in decided)
    if not (waits or _has_seen_refusal(game, stored)):
        yield from endings


def leaves_all_prompts_unanswered(game: Game, stored: StoredSheet) -> bool:
    """Whether the side's standing answers leave every prompt of this phase unanswered.

    Return False if the side can do more in this phase than answer prompts.
    """
    side = stored.side
    if side not in game.state.acting_sides or is_in_own_turn(game.ruleset, game.state, side):
        return False
    decided = decide_prompts(game, stored)
    leaves = bool(decided) and all(answer.decision is not None and answer.action is None for answer in decided)
    return leaves and not (_has_seen_refusal(game, stored) or _find_units_with_orders(game, stored).pending)


def _has_seen_refusal(game: Game, stored: StoredSheet) -> bool:
    """Whether the player has seen a refused order in this phase. If so, he ends the phase himself."""
    sheet = stored.sheet
    refused = any(order.why and order.is_due(game.state, stored.side) for order in sheet.orders)
    return refused and sheet.held == moment_key(game.state)


def apply_standing_answers(batch: ActionBatch, stored: StoredSheet, most: int) -> bool:
    """Answer prompts by standing answers. Return whether any prompt was answered.

    Stop when the batch has `most` entries. If the rules refuse an answer, the player must decide. If another side may
    also answer a prompt, the prompt is left to the next batch: the other side's answers come first.
    """
    before, refused = len(batch.entries), set[str]()
    while len(batch.entries) < most:
        due_answers = (answer for answer in _find_due_answers(batch.game, stored) if answer.prompt.key not in refused)
        if batch.entries:
            due_answers = (answer for answer in due_answers if _is_answerable_only_by(stored.side, answer.prompt))
        answer = next(due_answers, None)
        if answer is None or answer.action is None:
            break
        try:
            batch.perform(answer.action)
        except (Refused, NotAllowed):
            refused.add(answer.prompt.key)
    return len(batch.entries) > before


def _is_answerable_only_by(side: Viewer, prompt: Prompt) -> bool:
    return all(offer.side == side for offer in prompt.offers)


@dataclass(frozen=True)
class UnitsWithOrders:
    """Ids of units with a due order."""

    pending: frozenset[str] = frozenset()
    """Units that still have to carry out the order."""
    idle: frozenset[str] = frozenset()
    """Units that hold by order, or wait until a condition is met."""

    @property
    def unit_ids(self) -> frozenset[str]:
        """The ids of pending and idle units."""
        return self.pending | self.idle


def _find_units_with_orders(game: Game, stored: StoredSheet) -> UnitsWithOrders:
    """Return the units with a due order on any sheet of the side. Refused orders do not count."""
    now, pending, idle = moment_key(game.state), set[str](), set[str]()
    for sheet in (stored.sheet, *stored.fellows):
        idle |= {*(sheet.holding if sheet.holding_at == now else ())}
        for order in sheet.orders:
            if order.is_due(game.state, stored.side) and not order.why:
                (idle if order.unmet else pending).update(order.units)
    return UnitsWithOrders(frozenset(pending), frozenset(idle))
