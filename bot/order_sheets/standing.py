"""Apply standing answers: settle the prompts of a side that its players have answered beforehand."""

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
    """A prompt to a side. `decision` is a standing answer's, or None if the player must decide."""

    prompt: Prompt
    decision: StandingDecision | None

    @property
    def action(self) -> Action | None:
        """Return the action that settles the prompt, or None."""
        return None if self.decision is None else self.decision.action


def decide_prompts(game: Game, stored: StoredSheet) -> Sequence[DecidedPrompt]:
    """Return the open prompts to the sheet's side with their decisions, those of other sides first, then required ones.

    After an undo every prompt is asked, until the game has gone on from the restored state.
    """
    sheet, side = stored.sheet, stored.side
    if side == UMPIRE or game.state.over is not None or not sheet.standing or sheet.asked_at == game.state_seq:
        return ()
    prompts = [one for one in game.ruleset.open_prompts(game.state) if any(offer.side == side for offer in one.offers)]
    if not prompts:
        return ()
    seen = game.ruleset.view(game.state, side)
    return [
        DecidedPrompt(one, decide(game.ruleset, seen, side, one, partial(_agreed_answer, stored, one)))
        for one in sorted(prompts, key=lambda one: (one.side == side, not one.required))
    ]


def _agreed_answer(stored: StoredSheet, prompt: Prompt, offer: Offer) -> StandingAnswer | None:
    """Return the sheet's answer to an offer; None without one, or if another player of the side answers otherwise."""
    own = find_answer(stored.sheet.standing, stored.side, prompt, offer)
    others = (find_answer(sheet.standing, stored.side, prompt, offer) for sheet in stored.fellows)
    agree = all(other is None or (own is not None and other.says_same(own)) for other in others)
    return own if agree else None


def has_standing_work(game: Game, stored: StoredSheet) -> bool:
    """Whether standing answers settle an open prompt now, or end a phase in which the side only answers."""
    return next(_due_answers(game, stored), None) is not None or ends_answer_phase(game, stored)


def answers_other_side(game: Game, stored: StoredSheet) -> bool:
    """Whether a standing answer acts on another side's prompt, such as support in its melee."""
    return any(one.prompt.side != stored.side for one in _due_answers(game, stored))


def _due_answers(game: Game, stored: StoredSheet) -> Iterator[DecidedPrompt]:
    """Yield the prompts that standing answers settle by an action now.

    A unit with an order for now follows the order, also one to hold or one whose condition does not hold. A phase is
    ended once nothing else is to do or ask, and not after the player has seen an order refused in it.
    """
    decided = decide_prompts(game, stored)
    units = _units_with_orders(game, stored) if decided else OrderedUnits()
    acting = [one for one in decided if one.action is not None]
    endings = [one for one in acting if game.ruleset.occasions[one.prompt.occasion].ends_phase]
    others = [one for one in acting if one not in endings]
    yield from (one for one in others if one.prompt.required or one.prompt.unit not in units.all)
    waits = others or units.pending or any(one.decision is None for one in decided)
    if not (waits or _has_seen_refusal(game, stored)):
        yield from endings


def ends_answer_phase(game: Game, stored: StoredSheet) -> bool:
    """Whether the side acts in a phase for answers only, and standing answers leave all its prompts alone."""
    side = stored.side
    if side not in game.state.acting_sides or is_in_own_turn(game.ruleset, game.state, side):
        return False
    decided = decide_prompts(game, stored)
    leaves = bool(decided) and all(one.decision is not None and one.action is None for one in decided)
    return leaves and not (_has_seen_refusal(game, stored) or _units_with_orders(game, stored).pending)


def _has_seen_refusal(game: Game, stored: StoredSheet) -> bool:
    """Whether the player has seen an order refused in this phase, and so ends the phase himself."""
    sheet = stored.sheet
    refused = any(order.why and order.is_due(game.state, stored.side) for order in sheet.orders)
    return refused and sheet.held == moment_key(game.state)


def answer_prompts(series: ActionBatch, stored: StoredSheet, most: int) -> bool:
    """Do what standing answers decide, until nothing is left to do or the batch has `most` entries.

    Return whether anything was done. An answer that the rules refuse is left to the player. A prompt that another side
    may answer as well is left to the next batch, before which that side's answers come.
    """
    before, refused = len(series.entries), set[str]()
    while len(series.entries) < most:
        due = (one for one in _due_answers(series.game, stored) if one.prompt.key not in refused)
        mine = (one for one in due if not (series.entries and _asks_others(one.prompt, stored)))
        one = next(mine, None)
        if one is None or one.action is None:
            break
        try:
            series.do(one.action)
        except (Refused, NotAllowed):
            refused.add(one.prompt.key)
    return len(series.entries) > before


def _asks_others(prompt: Prompt, stored: StoredSheet) -> bool:
    return any(offer.side != stored.side for offer in prompt.offers)


@dataclass(frozen=True)
class OrderedUnits:
    """Ids of units with a due order: `pending` units have not yet carried out theirs, `idle` units hold by order."""

    pending: frozenset[str] = frozenset()
    idle: frozenset[str] = frozenset()

    @property
    def all(self) -> frozenset[str]:
        """Return the ids of both groups."""
        return self.pending | self.idle


def _units_with_orders(game: Game, stored: StoredSheet) -> OrderedUnits:
    """Return the units with a due order, not yet refused, on any sheet of the side."""
    now, pending, idle = moment_key(game.state), set[str](), set[str]()
    for sheet in (stored.sheet, *stored.fellows):
        idle |= {*(sheet.holding if sheet.holding_at == now else ())}
        for order in sheet.orders:
            if order.is_due(game.state, stored.side) and not order.why:
                (idle if order.unmet else pending).update(order.units)
    return OrderedUnits(frozenset(pending), frozenset(idle))
