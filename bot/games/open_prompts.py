"""The open prompts that a viewer may know, and the tags that identify offers in buttons."""

import json
from collections.abc import Iterable
from hashlib import blake2s

from bot.journal.game import Game
from rules.core.model import Viewer
from rules.core.report import Offer, Prompt


def filter_visible_prompts(game: Game, viewer: Viewer, prompts: Iterable[Prompt]) -> tuple[Prompt, ...]:
    """Return `prompts` without the prompts about units that the viewer does not see."""
    all_prompts = tuple(prompts)
    visible_units = game.ruleset.view(game.state, viewer).units if any(prompt.unit for prompt in all_prompts) else ()
    return tuple(prompt for prompt in all_prompts if not prompt.unit or prompt.unit in visible_units)


def hash_offer(offer: Offer) -> str:
    """Return a short hash of the offer's content, for a button's id. The content itself may be too long."""
    content = json.dumps([offer.key, offer.kind, dict(offer.args)], sort_keys=True, default=str)
    return blake2s(content.encode(), digest_size=8).hexdigest()
