"""N1, N2, N3, N4, N6: what to look after in a memory. They tell and never refuse; no gate asks them."""

from __future__ import annotations

import re
from collections import Counter
from datetime import date
from itertools import combinations
from typing import TYPE_CHECKING

from wbmem_git.model import Finding
from wbmem_git.rules.wording import command, quote
from wbmem_git.store.entries import shared_with
from wbmem_git.store.links import gone, held_cues, held_tags, newest_place, often_named, paths
from wbmem_git.text.dates import is_date
from wbmem_git.text.folding import fold
from wbmem_git.text.mentions import Titles, ids_in
from wbmem_git.text.names import is_ledger
from wbmem_git.text.tags import says_nothing
from wbmem_git.verbs.lint.present import WHOLE_ID, day_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from wbmem_git.model import Severity
    from wbmem_git.store.links import Held, Named, Text
    from wbmem_git.verbs.lint.present import Present

OFTEN = 3
RARE = 4
RELATED = 2
MOST = 20
"""How many findings N3 and N4 have at most: the strongest ones."""
WIDEST = 200
"""A tag or cue that more entries have leads to none of them."""
TOLD = 4
"""How many things in common are told."""
ALWAYS_READ = frozenset({"pinned", "user"})
CAN_BE_EDITED = frozenset({"card", "memory", "board", "memory page"})
_SHORT = len("mem_") + 8
_OID = 12
_PASSING = re.compile(r"mem_[0-9a-f]*|(?=[a-f]*[0-9])[0-9a-f]{7,64}|session:.*|\.[^/]*|.{0,2}", re.DOTALL)
_ANYWHERE = frozenset(
    {"head", "main", "master", "origin", "true", "false", "null", "none", "nil", "self", "this"}
)
"""Code that is part of any work."""


def n1(present: Present) -> Iterator[Finding]:
    """Something leads to each open card and long-term entry that has been there for a while.

    A reference is its id (whole, or its first 8 hex digits or more where no other id begins so; in prose,
    in a link such as `PLAN.md#mem_…`, in another card's `supersedes`) or its title, in the text of another
    card or entry, of a ledger, of a log or of the archive. Titles are compared as whole words, folded by
    case and width, whatever stands between the words. The ids and titles count that it had before it was
    renamed, and those of what it superseded: ledgers and logs aren't edited.

    A long-term entry is a standing fact, which is seldom referred to. It is enough that it shares a tag or a
    cue with anything else, a bullet of a ledger too: then `wbmem expand` leads to it from there. A `type:`
    tag leads nowhere, and neither does what more than 200 entries have.

    Exempt: cards and entries that have been there for no more than `lint.stale_days`, by their `date:` and by
    the commit that brought them; cards in a column of `columns.done`; what isn't `current`; `PINNED.md` and
    `USER.md`, which are read anyway.

    Why: what no ledger and no other card leads to isn't found again by whoever goes on from them.

    How to mend: name it where it belongs, for example `[title](PLAN.md#mem_…)` in a card that it is part
    of. A card that is done: close it, `wbmem archive`. An entry that holds: give it a tag or name a path that
    the work it is about has too (`tags: area:login`); one that holds no longer is archived.
    """
    days = present.settings.stale_days
    old = [
        text
        for text in present.subjects
        if present.is_open(text) and text.layer not in ALWAYS_READ and present.there_days(text) > days
    ]
    for text in present.unnamed(old):
        if text.kind == "card":
            fix = f"name it in a card that it belongs to ({_link(text)}), or {_archive(text)}"
            yield _about("N1", "note", text, f"nothing refers to {quote(text.title)}", fix)
        elif not _is_led_to(present, text):
            yield _lonely_entry(text)


def n2(present: Present) -> Iterator[Finding]:
    """A board holds what is going on now, and nothing is current after its day.

    Found are cards of a board that are `superseded` or `retracted`; current cards outside the columns of
    `columns.done` whose `date:` (without one: the day of the last commit that changed the card) is more
    than `lint.stale_days` ago; and any current card or entry whose `expiry` has passed. A long-term entry
    doesn't grow stale by its age alone.

    Why: a board is read first, and believed.

    How to mend: bring the card up to date and give it today's `date:`; or close it, `wbmem archive`.
    """
    for text in present.subjects:
        if text.kind == "card" and text.status in {"superseded", "retracted"}:
            message = f"{quote(text.title)} is {text.status} and still on the board"
            yield _about("N2", "soft", text, message, _archive(text, text.status))
        elif text.status == "current" and is_date(text.expiry) and _day(text.expiry) < present.today:
            message = f"{quote(text.title)} expired on {text.expiry[:10]} and is current"
            yield _about(
                "N2", "soft", text, message, f"give it another `expiry:`, or {_archive(text, 'expired')}"
            )
        elif text.kind == "card" and present.is_open(text):
            age = present.age_days(text)
            if age > present.settings.stale_days:
                message = f"{quote(text.title)} is current and {age} days old ({day_of(text)})"
                fix = f"bring it up to date with today's `date:`, or {_archive(text)}"
                yield _about("N2", "soft", text, message, fix)


def n3(present: Present) -> Iterator[Finding]:
    """What is spoken of again and again has a card or an entry.

    Counted are cues (paths, names of code, URLs, issue numbers …) and topics: each ledger once, each log
    once, each card once; found is what 3 or more of them name. Something has a card where a card, an entry
    or an archived card has it in its title (as whole words), as a tag, or as a topic. Ids, commits, sessions,
    names behind a dot (`.map`), command lines, labels (`Next`), what is part of any work (`HEAD`, `null`) and
    the memory's own pages don't count. The 20 named most often are told.

    Why: what every session speaks of and no card holds is put together anew by each of them.

    How to mend: tag the card that it belongs to (`tags: topic:login`); or `wbmem new card`, or
    `wbmem new entry` for what stays true.
    """
    often = [named for named in often_named(present.db, OFTEN) if _is_a_name(named.term)]
    own = {fold(path) for path in paths(present.db)}
    held = _held_terms(present, often)
    found = [one for one in often if one.term not in held | own and not is_ledger(one.term)]
    for named in found[:MOST]:
        place = newest_place(present.db, named.term)
        message = f"{quote(place.written)} is named {_counted(named)}, and no card or entry is about it"
        end_of_options = ("--",) if place.written.startswith("-") else ()
        new = command("wbmem", "new", "card", *end_of_options, place.written)
        ways = (new, "tag the card that it belongs to (`tags:` in its metadata: wbmem explain N3)")
        fix = ", or ".join(reversed(ways) if named.cards else ways)
        yield Finding("N3", "note", place.path, place.line, message, fix, key=named.term)


def n4(present: Present) -> Iterator[Finding]:
    """Of two cards or entries that are about the same, one names the other.

    Related are two current ones, outside `columns.done`, with a tag or two cues in common that no more than
    4 cards and entries have (nor more than half of them all); a `type:` tag relates nothing. One names the
    other as for N1. The 20 pairs with most in common are told.

    Why: who finds one of them should find the other.

    How to mend: put a link into one of them, `[title](PLAN.md#mem_…)`; where they say the same, close one,
    `wbmem archive --superseded-by`.
    """
    told = 0
    for one, two, shared in _related(present):
        if told == MOST:
            return
        if present.names(one, two) or present.names(two, one):
            continue
        told += 1
        more = f" and {len(shared) - TOLD} more" if len(shared) > TOLD else ""
        common = ", ".join(quote(term) for term in shared[:TOLD]) + more
        where = f"{quote(two.title)} ({two.path}:{two.line})"
        message = f"{quote(one.title)} and {where} share {common}, and neither names the other"
        yield _about("N4", "note", one, message, f"name one in the other: {_link(two)}")._replace(key=two.id)


def n6(present: Present) -> Iterator[Finding]:
    """An id that a text names is the id of something.

    Looked for in every page: `mem_…` in prose, in links (`PLAN.md#mem_…`), in metadata (`supersedes`), whole
    or its first 8 hex digits or more. Known is what is on a page or in the archive; the beginning of an id
    is known where just one begins so. In ledgers, logs and archive files, which aren't edited, it is only a
    note.

    Why: the reference is all that is left of what somebody wanted found.

    How to mend: write the id that is meant (`wbmem status` lists them); what went past the gate comes into
    the archive by `wbmem archive --missing`.
    """
    first: dict[tuple[str, str], tuple[int, Text]] = {}
    for text in present.texts:
        for found in ids_in(text.text):
            line = text.line + found.below
            if (text.path, found.id) not in first or line < first[text.path, found.id][0]:
                first[text.path, found.id] = (line, text)
    for (path, name), (line, text) in sorted(first.items(), key=lambda item: (item[0][0], item[1][0])):
        meant = present.meant(name)
        if len(meant) != 1:
            severity: Severity = "soft" if text.kind in CAN_BE_EDITED else "note"
            message, fix = _unknown(present, name, len(meant))
            card, title = (text.id, text.title) if text.kind in {"card", "memory"} else ("", "")
            yield Finding("N6", severity, path, line, message, fix, card=card, title=title, key=name)


# --- N1 -------------------------------------------------------------------------------------------------


def _lonely_entry(text: Text) -> Finding:
    message = f"nothing refers to {quote(text.title)}, and it shares no tag or cue with anything"
    needed = f"name it in a card or entry that needs it ({_link(text)})"
    gone = _archive(text, "no longer holds")
    fix = f"give it a tag of what it is about, or {needed}; where it holds no longer, {gone}"
    return _about("N1", "note", text, message, fix)


def _is_led_to(present: Present, text: Text) -> bool:
    """Whether a tag or cue that it shares leads there from something else."""
    shared = shared_with(present.db, [text.number], WIDEST)
    return any(one.entries for one in shared if not one.name.casefold().startswith("type:"))


# --- N3 -------------------------------------------------------------------------------------------------


def _is_a_name(term: str) -> bool:
    """Whether a card could be about it."""
    return not (_PASSING.fullmatch(term) or term in _ANYWHERE or says_nothing(term.removesuffix("()")))


def _held_terms(present: Present, often: Iterable[Named]) -> set[str]:
    """Those terms that a card, an entry or an archived card is about."""
    held = {held.term for held in held_tags(present.db)}
    held |= {term.partition(":")[2] for term in held}
    titles = Titles((named.term for named in often), fold)
    for text in present.texts:
        if text.kind in {"card", "memory", "archive"}:
            held |= titles.named_in(text.title)
    return held


def _counted(named: Named) -> str:
    counts = ((named.ledgers, "ledger"), (named.logs, "log"), (named.cards, "card"))
    parts = [f"in {number} {what}{'s' * (number > 1)}" for number, what in counts if number]
    return " and ".join((", ".join(parts[:-1]), parts[-1])) if len(parts) > 1 else parts[0]


# --- N4 -------------------------------------------------------------------------------------------------


def _related(present: Present) -> list[tuple[Text, Text, list[str]]]:
    """Pairs that share enough, those with most in common first.

    No term counts that more than `RARE` have, so there are at most six pairs to each, however many entries.
    """
    weights: Counter[tuple[Text, Text]] = Counter()
    shared: dict[tuple[Text, Text], list[str]] = {}
    tags = (held for held in held_tags(present.db) if not held.term.startswith("type:"))
    for weight, held in ((RELATED, tags), (1, held_cues(present.db))):
        for holders in _rare(present, held):
            written = min(written for _, written in holders)
            for pair in combinations(sorted((text for text, _ in holders), key=_place), 2):
                weights[pair] += weight
                shared.setdefault(pair, []).append(written)
    pairs = [(*pair, sorted(shared[pair])) for pair, weight in weights.items() if weight >= RELATED]
    return sorted(pairs, key=lambda pair: (-len(pair[2]), _place(pair[0]), _place(pair[1])))


def _rare(present: Present, held: Iterable[Held]) -> Iterator[list[tuple[Text, str]]]:
    """Who has a term, and how it is written there, for each that several have and not too many."""
    holders: dict[str, list[tuple[Text, str]]] = {}
    for one in held:
        text = present.by_number.get(one.entry)
        if text is not None and present.is_open(text):
            holders.setdefault(one.term, []).append((text, one.written))
    most = min(RARE, max(2, len(present.subjects) // 2))
    return (found for found in holders.values() if 2 <= len(found) <= most)


def _place(text: Text) -> tuple[str, int]:
    return text.path, text.line


# --- N6 -------------------------------------------------------------------------------------------------


def _unknown(present: Present, name: str, meant: int) -> tuple[str, str]:
    """What is wrong with an id that means nothing, or too much, and what to do."""
    if meant:
        return f"{meant} ids begin with {name}", "write the whole id: wbmem status lists them"
    commit, path = gone(present.db, name)
    if commit:
        return f"{name} is gone from {path} since commit {commit[:_OID]}", command(
            "wbmem", "archive", "--missing", "--reason", "gone"
        )
    near = present.meant(name[:_SHORT]) if len(name) == WHOLE_ID else ()
    fix = f"is {near[0]} meant?" if len(near) == 1 else "write the id that is meant: wbmem status lists them"
    return f"{name} is the id of nothing here", fix


# --- all ------------------------------------------------------------------------------------------------


def _about(rule: str, severity: Severity, text: Text, message: str, fix: str) -> Finding:
    return Finding(rule, severity, text.path, text.line, message, fix, card=text.id, title=text.title)


def _link(text: Text) -> str:
    return f"[…]({text.path}#{text.id})"


def _archive(text: Text, reason: str = "done") -> str:
    return command("wbmem", "archive", text.id[:_SHORT], "--reason", reason)


def _day(text: str) -> date:
    return date.fromisoformat(text[:10])
