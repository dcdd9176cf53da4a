"""Perform a batch of actions, each on the state after the previous action."""

from dataclasses import replace

from bot.journal.drafts import Draft, NewEntry, apply_entry, make_next_entry
from bot.journal.game import Actor, Game
from bot.journal.ledger import Ledger
from bot.journal.thinking_record import ThinkingRecord
from rules.core.model import UMPIRE
from rules.core.refusal import Refused
from rules.core.state import Action, State, with_deputy
from rules.core.typed_text import normalize_text

from .hidden_troops_notice import describe_who_sees_all
from .rights import require_right_to_act
from .seat_rows import pause_bot


class ActionBatch:
    """Actions of one interaction, performed one after another. Run a batch in a thread.

    `entries` are the entries of these actions, and `game` is the game after the last one.
    """

    def __init__(self, ledger: Ledger, game: Game, actor: Actor, interaction: int) -> None:
        self.game = game
        self.entries: list[NewEntry] = []
        self._ledger, self._actor, self._interaction = ledger, actor, interaction

    def perform(
        self, action: Action, *, check_right: bool = True, thought: ThinkingRecord | None = None, words: str = ""
    ) -> NewEntry:
        """Perform the next action of the batch, and return the new entry.

        `thought` records how the bot decided on the action. `words` are put before the headline. Raises
        Refused, and NotAllowed unless `check_right` is false.
        """
        game = self.game
        side = game.ruleset.side_of(game.state, action)
        permanent_sides = [seat.side for seat in game.seats if seat.user == self._actor.id and seat.until is None]
        action = with_deputy(action, by_deputy=side not in permanent_sides)
        if check_right:
            require_right_to_act(game, self._actor, action)
        dice = self._ledger.make_dice(game, self._interaction, secret_of=side if action.secret else None)
        state, report = game.ruleset.act(game.state, action, dice)
        if report.audience is not None and any(sealed.throw.hidden is None for sealed in dice.thrown):
            dice = self._ledger.make_dice(game, self._interaction, secret_of=side)
            state, report = game.ruleset.act(game.state, action, dice)
        if action.umpire_only and game.viewer(self._actor.id) == UMPIRE:
            _require_no_hidden_name(game.state, state)
        if state.can_have_hidden_units and not game.state.can_have_hidden_units:
            sentences = (report.outcome, describe_who_sees_all(replace(game, state=state)))
            report = report.model_copy(update={"outcome": " ".join(filter(None, sentences))})
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
        new_entry = make_next_entry(game, self._actor, draft, self._interaction, part=len(self.entries))
        if action.umpire_only and game.is_bot_resting:
            new_entry = new_entry.with_changes(pause_bot(game.id, new_entry.entry.seq))
        self.entries.append(new_entry)
        self.game = apply_entry(game, self.entries[-1])
        return self.entries[-1]


def _require_no_hidden_name(before: State, after: State) -> None:
    """Raise Refused if the action gave a unit the name of a hidden unit.

    The refusal reveals this name, so only an umpire who sees everything may read it.
    """
    hidden = {normalize_text(unit.name) for unit_id, unit in after.every_unit.items() if unit_id not in after.units}
    for unit_id, unit in after.units.items():
        old = before.units.get(unit_id)
        if normalize_text(unit.name) in hidden and (old is None or old.name != unit.name):
            raise Refused(f"A hidden unit is already called “{unit.name}”. Choose another name.")
