"""Commits of the past, judged one after the other, and what later ones mended (CONTRACTS §1, "Audit").

A finding of an old commit is *mended* in a later tree when the step from that commit's parents straight to
this tree no longer has it: one definition, and the rules themselves decide. Findings that compare old and new
are closed for good by the first commit after them that mends them; what breaks the same thing again has a
finding of its own. The others are looked at in the last tree alone.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from wbmem_git.rules.fingerprint import fingerprint
from wbmem_git.rules.scope import differing
from wbmem_git.text.ids import card_id
from wbmem_git.text.names import SETTINGS, archive_path, archived_id, is_ledger, ledger_order
from wbmem_git.verbs.actor import of_commit
from wbmem_git.verbs.gate import NOTHING, Gate
from wbmem_git.verbs.governing import Governing, Side
from wbmem_git.verbs.origins import Origins
from wbmem_git.verbs.past.harmless import harmless
from wbmem_git.verbs.rekeys import followed
from wbmem_git.verbs.touch import leaves_alone, may_mend, restored_whole, touched_by_person

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Sequence
    from collections.abc import Set as AbstractSet

    from wbmem_git.model import Actor, Card, Change, Finding, Settings, Verdict
    from wbmem_git.store.commits import Commit
    from wbmem_git.store.trees import Entry
    from wbmem_git.verbs.past.harmless import Passed
    from wbmem_git.verbs.rekeys import Rekey

FOR_GOOD: Final = ("C2", "C5", "A1", "L1", "L2", "U1", "U2", "U3", "W1", "W3")
NEVER_ALLOWED: Final = ("C2", "C5")
CRITERIA: Final = ("H1", "H2", "H3", "H4")
ON_LINES: Final = ("G1", "G2", "G3", "G4")
NAMESAKES: Final = 50
COMPARED: Final = 64
MOST_AT_ONCE: Final = 128


class Found(NamedTuple):
    """A finding that refuses, and the commit of the past that has it.

    Attributes:
        commit: Its oid. `time`: the committer's, in seconds. `author`: `Name <email>`. `actor`: who made it.
        finding: What a gate would have refused it for.
        fingerprint: What `wbmem allow` takes.
        closed: The later commit that closed it for good, "" where none did.
    """

    commit: str
    time: int
    author: str
    actor: Actor
    finding: Finding
    fingerprint: str
    closed: str = ""

    @property
    def order(self) -> tuple[int, str, str, int, str, str, str]:
        """Oldest commit first, then by page and line: the same whichever way history was walked."""
        it = self.finding
        return self.time, self.commit, it.path, it.line, it.rule, it.card, it.key + it.message


class Compared(NamedTuple):
    """A step from before a finding to a later tree, and what refuses in it: rule and card, rule and page."""

    change: Change
    refused: frozenset[tuple[str, str, str]]


class Lines(NamedTuple):
    """The lines of a text."""

    in_order: Sequence[str]
    every: frozenset[str]


class History:
    """A walk through commits, parents before children.

    Attributes:
        gate: Judges them.
        found: What refuses in the commits that were visited, and in those that were known before.
    """

    def __init__(self, gate: Gate, found: Iterable[Found] = (), at: str = "") -> None:
        """Nothing is visited yet.

        Args:
            gate: Judges the commits.
            found: What is known before the walk.
            at: A commit that has all of these behind it, "" for none.
        """
        self.gate = gate
        self.found: list[Found] = []
        self._of: dict[str, list[Finding]] = {}
        self._waiting: dict[str, list[int]] = {}
        self._compared: dict[tuple[str, str], Compared] = {}
        self._passing: dict[str, str] = {}
        self._standing: tuple[object, AbstractSet[str]] = (None, frozenset())
        self._rekeyed: dict[tuple[str, str], tuple[Rekey, ...]] = {}
        self._add(found)
        self._origins = Origins(gate, at, self._waiting)

    def walk(self, wanted: Sequence[str]) -> Iterator[tuple[Passed, Verdict | None]]:
        """Commits as `git rev-list` takes them, parents first, with what the gate says of them.

        Of a commit in which nothing hard is its own doing, and that closes nothing, it may be None.
        """
        for passed in harmless(self.gate, wanted):
            repository = self.gate.repository
            repository.bases = {passed.facts.parents: passed.base} if passed.base else {}
            is_quick = passed.is_harmless and self._passes(passed)
            yield passed, None if is_quick else self.visit(repository.commit(passed.facts.oid))

    def _passes(self, passed: Passed) -> bool:
        """Whether a harmless commit closes nothing."""
        behind = self._origins.follow(passed.facts.oid, passed.facts.parents, self._waiting)
        paths = {one.path for one in passed.differences} if behind else set()
        for origin in behind:
            waiting = (self.found[place] for place in self._waiting[origin])
            if len(passed.facts.parents) > 1:
                if not all(self._is_left_by_merge(found, passed, paths) for found in waiting):
                    return False
                continue
            known = passed.edited is not None and passed.edited <= self._origins.before(origin).ids
            edited = passed.edited if known else None
            if not all(leaves_alone(found.finding, paths, edited) for found in waiting):
                return False
        return True

    def _is_left_by_merge(self, found: Found, passed: Passed, paths: Container[str]) -> bool:
        """Whether a harmless merge certainly doesn't close a finding that waits."""
        finding, standing = found.finding, passed.standing
        if finding.rule != "C2" or not finding.card or standing is None:
            return leaves_alone(finding, paths, None)
        before, by = self._origins.before(found.commit), standing.settings
        return (
            (by.workspace, by.boards) == (before.settings.workspace, before.settings.boards)
            and not archived_id(finding.path)
            and finding.card not in before.plain
            and finding.card not in standing.ids
            and finding.card not in self.gate.sides.archived(passed.facts.tree)
        )

    def visit(self, commit: Commit) -> Verdict:
        """Judge a commit, close what it mends, remember what refuses in it."""
        change, verdict = self.gate.judge_commit(commit)
        behind = self._origins.follow(commit.oid, commit.parents, self._waiting)
        if change is not None:
            self._close(commit, change, behind)
            key = change.settings.workspace
            made = commit.oid, commit.committer_time, commit.author.who, change.actor
            refusing = [finding for finding in verdict.findings if finding.refuses]
            self._add(Found(*made, finding, fingerprint(finding, key)) for finding in refusing)
        return verdict

    def _add(self, every: Iterable[Found]) -> None:
        for found in every:
            self._of.setdefault(found.commit, []).append(found.finding)
            if _waits(found):
                self._waiting.setdefault(found.commit, []).append(len(self.found))
            self.found.append(found)

    def settle(self, tip: Side, allowed: Container[str]) -> tuple[tuple[Found, ...], tuple[Found, ...]]:
        """What is open and what is mended at a commit, each in order.

        Args:
            tip: The commit and its tree.
            allowed: The fingerprints that a person let through.
        """
        open_: list[Found] = []
        mended: list[Found] = []
        for found in sorted(self.found, key=lambda found: found.order):
            (mended if self.is_mended(found, tip, allowed) else open_).append(found)
        return tuple(open_), tuple(mended)

    def is_mended(self, found: Found, tip: Side, allowed: Container[str]) -> bool:
        """Whether a finding is closed, allowed, or gone in the tree of `tip`."""
        rule = found.finding.rule
        if found.closed or (found.fingerprint in allowed and rule not in NEVER_ALLOWED):
            return True
        if rule == "G5":  # history keeps the secret, whatever the tip has
            return False
        if rule in CRITERIA and ledger_order(self._newest_passing(tip)) > ledger_order(found.finding.path):
            return True
        return not self._is_broken(found, tip)

    # --- closing for good ---------------------------------------------------------------------------

    def _close(self, commit: Commit, change: Change, behind: Iterable[str]) -> None:
        paths = differing(change)
        for origin in behind:
            places = self._waiting[origin]
            closed = {place for place in places if self._closes(self.found[place], commit, change, paths)}
            for place in closed:
                self.found[place] = self.found[place]._replace(closed=commit.oid)
            places[:] = (place for place in places if place not in closed)
        self._waiting = {origin: places for origin, places in self._waiting.items() if places}

    def _closes(self, found: Found, commit: Commit, change: Change, paths: Container[str]) -> bool:
        """Whether a commit, which differs from its parents at these paths, closes a finding."""
        if self._touched_by_person(found, commit, change):
            return True
        return may_mend(found.finding, change, paths) and not self._is_broken(
            found, Side(commit.oid, commit.tree)
        )

    def _touched_by_person(self, found: Found, commit: Commit, change: Change) -> bool:
        """Whether a person touched what a finding is about.

        Who is an agent, the settings say that judged the finding too: an agent may have changed them since.
        """
        beside = (other.key for other in self._of[found.commit] if _same(other, found.finding))
        if not touched_by_person(found.finding, change, beside):
            return False
        origin = self.gate.repository.commit(found.commit)
        governing = self.gate.governors.of(self.gate.sides_of(origin.parents), origin.tree)
        agents = governing.settings.agents if governing is not None else ()
        return of_commit(commit.author_email, commit.trailers, agents) == "human"

    # --- is it still so? ----------------------------------------------------------------------------

    def _is_broken(self, found: Found, tip: Side) -> bool:
        if self._is_still_gone(found, tip):
            return True
        change, refused = self._compare(found, tip)
        if found.finding.rule == "A1" and not restored_whole(found.finding, change):
            return True
        finding = found.finding
        now_called = (finding.rule, self._now_called(found, tip), "")
        same = _about(finding) in refused or (bool(finding.card) and now_called in refused)
        return same and self._counts(found, change)

    def _is_still_gone(self, found: Found, tip: Side) -> bool:
        """Whether C2 certainly has the same to say of a card: it needs no run of the rules for that."""
        finding = found.finding
        if finding.rule != "C2" or not finding.card or archived_id(finding.path):
            return False
        before = self._origins.before(found.commit)
        if finding.card in before.plain or finding.card in self.gate.sides.archived(tip.tree):
            return False
        return finding.card not in self._ids(tip, before.settings) and not self._rekeys(found.commit, tip)

    def _ids(self, tip: Side, judging: Settings) -> AbstractSet[str]:
        """What the cards on the pages of a later tree go by."""
        key = tip.tree, judging.workspace, judging.boards
        if self._standing[0] != key:
            holders = self.gate.sides.read(tip.commit, tip.tree, (), judging).holders
            self._standing = key, holders.keys()
        return self._standing[1]

    def _now_called(self, found: Found, tip: Side) -> str:
        """The id of a finding's card in a later tree that has another workspace key."""
        if not found.finding.card:
            return ""
        return followed(self._rekeys(found.commit, tip)).get(found.finding.card, found.finding.card)

    def _rekeys(self, commit: str, tip: Side) -> tuple[Rekey, ...]:
        """The commits from one on to a later one that gave another key, oldest first."""
        governing = self.gate.governors.of([tip], tip.tree) if tip.commit else None
        origin = self.gate.repository.commit(commit)
        before = self.gate.governors.of(self.gate.sides_of(origin.parents), origin.tree)
        if governing is None or before is None or governing.settings.workspace == before.settings.workspace:
            return ()
        if (commit, tip.commit) not in self._rekeyed:
            self._rekeyed[commit, tip.commit] = self.gate.rekeys.since(commit, tip.commit)
        return self._rekeyed[commit, tip.commit]

    def _counts(self, found: Found, change: Change) -> bool:
        """Whether it is still this finding's doing that the rule finds something."""
        finding = found.finding
        if finding.rule == "C1" and finding.card:
            key = change.settings.workspace
            holders = change.new.holders.get(finding.card, ())
            return not holders or not all(_was_right(holder, key, finding.path) for holder in holders)
        if finding.rule in ON_LINES and finding.line:
            now = change.new.files.get(finding.path)
            return now is None or now.text is None or self._line_of(found) in _lines(now.text).every
        return True

    def _line_of(self, found: Found) -> str:
        repository = self.gate.repository
        entry = self.gate.sides.entry(repository.tree_of(found.commit), found.finding.path)
        text = self.gate.sides.file(entry).text if entry is not None else None
        lines = _lines(text or "").in_order
        return lines[found.finding.line - 1] if found.finding.line <= len(lines) else ""

    def _compare(self, found: Found, tip: Side) -> Compared:
        """The step from the parents of the finding's commit straight to a later tree, judged."""
        if (found.commit, tip.tree) not in self._compared:
            if len(self._compared) >= COMPARED:
                self._compared.clear()
            commit = self.gate.repository.commit(found.commit)
            parents = self.gate.sides_of(commit.parents)
            governing = self.gate.governors.of(parents, commit.tree)
            assert governing is not None  # noqa: S101  # it judged this commit before
            paths = set(self._relevant(found.commit, parents, tip, governing.settings))
            for rekey in self._rekeys(found.commit, tip):
                governing = governing._replace(settings=governing.settings._replace(workspace=rekey.key))
            change = self.gate.change(parents, tip, governing, found.actor, paths)
            refused = frozenset(
                about
                for now in self.gate.verdict(change).findings
                if now.refuses
                for about in ((now.rule, now.card, ""), (now.rule, "", now.path))
            )
            self._compared[found.commit, tip.tree] = Compared(change, refused)
        return self._compared[found.commit, tip.tree]

    def _relevant(self, commit: str, parents: Sequence[Side], tip: Side, judging: Settings) -> Iterator[str]:
        """The paths that differ and that the findings of a commit turn on: not all that was written since."""
        sides = self.gate.sides
        paths = {finding.path for finding in self._of[commit]}
        paths |= {f"archive/{path}" for path in paths} | {SETTINGS, "USER.md", "USER-CANDIDATES.md"}
        paths |= {path for side in (*parents, tip) for path in sides.page_places(side.tree, judging)}
        pages = (page for parent in parents for page in sides.pages(parent.tree, judging).values())
        ids = {card.id for page in pages for card in page.cards}
        ids |= {finding.card for finding in self._of[commit]}
        archived = frozenset[str]().union(*(sides.archived(side.tree) for side in (*parents, tip)))
        paths.update(map(archive_path, ids & archived))
        for path in paths:
            now = _leaf(sides.entry(tip.tree, path))
            if any(_leaf(sides.entry(parent.tree, path)) != now for parent in parents):
                yield path

    def _newest_passing(self, tip: Side) -> str:
        """The newest ledger of a tree that meets H1-H4, "" where none does."""
        if tip.tree not in self._passing:
            names = filter(is_ledger, self.gate.repository.names(tip.tree))
            newest_first = sorted(names, key=ledger_order, reverse=True)
            self._passing[tip.tree] = next(self._passing_among(newest_first, tip), "")
        return self._passing[tip.tree]

    def _passing_among(self, ledgers: Sequence[str], tip: Side) -> Iterator[str]:
        """Those of the ledgers of a tree that meet H1-H4; at first few are read: mostly one does."""
        settings = self.gate.governors.of([tip], tip.tree)
        assert settings is not None  # noqa: S101  # a tree with findings belongs to a memory
        strict = Governing(settings.settings._replace(criteria="enforce"))
        start = 0
        while some := ledgers[start : start + min(2 * start + 1, MOST_AT_ONCE)]:
            change = self.gate.change([NOTHING], tip, strict, "human", some)
            found = self.gate.verdict(change).findings
            failing = {each.path for each in found if each.rule in CRITERIA and each.severity == "hard"}
            yield from (path for path in some if path not in failing)
            start += len(some)


def _waits(found: Found) -> bool:
    return not found.closed and found.finding.rule in FOR_GOOD


def _same(now: Finding, then: Finding) -> bool:
    """The same rule on the same card, or, where it is about no card, on the same page."""
    if now.rule != then.rule:
        return False
    return now.card == then.card if then.card else now.path == then.path


def _about(finding: Finding) -> tuple[str, str, str]:
    """By what a later finding is known for the same: its rule and its card, or, for want of one, its page."""
    return finding.rule, finding.card, "" if finding.card else finding.path


@lru_cache(maxsize=4)
def _lines(text: str) -> Lines:
    in_order = text.replace("\r\n", "\n").split("\n")
    return Lines(in_order, frozenset(in_order))


def _leaf(entry: Entry | None) -> Entry | None:
    return None if entry is None or entry.is_tree else entry


def _was_right(card: Card, key: str, page: str) -> bool:
    """Whether a card's one anchor is one that it could have had on that page: it has moved since."""
    if sum(mark.kind == "anchor" for mark in card.marks) > 1:
        return False
    return any(card.anchor == card_id(key, page, card.title, n) for n in range(1, NAMESAKES))
