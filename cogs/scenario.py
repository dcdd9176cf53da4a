"""/scenario: the battles there are."""

from typing import TYPE_CHECKING

from discord import app_commands
from discord.ext import commands

from rules.core.ruleset import Scenario
from rules.registry import rulesets

from .kit import answer, completion, naming
from .kit.card import Card, safe
from .kit.interaction import Interaction, anywhere

if TYPE_CHECKING:
    from bot.client import UmpireBot


@anywhere
class ScenarioCog(commands.GroupCog, group_name="scenario", group_description="The battles there are"):
    """What can be played."""

    @app_commands.command(name="list")
    @app_commands.describe(rules="Only those of this rule system")
    @app_commands.autocomplete(rules=completion.systems)
    async def list_(self, interaction: Interaction, rules: app_commands.Range[str, 1, 100] | None = None) -> None:
        """All battles, by rule system."""
        card = Card()
        for system in [naming.system_of(rules)] if rules else rulesets().values():
            card.text(f"### {safe(system.title)}\n" + "\n".join(map(line, system.scenarios.values())))
        card.text("-# `/scenario show` has the briefing, `/game new` starts one.")
        await answer.send(interaction, card, private=True)

    @app_commands.command()
    @app_commands.describe(scenario="The battle")
    @app_commands.autocomplete(scenario=completion.scenarios)
    async def show(self, interaction: Interaction, scenario: app_commands.Range[str, 1, 100]) -> None:
        """The briefing of a battle, its sides and what its lists leave to choose."""
        system, found = naming.any_scenario(scenario)
        card = Card().text(f"### {safe(found.title)}\n{safe(system.title)}").text(safe(found.briefing))
        card.text(facts(found))
        card.text(f"-# `/game new rules:{system.id} scenario:{found.id}` starts it.")
        await answer.send(interaction, card, private=True)


def line(scenario: Scenario) -> str:
    """`- Suakin 1885: British against Mahdists`."""
    return f"- **{safe(scenario.title)}**: {safe(' against '.join(scenario.sides))}"


def facts(scenario: Scenario) -> str:
    """Sides, turns, and each choice with its default."""
    lines = [f"**Sides:** {safe(', '.join(scenario.sides))}"]
    if scenario.turns is not None:
        lines.append(f"**Turns:** {scenario.turns}")
    for choice in scenario.choices:
        lines.append(f"**{safe(choice.question)}** {safe(', '.join(choice.options))} (unless chosen: {choice.default})")
    return "\n".join(lines)


async def setup(bot: "UmpireBot") -> None:
    """Adds the commands."""
    await bot.add_cog(ScenarioCog())
