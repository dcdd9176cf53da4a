"""`/roll` and `/dice`: throw dice, and check the dice of a game."""

from discord import app_commands
from discord.ext import commands

from bot.expressions import MAX_REPEATS
from bot.games.rolls import RollResult
from bot.jobs.dice_check import SealCheck, ThrowVerification
from bot.journal.game import Game
from rules.core.dice import Luck
from rules.core.model import UMPIRE
from rules.core.report import Step
from rules.core.sealed_dice import LABEL_LENGTH
from rules.core.wording import count_of, number_text

from .kit import one_at_a_time, reply
from .kit.cards import report_card
from .kit.cards.card import WARNING, Card, safe
from .kit.command_traits import offer_everywhere, offer_in_servers
from .kit.request import Interaction, actor_of, channel_of
from .kit.rooms import messages

RECIPE = (
    "-# Throw *n* is HMAC-SHA256 of the seed over `v1|game|n|interaction|label`; `/game export` lists them all, "
    "and docs/verifying-dice.md has a script that checks them without this bot."
)


class RollCog(commands.Cog):
    """The command `/roll`, for any dice in any channel."""

    @app_commands.command()
    @app_commands.describe(
        dice="What to throw: 2d6+1, 4d6k3, 4d6r1, 6d6 5+, 2d6>=8, 3d6!, d20 adv, d66, 6x2d6, 2d6; d8",
        label="What it is for",
        secret="For your eyes (and the umpire's) only",
        repeat="How many times",
    )
    @offer_everywhere
    async def roll(
        self,
        interaction: Interaction,
        dice: str,
        label: app_commands.Range[str, 1, LABEL_LENGTH] | None = None,
        secret: bool = False,
        repeat: app_commands.Range[int, 1, MAX_REPEATS] = 1,
    ) -> None:
        """Throw dice: in a game with its sealed dice, elsewhere with dice of this machine."""
        prepared: list[tuple[RollResult, Card]] = []
        work = interaction.client.games.rolls.roll(
            channel_of(interaction),
            actor_of(interaction),
            dice,
            label or "",
            secret=secret,
            repeat=repeat,
            interaction=interaction.id,
            prepare=lambda result: prepared.append((result, roll_card(result))),
        )
        rolled = await reply.carry_out(interaction, work, private=secret)
        ready = next((card for result, card in prepared if result.report is rolled.report), None)
        await reply.send(interaction, ready or roll_card(rolled), private=secret)
        if rolled.played is not None:
            messages.tell_rooms(interaction, rolled.played)


@offer_in_servers
class DiceCog(commands.GroupCog, group_name="dice", group_description="The dice of this channel's game"):
    """The commands that check the dice of a game."""

    @app_commands.command()
    async def verify(self, interaction: Interaction) -> None:
        """Recompute every throw of this channel's game, and compare it with what was shown."""
        games = interaction.client.games
        game = await games.running_or_last_game(channel_of(interaction))
        with one_at_a_time.reserve_private_work(interaction, "The check of these dice"):
            work = games.readings.verify_throws(game, game.viewer(interaction.user.id))
            verification = await reply.wait_for(interaction, work, private=True)
            await reply.send(interaction, verification_card(game, verification), private=True)

    @app_commands.command()
    async def reveal(self, interaction: Interaction) -> None:
        """Publish the seed of the dice so that anyone can check them, and seal a new one."""
        channel, actor = channel_of(interaction), actor_of(interaction)
        work = interaction.client.games.dice_seeds.reveal_seed(channel, actor, interaction=interaction.id)
        game = await reply.carry_out(interaction, work)
        card = Card().text("### The seed of the dice is public").text(seed_lines(game))
        card.text(f"From now on the dice are sealed with `{game.seal}`.").text(RECIPE)
        await reply.send(interaction, card)

    @app_commands.command()
    async def luck(self, interaction: Interaction) -> None:
        """Compare what each side threw with what was to be expected."""
        games = interaction.client.games
        game = await games.running_or_last_game(channel_of(interaction))
        viewer = game.viewer(interaction.user.id)
        with one_at_a_time.reserve_private_work(interaction, "The luck of this game"):
            lucks = await reply.wait_for(interaction, games.readings.measure_luck(game, viewer), private=True)
            card = Card().text(f"### Luck in {safe(game.name)}")
            for luck in lucks:
                card.text(luck_line(game, luck))
            card.text("" if lucks else "No dice have been thrown yet.")
            await reply.send(interaction, card, private=True)


def roll_card(result: RollResult) -> Card:
    """Return the card of a throw: each repeat with its dice and total."""
    report = result.report
    card = Card().text(f"### {safe(report.headline)}")
    card.text("\n".join(map(dice_throw_line, report.steps)))
    if result.played is None:
        return card.text("-# No game runs here: thrown with dice of this machine.")
    return card.text(report_card.footer_line(report, result.played.game.state))


def dice_throw_line(step: Step) -> str:
    """Return a line about a throw: `▸ 2d6 [3][4] + 1 = **8**`. The total or the number of successes is bold."""
    if step.score is None:
        return f"▸ {safe(step.text)}: **{safe(step.verdict)}**"
    return f"▸ {safe(step.text)} = **{number_text(step.score)}**"


def seed_lines(game: Game) -> str:
    """Return the public seeds, each with its seal."""
    lines = [
        f"{'Hidden seed' if seed.hidden else 'Seed'} {seed.epoch}: `{seed.secret}`\n-# sealed as `{seed.seal}`"
        for seed in game.seeds
        if seed.secret is not None
    ]
    return "\n".join(lines)


def verification_card(game: Game, verification: ThrowVerification) -> Card:
    """Return the card with the result of recomputing a game's throws."""
    if verification.is_fair:
        throws = "1 throw" if verification.right == 1 else f"{verification.right} throws"
        card = Card().text(f"**{throws} recomputed: all are as they were shown.**")
    else:
        words = f"**These dice are not right.** {verification.right} throws are as the seed gives them."
        card = Card(WARNING).text(words)
        for words, numbers in (("Not as the seed gives them", verification.wrong), ("Missing", verification.missing)):
            if numbers:
                card.text(f"{words}: {', '.join(map(str, numbers))}.")
    if verification.seals is not None:
        card.text(seal_check_lines(verification.seals))
    if verification.on_file is not None:
        card.text(f"This game was imported from a file. {imported_throws_note(verification.on_file)}")
    if verification.unknown:
        card.text(f"{verification.unknown} more cannot be checked: their seeds were not in the imported file.")
    if verification.missing_in_file:
        card.text(f"{verification.missing_in_file} more are not in the imported file.")
    card.text(seed_lines(game) or f"The seed is not public yet. Its seal: `{game.seal}`. `/dice reveal` publishes it.")
    return card.text(RECIPE)


def seal_check_lines(check: SealCheck) -> str:
    """Return lines that count the verified order sheets, and name sheets that do not match their seals."""
    lines = [f"**{count_of(check.right, 'sheet')} of orders verified: they match their seals.**"] if check.right else []
    lines += [f"**These do not match their seals: {safe('; '.join(check.wrong))}.**"] if check.wrong else []
    later = f"{count_of(check.unread, 'sheet')} of others can be verified when the game is over."
    lines += [later] if check.unread else []
    return "\n".join(lines)


def imported_throws_note(last: int) -> str:
    """Return a sentence about the throws before a game's import; `last` is the last one's number, or 0."""
    if not last:
        return "No dice had been thrown then; the rest of what came before is only known from that file."
    return f"What came before, with throws 1 to {last}, is only known from that file."


def luck_line(game: Game, luck: Luck) -> str:
    """Return a line about a side's dice: sum, expected sum and deviation. A second line counts the faces of D6."""
    names = {side.id: side.name for side in game.state.sides}
    name = names.get(luck.side, "The umpire" if luck.side == UMPIRE else "Onlookers")
    line = (
        f"**{safe(name)}**: {luck.dice} dice, sum {luck.total}, expected {number_text(luck.expected)} "
        f"({luck.standard_deviations:+z.1f} standard deviations)."
    )
    face_count = sum(luck.faces.values())
    faces = " · ".join(f"{face}: {times}" for face, times in luck.faces.items())
    return f"{line}\n-# D6 by face: {faces}, each {face_count / len(luck.faces):.1f} expected" if face_count else line
