"""The faults that are tried: another operator, comparison or number, or a statement left out.

Strings, annotations and decorators are left alone, and so is what only states that something is so (`assert`), or that
a method is for others to write (`raise NotImplementedError`). Whether a bound itself counts is left alone where CLOSE
is allowed for: fractions are not exact, and nothing lies just on it.
"""

import ast
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

OPERATORS: dict[type[ast.AST], tuple[type[ast.AST], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.And: (ast.Or,),
    ast.Or: (ast.And,),
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Div,),
    ast.Div: (ast.Mult,),
    ast.FloorDiv: (ast.Mult,),
    ast.Mod: (ast.Mult,),
    ast.BitOr: (ast.BitAnd,),
    ast.BitAnd: (ast.BitOr,),
}
BOUNDS = ({ast.Lt, ast.LtE}, {ast.Gt, ast.GtE})
"""Comparisons that differ in the bound alone."""
TOLERANCE = r"\bCLOSE\b"
LEFT_OUT = (ast.Expr, ast.Assign, ast.AugAssign, ast.Return, ast.Raise, ast.Continue, ast.Break)
"""Statements of a function that may be left out."""
ALONE = (ast.JoinedStr, ast.Assert, ast.Import, ast.ImportFrom)
SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


@dataclass(frozen=True)
class Fault:
    """A piece of a file's text (lines from 1, columns in bytes from 0) and what stands there instead."""

    file: str
    """Below the tree, as `rules/magdala/turn.py`."""
    start: tuple[int, int]
    end: tuple[int, int]
    line: str
    """The line it begins in."""
    was: str
    now: str
    functions: tuple[int, ...]
    """The first lines of the functions that it is in, the innermost first."""

    def __str__(self) -> str:
        return f"{self.file}:{self.start[0]}: {self.line}\n    {self.was}  ->  {self.now}"

    @property
    def package(self) -> str:
        """The folder whose tests it must fall to, as `rules/magdala`."""
        return "/".join(self.file.split("/")[:2])

    def put_into(self, text: bytes) -> bytes:
        """The file's text with the fault in it."""
        lines = text.splitlines(keepends=True)
        begin, finish = (sum(map(len, lines[: line - 1])) + column for line, column in (self.start, self.end))
        return text[:begin] + self.now.encode() + text[finish:]


def faults(tree: Path, file: str) -> Iterator[list[Fault]]:
    """For each place of a file that may be faulty, what may stand there instead."""
    text = (tree / file).read_bytes()
    module, lines = ast.parse(text), text.decode().splitlines()
    ends = {id(end) for node in ast.walk(module) if isinstance(node, ast.FunctionDef) for end in _last(node.body)}
    for node, functions in _walk(module, ()):
        if isinstance(node, ast.expr):
            now = [f"({ast.unparse(changed)})" for changed in _changed(node)]
        elif isinstance(node, LEFT_OUT) and functions and not _changes_nothing(node, id(node) in ends):
            now = ["pass"]
        else:
            continue
        start, end = (node.lineno, node.col_offset), (node.end_lineno or 0, node.end_col_offset or 0)
        line, was = lines[node.lineno - 1].strip(), ast.unparse(node)
        if now:
            yield [Fault(file, start, end, line, was, new, functions) for new in now]


def drawn(tree: Path, files: list[str], chance: random.Random) -> list[Fault]:
    """One fault for every place of the files, in random order."""
    places = [place for file in files for place in faults(tree, file)]
    chance.shuffle(places)
    return [chance.choice(place) for place in places]


def _walk(node: ast.AST, functions: tuple[int, ...]) -> Iterator[tuple[ast.AST, tuple[int, ...]]]:
    """Everything below a node, but annotations, decorators and what is left alone; each with the functions it is in."""
    functions = functions[1:] if isinstance(node, ast.arguments) else functions  # defaults are of what is around it
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST) or isinstance(child, ALONE):
                continue
            inside = (_first_line(child), *functions) if isinstance(child, SCOPES) else functions
            yield child, functions
            yield from _walk(child, inside)


def _first_line(function: ast.AST) -> int:
    """As Python counts it: a decorator belongs to its function."""
    lines = [one.lineno for one in getattr(function, "decorator_list", ())]
    return min([function.lineno, *lines])  # type: ignore[attr-defined]


def _last(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements after which nothing more of a function is done."""
    match body[-1:]:
        case [ast.If(body=yes, orelse=no)]:
            yield from (*_last(yes), *_last(no))
        case [ast.Try(body=tried, handlers=handlers, orelse=no, finalbody=[])]:
            yield from _last(no or tried)
            for handler in handlers:
                yield from _last(handler.body)
        case [ast.With(body=within)]:
            yield from _last(within)
        case [statement]:
            yield statement


def _changes_nothing(statement: ast.stmt, is_last: bool) -> bool:
    """Whether it is a docstring or `...`, the body of what is for others to write, or a last `return` of nothing."""
    if isinstance(statement, ast.Expr):
        return isinstance(statement.value, ast.Constant)
    if isinstance(statement, ast.Raise):
        return ast.unparse(statement) == "raise NotImplementedError"
    return is_last and ast.unparse(statement) in ("return", "return None")


def _changed(node: ast.expr) -> Iterator[ast.expr]:
    match node:
        case ast.Compare():
            inexact = re.search(TOLERANCE, ast.unparse(node))
            for place, operator in enumerate(node.ops):
                for other in OPERATORS[type(operator)]:
                    if inexact and {type(operator), other} in BOUNDS:
                        continue
                    ops = [*node.ops[:place], other(), *node.ops[place + 1 :]]
                    yield ast.Compare(node.left, ops, node.comparators)
        case ast.BoolOp():
            for other in OPERATORS[type(node.op)]:
                yield ast.BoolOp(other(), node.values)
        case ast.BinOp():
            for other in OPERATORS.get(type(node.op), ()):
                yield ast.BinOp(node.left, other(), node.right)
        case ast.UnaryOp(ast.Not() | ast.USub()):
            yield node.operand
        case ast.Constant(int() | float()) if not isinstance(node.value, bool):
            yield ast.Constant(node.value + 1)
            yield ast.Constant(node.value - 1)
