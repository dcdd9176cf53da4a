"""Explain an opponent's decision: best candidates, expected gains, and a picture."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

from rules.core.hexboard.hex_scene import HexNote, HexScene, NoteKind, Scene, Track
from rules.core.hexboard.hexes import Hex
from rules.core.refusal import Refused
from rules.core.ruleset import Ruleset
from rules.core.scene import Arrow, ListNumbers, Point, TableScene
from rules.core.state import Action, S

from .opponent import OpponentDecision
from .weighing import WeighedAction

Spot = TypeVar("Spot")

MOST_NAMED = 4
"""Maximum number of gains and losses named for a candidate; all others are summed up."""
TENTHS = 10
REST = "the rest"
NOTHING = "0"
KINDS_WITH_TARGET = ("fire", "melee")
"""Kinds of action with a target unit, drawn as a line of that kind from unit to target."""
MOVES, COURSE = "move", "course"
NEAR = 2.0
"""Distance in inches, along both axes, within which numbers are drawn together because they would overlap."""


@dataclass(frozen=True)
class CandidateReason:
    """A candidate action: its button text, its total gain (`+1.4`), and the parts (`medals +2.1, the answer -0.7`)."""

    label: str
    comes_to: str
    of: str


@dataclass(frozen=True)
class DecisionReasons:
    """The best candidates of a decision, the chosen one first, and a scene that shows their numbers."""

    best: tuple[CandidateReason, ...]
    scene: Scene


@dataclass(frozen=True)
class CandidateLine(Generic[Spot]):
    """A candidate's line on the map. `start` and `end` are equal if the unit stays in place."""

    start: Spot
    end: Spot
    kind: str
    side: str


NumberedLines: TypeAlias = Sequence[tuple[str, CandidateLine[Spot]]]
"""Candidate numbers with their lines on the map."""
PositionFinder: TypeAlias = Callable[[Scene], Mapping[str, Spot]]
"""Function that returns the position of each unit in a scene, by unit id."""


def explain_candidates(system: Ruleset[S], state: S, side: str, decision: OpponentDecision) -> DecisionReasons:
    """Return the reasons for a decision, without facts that the side may not know."""
    view = system.view(state, side)
    best = tuple(
        CandidateReason(_button_text(system, view, candidate), *gain_in_words(candidate.brings))
        for candidate in decision.best
    )
    return DecisionReasons(best, draw_candidates(system, view, side, [candidate.action for candidate in decision.best]))


def gain_in_words(brings: Mapping[str, float]) -> tuple[str, str]:
    """Return the total gain and its largest parts as text: `+1.4` and `medals +2.1, the answer -0.7`."""
    by_size = sorted(brings.items(), key=lambda part: (-abs(part[1]), part[0]))
    largest = [part for part in by_size[:MOST_NAMED] if round(abs(part[1]) * TENTHS)]
    rest = sum(worth for word, worth in by_size if word not in dict(largest))
    parts = [*largest, (REST, rest)] if len(largest) < len(by_size) else largest
    shares = round_to_tenths([worth for _, worth in parts])
    clauses = (f"{word} {_signed_tenths(share)}" for (word, _), share in zip(parts, shares, strict=True) if share)
    return _signed_tenths(sum(shares)), ", ".join(clauses)


def round_to_tenths(parts: Sequence[float]) -> list[int]:
    """Round each part to tenths so that the rounded parts add up to the rounded total."""
    down = [int(part * TENTHS // 1) for part in parts]
    short = round(sum(parts) * TENTHS) - sum(down)
    by_rest = sorted(range(len(parts)), key=lambda place: down[place] - parts[place] * TENTHS)
    return [share + (place in by_rest[:short]) for place, share in enumerate(down)]


def draw_candidates(system: Ruleset[S], view: S, side: str, actions: Sequence[Action]) -> Scene:
    """Return the side's scene with a numbered line for each candidate. Passing is not drawn."""
    scene = system.scene(view, side)
    if isinstance(scene, HexScene):
        on_map = _candidate_lines(system, view, side, actions, _hex_by_unit)
        notes, tracks = (*scene.notes, *_candidate_notes(on_map)), (*_candidate_tracks(on_map, scene),)
        return scene.model_copy(update={"notes": notes, "tracks": tracks, "dice": ()})
    on_table = _candidate_lines(system, view, side, actions, _point_by_unit)
    arrows = (Arrow(start=line.start, end=line.end, kind=line.kind, side=line.side) for _, line in on_table)
    moves = tuple(arrow for arrow in arrows if arrow.start != arrow.end)
    return scene.model_copy(update={"arrows": moves, "fans": (), "numbers": _candidate_numbers(on_table)})


def _button_text(system: Ruleset[S], view: S, candidate: WeighedAction) -> str:
    """Return the candidate's button text on the side's view, without assumptions about hidden units."""
    try:
        return system.label(view, candidate.action)
    except Refused:
        return candidate.label


def _signed_tenths(tenths: int) -> str:
    return f"{tenths / TENTHS:+.1f}" if tenths else NOTHING


def _candidate_lines(
    system: Ruleset[S], view: S, side: str, actions: Sequence[Action], spots_of: PositionFinder[Spot]
) -> NumberedLines[Spot]:
    """Return a line for each action that can be drawn, with the action's number, counted from 1."""
    starts = spots_of(system.scene(view, side))
    lines = (
        (str(number), _candidate_line(system, view, side, action, starts, spots_of))
        for number, action in enumerate(actions, 1)
    )
    return [(number, line) for number, line in lines if line is not None]


def _candidate_line(
    system: Ruleset[S], view: S, side: str, action: Action, starts: Mapping[str, Spot], spots_of: PositionFinder[Spot]
) -> CandidateLine[Spot] | None:
    """Return the line from the unit to the action's target or destination; None if the unit is not drawn."""
    start, target = starts.get(action.unit or ""), starts.get(getattr(action, "target", None) or "")
    if start is None:
        return None
    if target is not None and action.kind in KINDS_WITH_TARGET:
        return CandidateLine(start, target, action.kind, side)
    try:
        after = system.sketch(view, side, action).state
    except Refused:
        return CandidateLine(start, start, MOVES, side)
    return CandidateLine(start, spots_of(system.scene(after, side)).get(action.unit or "", start), MOVES, side)


def _hex_by_unit(scene: Scene) -> Mapping[str, Hex]:
    """Return the hex of each unit (by id) on a map."""
    stacks = scene.stacks if isinstance(scene, HexScene) else ()
    return {counter.unit: stack.hex for stack in stacks for counter in stack.counters}


def _point_by_unit(scene: Scene) -> Mapping[str, Point]:
    """Return the point of each unit (by id) on a table."""
    bases = scene.bases if isinstance(scene, TableScene) else ()
    return {base.unit: base.at for base in bases}


def _candidate_tracks(lines: NumberedLines[Hex], scene: HexScene) -> Iterable[Track]:
    """Yield a line for each candidate action that moves its unit.

    A move into an empty hex is drawn up to the hex's centre.
    """
    occupied_hexes = {stack.hex for stack in scene.stacks if stack.counters}
    for _, line in lines:
        if line.start != line.end:
            kind = line.kind if line.end in occupied_hexes else COURSE
            yield Track(hexes=(line.start, line.end), kind=kind, side=line.side)


def _candidate_notes(lines: NumberedLines[Hex]) -> Iterable[HexNote]:
    """Yield a mark with the candidates' numbers for each hex in which candidate actions end.

    The hex of the chosen action is outlined.
    """
    at: dict[Hex, list[str]] = {}
    for number, line in lines:
        at.setdefault(line.end, []).append(number)
    for hex_, numbers in at.items():
        kind = NoteKind.CHOSEN if "1" in numbers else NoteKind.CANDIDATE
        yield HexNote(hex=hex_, kind=kind, text=" ".join(numbers))


def _candidate_numbers(lines: NumberedLines[Point]) -> tuple[ListNumbers, ...]:
    """Return the numbers drawn at the ends of the candidates' lines. Numbers near each other become one text."""
    at: list[tuple[Point, list[str]]] = []
    for number, line in lines:
        x, y = line.end
        near_numbers = next(
            (numbers for place, numbers in at if abs(place[0] - x) < NEAR and abs(place[1] - y) < NEAR), None
        )
        if near_numbers is None:
            at.append((line.end, [number]))
        else:
            near_numbers.append(number)
    return tuple(ListNumbers(at=place, text=" ".join(numbers), first="1" in numbers) for place, numbers in at)
