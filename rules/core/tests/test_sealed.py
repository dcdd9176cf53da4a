"""Verifiable dice: each throw follows from the seed and its message, and is fair."""

import hashlib
import hmac
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.core.refusal import Refused
from rules.core.sealed_dice import SealedDice, clean_label, compute_faces, seal

SEED = bytes(range(32))


def test_a_throw_is_the_hmac_of_its_message() -> None:
    throw = SealedDice(SEED, "game", 99, 7).throw(2, 6, "Black Watch fire")
    digest = hmac.digest(SEED, b"v1|game|7|99|Black Watch fire", "sha256")
    fair = [byte % 6 + 1 for byte in digest if byte < 252]
    assert throw.dice == tuple(fair[:2])
    assert throw.number == 7


def test_the_seal_is_sha_256() -> None:
    assert seal(SEED) == hashlib.sha256(SEED).hexdigest()


def test_throw_of_many_dice_uses_further_blocks() -> None:
    dice = compute_faces(SEED, "message", 100, 6)
    blocks = b"".join(
        hmac.digest(SEED, text, "sha256") for text in (b"message", b"message|1", b"message|2", b"message|3")
    )
    assert dice == tuple(byte % 6 + 1 for byte in blocks if byte < 252)[:100]


@given(st.integers(1, 60), st.integers(1, 1000), st.text(max_size=20))
def test_every_die_shows_one_of_its_faces(count: int, sides: int, message: str) -> None:
    dice = compute_faces(SEED, message, count, sides)
    assert len(dice) == count
    assert all(1 <= die <= sides for die in dice)


@pytest.mark.parametrize("sides", [6, 10, 100, 1000])
def test_no_face_is_favoured(sides: int) -> None:
    count = Counter(compute_faces(SEED, "fair", 50 * sides, sides))
    spread = sum((count[face] - 50) ** 2 / 50 for face in range(1, sides + 1))
    assert spread < sides + 5 * (2 * sides) ** 0.5


def test_numbers_increase_and_interactions_throw_differently() -> None:
    dice = SealedDice(SEED, "game", 1, 1)
    assert [dice.throw(1, 6, "a").number for _ in range(3)] == [1, 2, 3]
    other_dice = SealedDice(SEED, "game", 2, 1)
    assert [SealedDice(SEED, "game", 1, 1).throw(20, 6, "a").dice] != [other_dice.throw(20, 6, "a").dice]


@pytest.mark.parametrize(("count", "sides"), [(0, 6), (1, 0), (-1, 6)])
def test_no_dice_and_no_sides_are_refused(count: int, sides: int) -> None:
    with pytest.raises(ValueError, match="cannot throw"):
        SealedDice(SEED, "game", 1, 1).throw(count, sides, "none")


@given(st.text())
def test_a_label_is_one_short_line_without_bars(text: str) -> None:
    label = clean_label(text)
    assert len(label) <= 80
    assert "|" not in label
    assert clean_label(label) == label
    assert label.isprintable()


@given(st.text(max_size=40), st.integers(1, 9), st.integers(2, 300))
def test_a_kept_throw_follows_from_its_seed_alone(label: str, count: int, sides: int) -> None:
    dice = SealedDice(SEED, "game", 5, 1)
    throw = dice.throw(count, sides, label)
    (sealed_throw,) = dice.thrown
    assert sealed_throw.follows_from(SEED)
    assert not sealed_throw.follows_from(bytes(32))
    other_throw = throw.model_copy(update={"dice": tuple(die % sides + 1 for die in throw.dice)})
    assert not sealed_throw.model_copy(update={"throw": other_throw}).follows_from(SEED)


def test_1000_dice_are_the_most_at_once() -> None:
    assert len(SealedDice(SEED, "game", 1, 1).throw(1000, 6, "many").dice) == 1000
    with pytest.raises(Refused, match=r"^That takes 1,001 dice at once, and the limit is 1,000\. Ask for fewer\.$"):
        SealedDice(SEED, "game", 1, 1).throw(1001, 6, "too many")


def test_a_hidden_throw_follows_from_a_seed_of_its_own() -> None:
    hidden = bytes(reversed(SEED))
    dice = SealedDice(SEED, "game", 5, 1, hidden=(hidden, "game, hidden"))
    open_throw, hidden_throw = dice.throw(9, 6, "seen"), dice.throw(9, 6, "unseen", hidden=True)
    assert open_throw.dice == compute_faces(SEED, "v1|game|1|5|seen", 9, 6)
    assert hidden_throw.dice == compute_faces(hidden, "v1|game, hidden|umpire-h1|5|unseen", 9, 6)
    assert [throw.seal for throw in dice.thrown] == [seal(SEED), seal(hidden)]
    alone = SealedDice(SEED, "game", 5, 1)
    assert alone.throw(9, 6, "unseen", side="red", hidden=True).name == "red-h1"
    assert alone.thrown[0].follows_from(SEED)
