"""Choose the passages of a rule that answer a question, so that they fill a few short lines."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile

from .book import SENTENCE_END, Passage, Rule
from .chart import Chart
from .rule_tables import Terms, count_lines_of_row, count_lines_with_label, rows_for_question, small_table_in_words

LONGEST_PIECE = 110
"""Length in characters above which a sentence is cut at semicolons, then at commas."""
LEFT_OUT = "…"
NAMED = 0.3
"""Factor of the weight of title terms if the question contains the whole title: every piece is then about the title."""
OPTION = re.compile(r" \(options? [^)]*\)|(?<=\(ruling), options? [^)]*|(?<=\(house), options? [^)]*")
"""Matches the names of options in a text. Excerpts omit them."""
COMMON = 1.0
"""Maximum weight of a term too common to distinguish passages."""
A_LITTLE = 0.01
"""Weight of a common term in a question that has only common terms."""
NUMBER = 0.5
"""Weight of a term that is a number."""
AT_SEMICOLONS = re.compile(r"(?<=;) ")
AT_COMMAS = re.compile(r"(?<=[,:]) ")
SUBJECT = 3
"""How many of a piece's first terms name its subject."""
ABOUT = 1.3
"""Factor of the weight of a piece's first SUBJECT terms."""
REPEATED = 0.1
"""Additional share of a term's weight for each repetition in a piece."""
LATER = 0.015
"""Deduction for each piece before this one in the rule."""
SHORT = 0.1
"""Bonus of a very short piece over a piece of twice LONGEST_PIECE."""


@dataclass(frozen=True)
class Excerpt:
    """Passages of a rule, rows of the rule's tables, and whether the passages are the whole rule."""

    passages: tuple[Passage, ...]
    rows: tuple[Passage, ...]
    is_whole: bool


@dataclass(frozen=True)
class _TextPiece:
    """A sentence or part of a sentence: its span in the text `rule.parts[part]`, its terms and weight."""

    part: int
    start: int
    end: int
    terms: frozenset[str]
    weight: float


def choose_excerpt(
    rule: Rule, charts: Mapping[str, Chart], weights: Mapping[str, float], terms: Terms, *, room: int
) -> Excerpt:
    """Return the passages of a rule that answer a question best, in at most `room` lines.

    `weights` are the weights of the question's terms. If the rule has none of them, return its beginning.
    """
    title = set(terms(rule.title))
    title_terms = title if title <= weights.keys() else set()
    key_terms = _find_distinguishing_terms(weights)
    title_weights = {term: weight * (NAMED if term in title_terms else 1) for term, weight in key_terms.items()}
    pieces = [piece for part in range(len(rule.parts)) for piece in _pieces_of_part(rule, part, title_weights, terms)]
    other_terms = {term: weight for term, weight in key_terms.items() if term not in title_terms}
    rows = rows_for_question(rule, charts, other_terms, terms, least=max(piece.weight for piece in pieces))
    best = max(range(len(pieces)), key=lambda place: pieces[place].weight * (1 - LATER * place))
    start = best if any(term in pieces[best].terms for term in other_terms) else 0
    least = count_lines_with_label(next(_make_passages(rule, pieces, {start})))
    while rows and sum(map(count_lines_of_row, rows)) + least > room:
        rows = rows[:-1]
    text_room = room - sum(map(count_lines_of_row, rows))
    chosen = _choose_pieces(rule, pieces, start, other_terms, text_room)
    passages, is_whole = tuple(_make_passages(rule, pieces, chosen)), len(chosen) == len(pieces)
    if is_whole and not rows:
        rows = small_table_in_words(rule, charts, room=text_room - sum(map(count_lines_with_label, passages)))
    return Excerpt(passages, rows, is_whole)


def _find_distinguishing_terms(weights: Mapping[str, float]) -> Mapping[str, float]:
    """Return the terms that distinguish passages, with weights. If all terms are common, each weighs A_LITTLE."""
    rare_terms = {term: weight - COMMON for term, weight in weights.items() if weight > COMMON}
    numbers = {term: NUMBER for term in weights if term.isdigit()}
    common = {term: A_LITTLE for term in weights if term not in rare_terms and term not in numbers}
    return rare_terms | numbers or (common if len(common) > 1 else {})


def _pieces_of_part(rule: Rule, part: int, weights: Mapping[str, float], terms: Terms) -> Iterator[_TextPiece]:
    text = rule.parts[part][1]
    for start, end in _piece_spans(text):
        piece_terms = terms(text[start:end])
        first_terms = piece_terms[:SUBJECT]
        weight = sum(
            term_weight * (ABOUT if term in first_terms else 1) * (1 + REPEATED * (piece_terms.count(term) - 1))
            for term, term_weight in weights.items()
            if term in piece_terms
        )
        short = SHORT * (1 - min((end - start) / (2 * LONGEST_PIECE), 1))
        yield _TextPiece(part, start, end, frozenset(piece_terms), weight * (1 + short))


def _piece_spans(text: str) -> Iterator[tuple[int, int]]:
    """Yield start and end of each piece: a sentence, or a part of a long sentence."""
    for start, end in _spans_between_matches(text, 0, len(text), SENTENCE_END):
        if end - start <= LONGEST_PIECE:
            yield start, end
            continue
        for first, last in _spans_between_matches(text, start, end, AT_SEMICOLONS):
            yield from [(first, last)] if last - first <= 2 * LONGEST_PIECE else _split_at_commas(text, first, last)


def _split_at_commas(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield parts of about LONGEST_PIECE characters that end with a comma or colon."""
    first = start
    for part_start, last in _spans_between_matches(text, start, end, AT_COMMAS):
        if last - first > LONGEST_PIECE and part_start > first:
            yield first, part_start - 1
            first = part_start
    yield first, end


def _spans_between_matches(text: str, start: int, end: int, gap: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    for match in gap.finditer(text, start, end):
        yield start, match.start()
        start = match.end()
    if start < end:
        yield start, end


def _choose_pieces(
    rule: Rule, pieces: Sequence[_TextPiece], start: int, weights: Mapping[str, float], room: int
) -> set[int]:
    """Return the indexes of the pieces to show in at most `room` lines, including the piece `start`.

    Next come the rest of its sentence, a piece with missing terms, and neighbouring pieces.
    """
    chosen = {start}
    _add_fitting_pieces(rule, pieces, chosen, _pieces_before_in_sentence(rule, pieces, start), room)
    _add_fitting_pieces(rule, pieces, chosen, _pieces_after_in_sentence(rule, pieces, start), room)
    _add_fitting_pieces(rule, pieces, chosen, _best_piece_for_missing_terms(pieces, weights, chosen), room)
    same_part = [place for place, piece in enumerate(pieces) if piece.part == pieces[start].part]
    _add_fitting_pieces(rule, pieces, chosen, [place for place in same_part if place > start], room)
    _add_fitting_pieces(rule, pieces, chosen, [place for place in same_part if place < start][::-1], room)
    _add_fitting_pieces(rule, pieces, chosen, range(max(chosen) + 1, len(pieces)), room)
    _add_fitting_pieces(rule, pieces, chosen, range(start - 1, -1, -1), room)
    return chosen


def _best_piece_for_missing_terms(
    pieces: Sequence[_TextPiece], weights: Mapping[str, float], chosen: Collection[int]
) -> list[int]:
    """Return the index of the piece with most of the terms that `chosen` lacks, in a list; or an empty list."""
    missing = {term for term in weights if not any(term in pieces[place].terms for place in chosen)}
    candidates = [(sum(weights[term] for term in missing & piece.terms), -place) for place, piece in enumerate(pieces)]
    most, place = max(candidates)
    return [-place] if most > 0 else []


def _add_fitting_pieces(
    rule: Rule, pieces: Sequence[_TextPiece], chosen: set[int], places: Sequence[int], room: int
) -> None:
    """Add the pieces at these indexes to `chosen`, in order, until one does not fit in `room` lines."""
    for place in places:
        if place in chosen:
            continue
        if sum(map(count_lines_with_label, _make_passages(rule, pieces, chosen | {place}))) > room:
            return
        chosen.add(place)


def _pieces_before_in_sentence(rule: Rule, pieces: Sequence[_TextPiece], start: int) -> list[int]:
    places, place = [], start
    while not _begins_sentence(rule, pieces[place]):
        place -= 1
        places.append(place)
    return places


def _pieces_after_in_sentence(rule: Rule, pieces: Sequence[_TextPiece], start: int) -> list[int]:
    part, later_places = pieces[start].part, range(start + 1, len(pieces))
    return [
        *takewhile(lambda place: pieces[place].part == part and not _begins_sentence(rule, pieces[place]), later_places)
    ]


def _begins_sentence(rule: Rule, piece: _TextPiece) -> bool:
    text = rule.parts[piece.part][1]
    return piece.start == 0 or text[: piece.start].rstrip(" \n")[-1] in ".!?”"


def _make_passages(rule: Rule, pieces: Sequence[_TextPiece], chosen: Collection[int]) -> Iterator[Passage]:
    """Yield a passage for each part of the rule, with dots in place of omitted pieces."""
    for part, (mark, _) in enumerate(rule.parts):
        runs: list[list[int]] = []
        for place in sorted(place for place in chosen if pieces[place].part == part):
            if runs and place == runs[-1][-1] + 1:
                runs[-1].append(place)
            else:
                runs.append([place])
        if runs:
            text = f" {LEFT_OUT} ".join(_text_of_pieces(rule, pieces[run[0]], pieces[run[-1]]) for run in runs)
            before = "" if _begins_sentence(rule, pieces[runs[0][0]]) else f"{LEFT_OUT} "
            last = pieces[runs[-1][-1]]
            after = f" {LEFT_OUT}" if rule.parts[part][1][last.end - 1] in ",;:" else ""
            yield Passage(text=f"{before}{text}{after}", mark=mark)


def _text_of_pieces(rule: Rule, first: _TextPiece, last: _TextPiece) -> str:
    """Return the text from the piece `first` to the piece `last`, without the names of options."""
    words = OPTION.sub("", rule.parts[first.part][1][first.start : last.end])
    return " ".join(words.rstrip(",;:").split())
