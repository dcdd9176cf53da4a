"""Rolls by `/roll`. In a game, rolls use the game's sealed dice and journal. Elsewhere, rolls use random numbers."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from typing_extensions import override

from bot import expressions
from bot.errors import NoGame
from bot.expressions import Expression, ThrownRoll, TotalUnit
from bot.journal.drafts import Draft
from bot.journal.game import Actor, Game, Played
from rules.core.dice import Dice, Throw
from rules.core.model import PUBLIC, UMPIRE, Cite, Viewer
from rules.core.report import Report, Step
from rules.core.sealed_dice import clean_label

from .service import Service

ROLL = "roll"
_ROLLED = Cite(rule="/roll")


@dataclass(frozen=True)
class RollResult:
    """The report of a roll, and its journal entry if a game runs in the channel."""

    report: Report
    played: Played | None = None


class UnsealedDice(Dice):
    """Dice from the machine's random source, for rolls outside a game."""

    def __init__(self) -> None:
        self._random = secrets.SystemRandom()
        self._number = 0

    @override
    def throw(self, count: int, sides: int, label: str, *, side: Viewer | None = None, hidden: bool = False) -> Throw:
        """Throw the dice. Raises ValueError if `count` or `sides` is below 1."""
        if count < 1 or sides < 1:
            raise ValueError(f"cannot throw {count}D{sides}")
        self._number += 1
        dice = tuple(self._random.randint(1, sides) for _ in range(count))
        return Throw(number=self._number, label=label, sides=sides, dice=dice, side=side)


class Rolls(Service):
    """Service for rolls by `/roll`, outside the rules of a game."""

    async def roll(
        self,
        channel: int,
        actor: Actor,
        expression: str,
        label: str = "",
        *,
        secret: bool = False,
        repeat: int = 1,
        interaction: int,
        prepare: Callable[[RollResult], None] = lambda _: None,
    ) -> RollResult:
        """Roll an expression `repeat` times. In a game, use the game's dice and journal.

        `label` replaces the expression's comment. `prepare` builds the reply while the roll is being stored.
        Raises Refused.
        """
        parsed = expressions.parse_expression(expression, repeat)
        label = clean_label(label or parsed.comment)

        work = partial(
            self._draft_roll, actor=actor, parsed=parsed, label=label, secret=secret, interaction=interaction
        )
        try:
            played = await self._ledger.change(
                channel,
                actor,
                work,
                interaction=interaction,
                quick=True,
                while_writing=lambda played: prepare(RollResult(played.entry.report, played)),
            )
        except NoGame:
            return RollResult(_make_roll_report(actor, parsed, label, UnsealedDice(), PUBLIC))
        return RollResult(played.entry.report, played)

    def _draft_roll(
        self, game: Game, actor: Actor, parsed: Expression, label: str, *, secret: bool, interaction: int
    ) -> Draft:
        viewer = game.viewer(actor.id)
        secret_side = UMPIRE if viewer == PUBLIC else viewer
        dice = self._ledger.make_dice(game, interaction, secret_of=secret_side if secret else None)
        audience = frozenset({viewer} - {PUBLIC}) if secret else None
        report = _make_roll_report(actor, parsed, label, dice, viewer, audience)
        return Draft(kind=ROLL, report=report, side=viewer, thrown=dice.thrown)


def _make_roll_report(
    actor: Actor,
    expression: Expression,
    label: str,
    dice: Dice,
    side: Viewer,
    audience: frozenset[Viewer] | None = None,
) -> Report:
    rolls = expression.throw(dice, label)
    return Report(
        headline=f"{actor.name} rolls {label or expression.formula}",
        side=side,
        steps=tuple(map(_make_roll_step, rolls)),
        outcome=", ".join(roll.words for roll in rolls),
        audience=audience,
    )


def _make_roll_step(roll: ThrownRoll) -> Step:
    """Return the report step of a roll.

    The step's score is the total. If the roll counts successes, the step has a verdict and no score.
    """
    if roll.unit is TotalUnit.POINTS:
        return Step(text=roll.text, cite=_ROLLED, throws=roll.throws, score=Fraction(roll.total))
    return Step(text=roll.text, cite=_ROLLED, throws=roll.throws, verdict=roll.words)
