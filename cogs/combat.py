"""The commands of tests, such as `/fire` and `/morale`. They work in the channel's game, or without a game."""

from collections.abc import Sequence

from . import unit_tests
from .kit.command_traits import Command, mark_action_kinds, offer_everywhere
from .kit.request import Interaction
from .shared_options import Options, build_command


def make_test_command(kind: str, description: str, options: Sequence[str]) -> Command:
    """Return the command for a kind of test. Its options name a unit, or the troops of a test without a game."""

    async def run_test(interaction: Interaction, values: Options) -> None:
        await unit_tests.run_test(interaction, kind, values)

    return mark_action_kinds(kind)(offer_everywhere(build_command(kind, description, run_test, *options, kind=kind)))


MORALE = ("unit", "rules", "troop", "losses", "with", "secret")
CONDUCT = ("unit", "rules", "troop", "state", "with")
FIRE = ("unit", "target", "range", "dice", "rules", "troop", "figures", "with")
MELEE = ("unit", "target", "contact", "rules", "troop", "figures", "against", "against_figures", "with")

COMMANDS = (
    make_test_command("morale", "Tests a unit's morale, or that of any troops with their losses.", MORALE),
    make_test_command("reaction", "Tests how a unit reacts, as when friends run away.", MORALE),
    make_test_command("fire", "Fires at an enemy unit, or throws the volley of any troops at a range.", FIRE),
    make_test_command("melee", "Fights a round of melee, of two units or of any troops.", MELEE),
    make_test_command("conduct", "Tests the conduct of a unit, or of any troops.", CONDUCT),
    make_test_command("rally", "Tries to rally a unit, or any troops.", CONDUCT),
    make_test_command(
        "critical", "Throws for a critical hit on a unit, or on any troops.", ("unit", "rules", "troop", "with")
    ),
)
