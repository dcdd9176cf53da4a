"""Find the line of each value in a valid TOML or JSON text."""

import tomllib
from collections.abc import Mapping, MutableMapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from lark import Lark, Token, Tree
from lark.exceptions import LarkError

from .model import Path

Lines = Mapping[Path, int]
"""Line numbers (from 1) of values by path, such as `("units", 3, "at")`."""


def line_numbers_by_path(text: str) -> Lines:
    """Return the line number of each value in a text; empty if the syntax is not supported."""
    numbers: dict[Path, int] = {}
    try:
        _DocumentWalk(numbers).visit_document(_load_parser().parse(text))
    except (LarkError, RecursionError, tomllib.TOMLDecodeError):
        return {}
    return numbers


def find_line_number(lines: Lines, path: Path) -> int | None:
    """Return the line number of `path`, or else of its nearest parent that has one, or None."""
    for length in range(len(path), 0, -1):
        if path[:length] in lines:
            return lines[path[:length]]
    return None


@cache
def _load_parser() -> Lark:
    grammar = (files("rules.core") / "data" / "located.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", propagate_positions=True)


class _DocumentWalk:
    """A walk through a parsed document that records in `numbers` the line on which each value begins."""

    def __init__(self, numbers: MutableMapping[Path, int]) -> None:
        self._numbers = numbers
        self._tables: dict[Path, int] = {}

    def visit_document(self, tree: Tree[Token]) -> None:
        path: Path = ()
        for part in tree.children:
            assert isinstance(part, Tree)
            if part.data == "inline":
                self._visit_value(part, ())
            elif part.data == "pair":
                self._visit_pair(part, path)
            else:
                path = self._visit_header(part)

    def _visit_header(self, part: Tree[Token]) -> Path:
        """Record a table's header and return its path. In an array of tables, the path ends with an index."""
        key = _names_in_key(part.children[0])
        path: Path = ()
        for name in key[:-1]:
            path = self._path_of_last_table((*path, name))
        path = (*path, key[-1])
        if part.data == "tables":
            self._numbers.setdefault(path, part.meta.line)
            self._tables[path] = self._tables.get(path, -1) + 1
            path = self._path_of_last_table(path)
        self._numbers.setdefault(path, part.meta.line)
        return path

    def _path_of_last_table(self, path: Path) -> Path:
        return (*path, self._tables[path]) if path in self._tables else path

    def _visit_pair(self, part: Tree[Token], parent: Path) -> None:
        key, value = part.children
        path = (*parent, *_names_in_key(key))
        self._numbers.setdefault(path, part.meta.line)
        if isinstance(value, Tree):
            self._visit_value(value, path)

    def _visit_value(self, value: Tree[Token], parent: Path) -> None:
        for index, part in enumerate(value.children):
            if value.data == "inline":
                assert isinstance(part, Tree)
                self._visit_pair(part, parent)
                continue
            path = (*parent, index)
            self._numbers[path] = part.meta.line if isinstance(part, Tree) else part.line or 0
            if isinstance(part, Tree):
                self._visit_value(part, path)


def _names_in_key(part: Any) -> tuple[str, ...]:
    words: Sequence[Token] = part.children
    return tuple(name for word in words for name in _names_in_key_part(str(word)))


def _names_in_key_part(word: str) -> tuple[str, ...]:
    """Return the names in a part of a key, without quotes. The part `a.b` has two names."""
    if word.startswith('"'):
        return (str(tomllib.loads(f"name = {word}")["name"]),)
    if word.startswith("'"):
        return (word[1:-1],)
    return tuple(word.split("."))
