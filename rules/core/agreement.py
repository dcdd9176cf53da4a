"""Verbs and pronouns that agree with a unit's name: units are many, a leader is one."""

from collections.abc import Mapping
from enum import StrEnum
from functools import lru_cache


class NounForm(StrEnum):
    """Grammatical number and gender of a unit's name: `Amarar fire`, `Osman Digna fires`, `Nordenfelt jams`."""

    MANY = "they"
    MAN = "he"
    THING = "it"


PRONOUNS: Mapping[NounForm, Mapping[str, str]] = {
    NounForm.MANY: {},
    NounForm.MAN: {"they": "he", "them": "him", "their": "his", "themselves": "himself"},
    NounForm.THING: {"they": "it", "them": "it", "their": "its", "themselves": "itself"},
}
IRREGULAR = {"are": "is", "were": "was", "have": "has"}
UNCHANGED = {"may", "must", "can", "cannot", "could", "would", "will", "had"}
"""Verbs with one form for singular and plural, in addition to past tenses."""
SIBILANTS = ("s", "sh", "ch", "x", "z", "o")


@lru_cache(maxsize=1 << 12)
def inflect_words(name: str, noun: NounForm, words: str) -> str:
    """Return the plural phrase `words` with the subject `name` and a verb that agrees: `Osman Digna fires at`.

    If `words` begins with a pronoun, no name is added: `they stand` becomes `he stands`.
    """
    first, _, rest = words.partition(" ")
    if first.lower() not in PRONOUNS[NounForm.MAN]:
        return f"{name} {_inflect_verb(first, noun)}{words[len(first) :]}"
    pronoun = PRONOUNS[noun].get(first.lower(), first.lower())
    subject = pronoun.capitalize() if first[0].isupper() else pronoun
    if not rest:
        return subject
    verb = rest.split(" ", 1)[0]
    return f"{subject} {_inflect_verb(verb, noun)}{rest[len(verb) :]}"


def with_article(name: str, noun: NounForm) -> str:
    """Return a unit's name for use inside a sentence, with `the` if needed: `the Amarar`.

    A single man or thing, a genitive (`Gordon's Horse`) and a lettered company (`E Company 24th`) take no article.
    """
    first = name.partition(" ")[0]
    bare = noun is not NounForm.MANY or len(first) == 1 or first.casefold() in ("the", "a", "an")
    return name if bare or first.endswith(("'s", "’s")) else f"the {name}"


def _inflect_verb(plural: str, noun: NounForm) -> str:
    """Return a plural verb in the form for `noun`: `fire` or `fires`, `try` or `tries`, `are` or `is`."""
    if noun is NounForm.MANY or plural in UNCHANGED:
        return plural
    if plural in IRREGULAR:
        return IRREGULAR[plural]
    if plural.endswith("y") and plural[-2:-1] not in "aeiou":
        return f"{plural[:-1]}ies"
    return f"{plural}es" if plural.endswith(SIBILANTS) else f"{plural}s"
