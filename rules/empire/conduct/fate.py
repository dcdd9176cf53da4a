"""What a result makes of a unit where it stands: the words for it, and the state after it (BE-6, BE-6.1)."""

from collections.abc import Iterable
from dataclasses import dataclass

from rules.core.model import Cite, Mark
from rules.core.play import Play
from rules.core.report import Step
from rules.core.wording import tenths
from rules.empire.fighting.loss import destroy
from rules.empire.model import Doom, EmpireState, EmpireUnit
from rules.empire.orders import remembering
from rules.empire.phases import Phase

from .instant import AT_ONCE, doom_step, dooms, end_at_once, in_melee
from .recoil import recoil
from .results import Result

HOLDS = Cite(rule="BE-6", mark=Mark.RULING)
"""Who rallies in contact holds."""


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
    def recoils(self) -> bool:
        """Whether it goes back: who is destroyed at once does not."""
        return self.result.recoil and self.in_melee and not self.end

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
        """In a few words."""
        if self.end:
            return "destroyed at once"
        if self.result.destroyed:
            return "destroyed"
        if not self.result.moves:
            return self._stays
        return ", ".join(("rallies", *self._may) if self.unit.shaken else self._may)

    @property
    def _stays(self) -> str:
        if not self.result.recoil:
            return "stays shaken, holds"
        if not self.in_melee:
            return "stays shaken, not in melee to recoil"
        return "stays shaken, recoils" + (", destroyed unless its enemy is held" if self.dooms else "")

    @property
    def _may(self) -> tuple[str, ...]:
        if self.in_melee:
            move = "holds"
        elif self.unit.is_crew:
            move = f"may do everything and move {tenths(self.inches)} inches"
        else:
            move = f"may move {tenths(self.inches)} inches" if self.inches else "no move"
        return (
            move,
            *(("no penalty for changing formation or facing",) if self.result.free_change else ()),
            *(("no penalty for mounting or dismounting",) if self.free_mounting else ()),
            *(("fanatic charge",) if self.fanatic else ()),
        )


def fate(state: EmpireState, unit: EmpireUnit, result: Result, said: Iterable[str] = ()) -> Fate:
    """What a result would make of a unit now."""
    words = tuple(said)
    melee, end = in_melee(state, unit, words), end_at_once(state, unit, result, words)
    hangs = result.recoil and melee and not end
    return Fate(
        unit=unit,
        result=result,
        in_melee=melee,
        inches=float(0 if melee else result.inches(unit)),
        end=end,
        dooms=dooms(state, unit, words) if hangs else (),
    )


def befall(play: Play[EmpireState], met: Fate, score: int) -> None:
    """Makes it so, and tells it in steps."""
    unit = met.unit
    play.state = play.state.with_unit(_remembering(play.state, met, score))
    if met.recoils:
        recoil(play, unit.id)
    if met.destroyed:
        play.state = destroy(play.state, unit.id)
        end = (AT_ONCE, f"{met.end}: destroyed at once") if met.end else (Cite(rule="BE-6"), "destroyed")
        play.say(Step(text=unit.name, cite=end[0], verdict=end[1]))
        return
    if met.result.moves and met.in_melee:
        play.say(Step(text=f"{unit.name} is in contact", cite=HOLDS, verdict="rallied, it holds"))
    play.say(*(doom_step(play.state, doom) for doom in met.dooms))
    play.set(dooms=(*play.state.dooms, *met.dooms))


def _remembering(state: EmpireState, met: Fate, score: int) -> EmpireUnit:
    """The unit with what its turn remembers of the test; a second one of the turn gives a move of its own (BE-6)."""
    unit, before = met.unit, met.unit.this_turn
    again = state.now is Phase.EXPLOITATION
    rallied = unit.model_copy(update={"shaken": unit.shaken and not met.result.moves})
    return remembering(
        rallied,
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


def told(met: Fate) -> str:
    """The outcome in whole sentences: what the unit may now do."""
    if met.destroyed:
        return "It is destroyed."
    if not met.result.moves:
        stays = "recoils" if met.recoils else "holds" if met.in_melee or met.result.hold else "does not move"
        return f"It stays shaken and {stays}."
    rallies = "It rallies. " if met.unit.shaken else ""
    if met.in_melee:
        may = "In contact, it holds."
    elif met.unit.is_crew:
        may = f"It may do everything and move {tenths(met.inches)} inches."
    else:
        may = f"It may move {tenths(met.inches)} inches." if met.inches else "It may not move."
    free = " Changing formation or facing costs it nothing." if met.result.free_change else ""
    horses = " Mounting or dismounting costs it nothing." if met.free_mounting else ""
    charge = " It is in fanatic charge until this turn's melee is over." if met.fanatic else ""
    return f"{rallies}{may}{free}{horses}{charge}"
