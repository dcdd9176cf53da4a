"""A batch of actions, each applied to the game after the previous action."""

from dataclasses import replace
from functools import partial

from bot.journal.drafts import Draft, Written, game_after, made_of
from bot.journal.game import Actor, Game
from bot.journal.ledger import Ledger
from bot.journal.thinking_record import Thinking
from rules.core.model import UMPIRE
from rules.core.refusal import Refused
from rules.core.state import Action, State
from rules.core.typed_text import exact_form

from .hidden_troops_notice import who_sees_all
from .opponents import rest_bot
from .rights import require_right


class Series:
    """Entries of one interaction so far, and the resulting game. Too slow for the event loop."""

    def __init__(self, ledger: Ledger, game: Game, actor: Actor, interaction: int) -> None:
        self.game = game
        self.made: list[Written] = []
        self._ledger, self._actor, self._interaction = ledger, actor, interaction

    def do(self, action: Action, *, by_right: bool = True, thought: Thinking | None = None, words: str = "") -> Written:
        """Apply one more action. Its entry may carry the bot's `thought`; `words` precede the headline.

        Where the bot waits to be asked, it still does after what the umpire alone may do.
        Raises NotAllowed where the actor has no right to it, unless it is done without one; Refused.
        """
        game = self.game
        side = game.ruleset.side_of(game.state, action)
        if by_right:
            require_right(game, self._actor, action)
        dice = self._ledger.dice(game, self._interaction, secret_of=side if action.secret else None)
        state, report = game.ruleset.act(game.state, action, dice)
        if report.audience is not None and any(one.throw.hidden is None for one in dice.thrown):
            dice = self._ledger.dice(game, self._interaction, secret_of=side)
            state, report = game.ruleset.act(game.state, action, dice)
        if action.umpire_only and game.viewer(self._actor.id) == UMPIRE:
            _require_new_names(game.state, state)
        if state.may_hide and not game.state.may_hide:
            told = (report.outcome, who_sees_all(replace(game, state=state)))
            report = report.model_copy(update={"outcome": " ".join(filter(None, told))})
        draft = Draft(
            kind=action.kind,
            report=report.model_copy(update={"headline": f"{words}{report.headline}"}) if words else report,
            action=action.model_dump(mode="json", by_alias=True, exclude_none=True),
            side=side,
            acts=True,
            state=state,
            thrown=dice.thrown,
            thought=thought,
        )
        made = made_of(game, self._actor, draft, self._interaction, part=len(self.made))
        if action.umpire_only and game.bot_rests:
            made = made.adding(partial(rest_bot, game=game.id, at=made.entry.seq))
        self.made.append(made)
        self.game = game_after(game, self.made[-1])
        return self.made[-1]


def _require_new_names(before: State, after: State) -> None:
    """Refuse to name a unit like a hidden unit: only viewers who see everything may learn such names."""
    hidden = {exact_form(one.name) for unit, one in after.every_unit.items() if unit not in after.units}
    for unit, one in after.units.items():
        if exact_form(one.name) in hidden and (unit not in before.units or before.units[unit].name != one.name):
            raise Refused(f"A hidden unit is already called “{one.name}”. Choose another name.")
