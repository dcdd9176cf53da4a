"""Faults for mutation testing: another operator, comparison or number, or a statement left out.

Strings, annotations, decorators, `assert` and `raise NotImplementedError` are not changed. In a comparison with CLOSE,
`<` does not become `<=`, nor `>` become `>=`: inexact fractions never lie exactly on the bound.
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
"""Comparisons that differ only at the bound."""
TOLERANCE = r"\bCLOSE\b"
REMOVABLE = (ast.Expr, ast.Assign, ast.AugAssign, ast.Return, ast.Raise, ast.Continue, ast.Break)
"""Types of statements that a fault may remove from a function."""
UNCHANGED = (ast.JoinedStr, ast.Assert, ast.Import, ast.ImportFrom)
SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


@dataclass(frozen=True)
class Fault:
    """A fault: a piece of a file's text and its replacement. Lines count from 1, columns from 0 in bytes."""

    file: str
    """Path below the tree, such as `rules/magdala/turn.py`."""
    start: tuple[int, int]
    end: tuple[int, int]
    line: str
    """Text of the line in which the piece begins."""
    was: str
    now: str
    functions: tuple[int, ...]
    """First lines of the surrounding functions, innermost first."""

    def __str__(self) -> str:
        return f"{self.file}:{self.start[0]}: {self.line}\n    {self.was}  ->  {self.now}"

    @property
    def package(self) -> str:
        """Folder whose tests must notice the fault, such as `rules/magdala`."""
        return "/".join(self.file.split("/")[:2])

    def insert(self, text: bytes) -> bytes:
        """Return the file's text with the fault."""
        lines = text.splitlines(keepends=True)
        begin, finish = (sum(map(len, lines[: line - 1])) + column for line, column in (self.start, self.end))
        return text[:begin] + self.now.encode() + text[finish:]


def find_faults(tree: Path, file: str) -> Iterator[list[Fault]]:
    """Yield for each place of a file its possible faults."""
    text = (tree / file).read_bytes()
    module, lines = ast.parse(text), text.decode().splitlines()
    ends = {
        id(end)
        for node in ast.walk(module)
        if isinstance(node, ast.FunctionDef)
        for end in _find_final_statements(node.body)
    }
    for node, functions in _walk(module, ()):
        if isinstance(node, ast.expr):
            now = [f"({ast.unparse(changed)})" for changed in _alter(node)]
        elif isinstance(node, REMOVABLE) and functions and not _has_no_effect(node, id(node) in ends):
            now = ["pass"]
        else:
            continue
        start, end = (node.lineno, node.col_offset), (node.end_lineno or 0, node.end_col_offset or 0)
        line, was = lines[node.lineno - 1].strip(), ast.unparse(node)
        if now:
            yield [Fault(file, start, end, line, was, new, functions) for new in now]


def draw_faults(tree: Path, files: list[str], chance: random.Random) -> list[Fault]:
    """Return one random fault for each place of the files, in random order."""
    places = [place for file in files for place in find_faults(tree, file)]
    chance.shuffle(places)
    return [chance.choice(place) for place in places]


def _walk(node: ast.AST, functions: tuple[int, ...]) -> Iterator[tuple[ast.AST, tuple[int, ...]]]:
    """Yield nodes below `node` with their surrounding functions. Skip annotations, decorators and unchanged types."""
    functions = (
        functions[1:] if isinstance(node, ast.arguments) else functions
    )  # defaults belong to the surrounding scope
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST) or isinstance(child, UNCHANGED):
                continue
            inside = (_first_line(child), *functions) if isinstance(child, SCOPES) else functions
            yield child, functions
            yield from _walk(child, inside)


def _first_line(function: ast.AST) -> int:
    """Return a function's first line. As in Python, decorators belong to the function."""
    lines = [decorator.lineno for decorator in getattr(function, "decorator_list", ())]
    return min([function.lineno, *lines])  # type: ignore[attr-defined]


def _find_final_statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the statements after which a function ends."""
    match body[-1:]:
        case [ast.If(body=yes, orelse=no)]:
            yield from (*_find_final_statements(yes), *_find_final_statements(no))
        case [ast.Try(body=tried, handlers=handlers, orelse=no, finalbody=[])]:
            yield from _find_final_statements(no or tried)
            for handler in handlers:
                yield from _find_final_statements(handler.body)
        case [ast.With(body=within)]:
            yield from _find_final_statements(within)
        case [statement]:
            yield statement


def _has_no_effect(statement: ast.stmt, is_last: bool) -> bool:
    """Whether removal has no effect: a docstring, `...`, the body of an abstract method, or a final empty `return`."""
    if isinstance(statement, ast.Expr):
        return isinstance(statement.value, ast.Constant)
    if isinstance(statement, ast.Raise):
        return ast.unparse(statement) == "raise NotImplementedError"
    return is_last and ast.unparse(statement) in ("return", "return None")


def _alter(node: ast.expr) -> Iterator[ast.expr]:
    match node:
        case ast.Compare():
            inexact = re.search(TOLERANCE, ast.unparse(node))
            for place, operator in enumerate(node.ops):
                for replacement in OPERATORS[type(operator)]:
                    if inexact and {type(operator), replacement} in BOUNDS:
                        continue
                    ops = [*node.ops[:place], replacement(), *node.ops[place + 1 :]]
                    yield ast.Compare(node.left, ops, node.comparators)
        case ast.BoolOp():
            for replacement in OPERATORS[type(node.op)]:
                yield ast.BoolOp(replacement(), node.values)
        case ast.BinOp():
            for replacement in OPERATORS.get(type(node.op), ()):
                yield ast.BinOp(node.left, replacement(), node.right)
        case ast.UnaryOp(ast.Not() | ast.USub()):
            yield node.operand
        case ast.Constant(int() | float()) if not isinstance(node.value, bool):
            yield ast.Constant(node.value + 1)
            yield ast.Constant(node.value - 1)
