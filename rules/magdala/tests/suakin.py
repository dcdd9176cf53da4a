"""The Suakin scenario: initial state, and results of actions."""

import pytest

from rules.core.dice import NoDice
from rules.core.ruleset import Refused
from rules.magdala.model import MagdalaState
from rules.magdala.ruleset import Magdala

SYSTEM = Magdala()
BERKS = "berkshires"


def suakin_state() -> MagdalaState:
    return SYSTEM.setup("suakin-1885", {}, NoDice())


def after_action(state: MagdalaState, kind: str, **args) -> MagdalaState:
    return SYSTEM.act(state, SYSTEM.parse(kind, args), NoDice())[0]


def refusal(state: MagdalaState, kind: str, **args) -> str:
    with pytest.raises(Refused) as refused:
        after_action(state, kind, **args)
    return str(refused.value)
