"""Replace words in scripts that the typefaces lack, such as Chinese, by numbers such as `#1`.

The message with the picture explains the numbers.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any

from rules.core.hexboard.hex_scene import Counter, Course, HexBoard, HexNote, HexScene, HexStack, Scene, Track
from rules.core.model import Model
from rules.core.scene import TableScene, UnitBase

from .bases import bases_in_area
from .fonts import Face, has_letter
from .geometry import Box
from .hexmap.plane import hex_centre

Numbers = Mapping[str, str]
"""Numbers, such as `#1`, by the run of words that each number replaces."""
Explained = tuple[tuple[str, str], ...]
"""Numbers with the words that they replace."""
ENDS = " \t\n,;:.!?()[]“”\"'’—–-"
"""Characters at the ends of words that need no replacement."""
JOINERS = frozenset("\u200d\ufe0e\ufe0f")
"""Characters that only change the form of the previous character."""
RIGHT_TO_LEFT = frozenset({"R", "AL"})
"""Bidirectional classes of letters written from right to left, which are joined in ways that Pillow does not draw."""


@lru_cache(maxsize=4096)
def _foreign_word_runs(text: str) -> tuple[str, ...]:
    """Return the words of `text` that cannot be drawn; neighbouring words are joined."""
    if text.isascii():
        return ()
    runs, last = list[str](), False
    for piece in re.split(r"(\s+)", text):
        word = piece.strip(ENDS)
        if not word:
            continue
        foreign = any(not _can_draw_letter(letter) for letter in word)
        if foreign and last and f"{runs[-1]} {word}" in text:
            runs[-1] = f"{runs[-1]} {word}"
        elif foreign:
            runs.append(word)
        last = foreign
    return tuple(runs)


@lru_cache(maxsize=4096)
def _can_draw_letter(letter: str) -> bool:
    """Whether every typeface has the letter, and Pillow draws it correctly."""
    if letter in JOINERS or unicodedata.bidirectional(letter) in RIGHT_TO_LEFT:
        return False
    return all(has_letter(face, letter) for face in Face)


def number_foreign_words(texts: Iterable[str]) -> Numbers:
    """Number the words in `texts` that cannot be drawn; neighbouring words share a number."""
    runs = dict.fromkeys(run for text in texts for run in _foreign_word_runs(text))
    return {run: f"#{number}" for number, run in enumerate(runs, 1)}


def replace_foreign_words(text: str, numbers: Numbers) -> str:
    """Return the text with numbers in place of words that cannot be drawn."""
    for run in _foreign_word_runs(text):
        text = text.replace(run, numbers.get(run, "#"), 1)
    return text


def number_foreign_words_in_scenes(scenes: Iterable[Scene]) -> Numbers:
    """Number the words in `scenes` that cannot be drawn; neighbouring words share a number."""
    return number_foreign_words(text for scene in scenes for text in _scene_texts(scene, None))


def explain_word_numbers(scene: Scene, area: Box | None, numbers: Numbers) -> Explained:
    """Return the numbers drawn in `area`, or in the whole scene, with the words that they replace."""
    if not numbers:
        return ()
    visible_runs = {run for text in _scene_texts(scene, area) for run in _foreign_word_runs(text)}
    return tuple((number, run) for run, number in numbers.items() if run in visible_runs)


def replace_foreign_words_in_scene(scene: Scene, numbers: Numbers) -> Scene:
    """Return the scene with numbers in place of words that cannot be drawn."""
    if not numbers:
        return scene
    changed: Scene = _replace_texts(scene, partial(replace_foreign_words, numbers=numbers))
    return changed


def _scene_texts(scene: Scene, area: Box | None) -> Iterator[str]:
    """Yield every text drawn in `area`, or in the whole scene."""
    yield from (scene.title, scene.subtitle, *(side.name for side in scene.sides))
    if isinstance(scene, HexScene):
        for stack in scene.stacks:
            if area is None or area.grow(1).contains(hex_centre(stack.hex)):
                yield from (text for counter in stack.counters for text in (counter.name, counter.formation))
        yield from (note.text for note in scene.notes)
        yield from (track.text for track in scene.tracks)
        yield from (cell.name for cell in scene.board.cells if cell.name)
        yield from (name.name for name in scene.board.names)
        yield from (line.name for line in scene.board.lines)
        yield from scene.off_map if area is None else ()
        return
    bases = scene.bases if area is None else bases_in_area(scene.bases, area)
    yield from (text for base in bases for text in (base.name, base.letter))
    yield from (piece.name for piece in scene.terrain)
    yield from (goal.name for goal in scene.goals)
    yield from scene.off_table if area is None else ()


TEXTS: Mapping[type[Model], Sequence[str]] = {
    TableScene: ("title", "subtitle", "sides", "terrain", "bases", "goals", "off_table"),
    HexScene: ("board", "title", "subtitle", "sides", "stacks", "notes", "tracks", "off_map"),
    HexBoard: ("cells", "names", "lines"),
    HexStack: ("counters",),
    Counter: ("name", "formation"),
    HexNote: ("text",),
    Track: ("text",),
    Course: ("text",),
}
"""Fields that hold texts, or parts with texts, by type. In other types, only `name` is a text."""


def _replace_texts(part: Any, replace: Callable[[str], str]) -> Any:
    """Return a part of a scene with `replace` applied to its texts; the same object if none change."""
    if isinstance(part, str):
        return replace(part)
    if not isinstance(part, Model):
        changed = tuple(_replace_texts(item, replace) for item in part)
        return part if all(new is old for new, old in zip(changed, part, strict=True)) else changed
    fields = {field: getattr(part, field) for field in TEXTS.get(type(part), ("name",))}
    changes = {field: new for field, old in fields.items() if (new := _replace_texts(old, replace)) is not old}
    if isinstance(part, UnitBase) and changes and _foreign_word_runs(part.short):
        changes["short"] = changes["name"]
    return part.model_copy(update=changes) if changes else part
