"""What a result makes of a unit where it stands, and what destroys it beyond what the chart says (BE-6, BE-6.1)."""

from collections.abc import Iterable
from dataclasses import dataclass

from rules.core.model import Cite
from rules.core.play import Play
from rules.core.wording import in_a_row, tenths
from rules.empire.fighting.effects import destroy
from rules.empire.model import Arm, Doom, EmpireState, EmpireUnit, Formation
from rules.empire.phases import Phase

from .charts import Result
from .recoil import recoil

CHART, AT_ONCE = Cite(rule="BE-6"), Cite(rule="BE-6.1")
MELEE_SAID = IN_MELEE, MOUNTED_OPPONENT, MASSED_OPPONENT = "in melee", "mounted opponent", "massed opponent"


@dataclass(frozen=True)
class Fate:
    """What comes of a result: `end` is why the unit is destroyed at once, `inches` how far it may move."""

    unit: EmpireUnit
    result: Result
    in_melee: bool
    inches: float
    end: str
    dooms: tuple[Doom, ...]

    @property
    def destroyed(self) -> bool:
        """Removed, by the chart or at once."""
        return self.result.destroyed or bool(self.end)

    @property
    def fanatic(self) -> bool:
        """Whether it is in fanatic charge by it; crews never are."""
        return self.unit.conduct in self.result.fanatic and not self.unit.is_crew

    @property
    def free_mounting(self) -> bool:
        """Whether it mounts or dismounts without penalty."""
        return self.unit.conduct in self.result.free_mounting

    @property
    def good(self) -> bool:
        """What its owner hopes for: the shaken to rally, the steady to move."""
        return self.result.moves if self.unit.shaken else self.inches > 0

    @property
    def label(self) -> str:
        """What becomes of it, in a few words."""
        return ", ".join(words for words, _ in self._told())

    @property
    def sentences(self) -> str:
        """The same in whole sentences: what the unit may now do."""
        return " ".join(sentence for _, sentence in self._told())

    def _told(self) -> Iterable[tuple[str, str]]:
        """Thing by thing, in a few words and in a sentence."""
        unit, result = self.unit, self.result
        stay, hold, recoil = (unit.verb(word) for word in ("stay", "hold", "recoil"))
        if self.destroyed:
            yield "destroyed at once" if self.end else "destroyed", f"{unit:They are} destroyed."
        elif not result.moves and not result.recoil:
            yield f"{stay} shaken, {hold}", f"{unit:They} {stay} shaken and {hold}."
        elif not result.moves and not self.in_melee:
            yield f"{stay} shaken, not in melee to recoil", f"{unit:They} {stay} shaken, and {unit:they do} not move."
        elif not result.moves:
            unless = f", destroyed unless {unit:their} enemy is held" if self.dooms else ""
            yield f"{stay} shaken, {recoil}{unless}", f"{unit:They} {stay} shaken and {recoil}."
        elif unit.shaken:
            yield unit.verb("rally"), f"{unit:They rally}."
        may = f"may {'do everything and ' if unit.is_crew else ''}move {tenths(self.inches)} inches"
        if result.moves and self.in_melee:
            yield hold, f"In contact, {unit:they hold}."
        elif result.moves and (self.inches or unit.is_crew):
            yield may, f"{unit:They} {may}."
        elif result.moves:
            yield "no move", f"{unit:They may} not move."
        free = {"changing formation or facing": result.free_change, "mounting or dismounting": self.free_mounting}
        for change in (change for change, is_free in free.items() if is_free):
            yield f"no penalty for {change}", f"{change.capitalize()} costs {unit:them} nothing."
        if self.fanatic:
            yield "fanatic charge", f"{unit:They are} in fanatic charge until this turn's melee is over."


def fate(state: EmpireState, unit: EmpireUnit, result: Result, said: tuple[str, ...] = ()) -> Fate:
    """What a result would make of a unit now."""
    melee, end = in_melee(state, unit, said), ""
    if melee and not result.moves and unit.is_crew:
        end = "guns and machine guns that fail to rally in melee"
    elif melee and result.recoil and unit.formation is Formation.COMPANY_SQUARE:
        end = "a company square that has to recoil"
    dooms = _dooms(state, unit, said) if melee and result.recoil and not end else ()
    return Fate(unit, result, melee, float(0 if melee else result.inches(unit)), end, dooms)


def in_melee(state: EmpireState, unit: EmpireUnit, said: Iterable[str] = ()) -> bool:
    """Whether it touches an enemy, or is said to."""
    return bool(state.opponents(unit.id)) or any(word in MELEE_SAID for word in said)


def _dooms(state: EmpireState, unit: EmpireUnit, said: tuple[str, ...]) -> tuple[Doom, ...]:
    """What hangs over a unit made to recoil until movement ends: foot from mounted, skirmishers also from masses."""
    foes = state.opponents(unit.id)
    mounted = tuple(foe.id for foe in foes if foe.arm is Arm.MOUNTED)
    shock = tuple(foe.id for foe in foes if foe.arm is Arm.MOUNTED or (foe.arm is Arm.FOOT and foe.is_massed))
    found = []
    if unit.arm is Arm.FOOT and (mounted or MOUNTED_OPPONENT in said):
        found.append(mounted)
    if unit.formation is Formation.SKIRMISH and (shock or MOUNTED_OPPONENT in said or MASSED_OPPONENT in said):
        found.append(shock)
    return tuple(Doom(unit=unit.id, rule=AT_ONCE.rule, pursuers=pursuers) for pursuers in dict.fromkeys(found))


def befall(play: Play[EmpireState], met: Fate, score: int) -> None:
    """Makes it so, and tells it in steps; who rallies in contact holds (ruling)."""
    unit, before, again = met.unit, met.unit.this_turn, play.state.now is Phase.EXPLOITATION
    play.change(unit.id, shaken=unit.shaken and not met.result.moves)
    play.remember(
        unit.id,
        tested=before.tested or not again,
        exploited=again,
        score=score,
        result=met.result.words,
        allowed=met.inches,
        spent=0.0,
        free_change=met.result.free_change,
        free_mounting=met.free_mounting,
        fanatic=met.fanatic or before.fanatic,
    )
    if met.result.recoil and met.in_melee and not met.end:
        recoil(play, unit.id)
    if met.destroyed:
        play.state = destroy(play.state, unit.id)
        cite, verdict = (AT_ONCE, f"{met.end}: destroyed at once") if met.end else (CHART, "destroyed")
        play.note(unit.name, cite, verdict)
        return
    if met.result.moves and met.in_melee:
        play.note(f"{unit:are} in contact", CHART.ruled, f"rallied, {unit:they hold}")
    for doom in met.dooms:
        unless = f"unless another unit is then in contact with {_pursuers(play.state, doom)}"
        play.note(f"{unit:are} destroyed when movement ends, {unless}", AT_ONCE)
    play.set(dooms=(*play.state.dooms, *met.dooms))


def _pursuers(state: EmpireState, doom: Doom) -> str:
    return in_a_row(state.unit(foe).name for foe in doom.pursuers) or f"{state.unit(doom.unit):their} enemy"


def settle_dooms(play: Play[EmpireState]) -> None:
    """When 4B ends: who recoiled so is destroyed, unless another unit holds one of its pursuers (BE-6.1, ruling)."""
    state, ended = play.state, list[str]()
    for doom in state.dooms:
        unit = state.unit(doom.unit)
        if not unit.on_table or unit.id in ended:
            continue
        held = [foe for foe in doom.pursuers if any(met.id != unit.id for met in state.opponents(foe))]
        if not held:
            ended.append(unit.id)
        names = in_a_row(state.unit(foe).name for foe in held)
        why = f"another unit is in contact with {names}: {unit:they live}" if held else "destroyed"
        cite = AT_ONCE.ruled if held and len(held) < len(doom.pursuers) else AT_ONCE
        play.note(f"{unit.name} recoiled from {_pursuers(state, doom)}", cite, why)
    for unit_id in ended:
        play.state = destroy(play.state, unit_id)
    play.set(dooms=())
