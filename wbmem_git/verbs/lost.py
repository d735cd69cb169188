"""What a rewrite of history lost: cards and ledgers of a marked commit that no branch has any more."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from wbmem_git.model import Finding
from wbmem_git.rules.fingerprint import fingerprint
from wbmem_git.rules.wording import quote
from wbmem_git.store.state import marked_branches, read_mark
from wbmem_git.text.names import archive_path, is_ledger
from wbmem_git.text.settings import default_settings
from wbmem_git.verbs.history import Found
from wbmem_git.verbs.rekeys import followed, memory_of
from wbmem_git.verbs.way_out import Was

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from wbmem_git.model import Card, Settings
    from wbmem_git.store.repository import Repository
    from wbmem_git.verbs.gate import Gate
    from wbmem_git.verbs.governing import Side

LOST = "lost"


def marks_to_see(repository: Repository, branch: str, own: Iterable[str]) -> tuple[str, ...]:
    """The marked commits that a branch answers for: its own, or, where it has none, every other branch's.

    A branch that was renamed left its mark under the name that it had.

    Args:
        repository: Whose.
        branch: Its name, "" for a detached HEAD, which answers for none.
        own: Where a hook or an audit last saw it, "" where neither did.
    """
    seen = tuple(dict.fromkeys(filter(None, own)))
    if seen or not branch:
        return seen if branch else ()
    names = filter(None, marked_branches(repository.common_dir))
    marks = (read_mark(repository.common_dir, name) for name in names)
    return tuple(dict.fromkeys(filter(None, marks)))


def was_rewritten(repository: Repository, mark: str, head: str) -> bool:
    """Whether a marked commit is in no branch any more, nor in HEAD's history."""
    return not repository.is_ancestor(mark, head) and not repository.in_a_branch(mark)


def stood_at(gate: Gate, commit: str) -> Iterable[Found]:
    """Every card and ledger that stood at a commit which no branch has any more."""
    repository = gate.repository
    if repository.git.ask("cat-file", "-e", commit).status:
        return
    record = repository.commit(commit)
    settings = gate.settings([commit], record.tree)
    if settings is None:
        return
    pages = gate.sides.pages(record.tree, settings)
    cards = [card for path in sorted(pages) for card in pages[path].cards]
    for finding in (
        *map(_lost_card, cards),
        *map(_lost_archived, sorted(gate.sides.archived(record.tree))),
        *map(_lost_ledger, sorted(filter(is_ledger, repository.names(record.tree)))),
    ):
        key = fingerprint(finding, settings.workspace)
        told = finding._replace(fix=f"{_way_out(commit, finding)}; or a person lets it go: wbmem allow {key}")
        yield Found(commit, record.committer_time, record.author.who, "human", told, key)


def _lost_card(card: Card) -> Finding:
    message = f"card {quote(card.title)} stood at a commit that no branch has any more"
    return Finding(
        LOST,
        "hard",
        card.path,
        card.line,
        message,
        card=card.id,
        title=card.title,
        last_line=card.last_line,
    )


def _lost_archived(card: str) -> Finding:
    path = archive_path(card)
    return Finding(LOST, "hard", path, 0, f"{path} stood at a commit that no branch has any more", card=card)


def _lost_ledger(path: str) -> Finding:
    return Finding(LOST, "hard", path, 0, f"{path} stood at a commit that no branch has any more")


def _way_out(commit: str, finding: Finding) -> str:
    was = Was(commit, finding.path)
    if not finding.title:
        return was.put_back
    archive = 'wbmem archive --missing --reason "…"'
    back = f"wbmem rescue --restore {finding.card}"
    return f"bring the card back to {finding.path} ({was.shown} has it): {back}; or archive it: {archive}"


def still_lost(gate: Gate, lost: Iterable[Found], tip: Side, settings: Settings | None) -> Iterable[Found]:
    """What HEAD still lacks and nobody has allowed, in order."""
    judging = settings or default_settings("")
    pages = gate.sides.pages(tip.tree, judging)
    here = {card.id for page in pages.values() for card in page.cards} | gate.sides.archived(tip.tree)
    called = _Called(gate, tip, judging.workspace)
    for found in sorted(lost, key=lambda found: found.order):
        finding = found.finding
        if finding.card and finding.card not in here:
            finding = finding._replace(card=called.now(found, here))
        back = finding.card in here if finding.card else gate.sides.entry(tip.tree, finding.path) is not None
        if not back and found.fingerprint not in judging.allow:
            yield found


class _Called:
    """What cards of a commit that no branch has are called at HEAD, where the two have different keys."""

    def __init__(self, gate: Gate, tip: Side, key: str) -> None:
        self._gate = gate
        self._tip = tip
        self._key = key
        self._names: dict[str, tuple[Mapping[str, str], ...]] = {}

    def now(self, found: Found, here: Collection[str]) -> str:
        """The id of a card that is lost under its own, also where only one of the two histories got a key."""
        card = found.finding.card
        if found.commit not in self._names:
            self._names[found.commit] = tuple(self._known(found.commit))
        names = (known.get(card, card) for known in self._names[found.commit])
        return next((name for name in names if name in here), card)

    def _known(self, commit: str) -> Iterator[Mapping[str, str]]:
        """Its ids by the new keys of either history, and as HEAD's key makes them: a pick has these."""
        repository, rekeys = self._gate.repository, self._gate.rekeys
        if repository.git.ask("cat-file", "-e", commit).status:
            return
        tree = repository.tree_of(commit)
        settings = self._gate.settings([commit], tree)
        if settings is None or settings.workspace == self._key:
            return
        yield followed(rekeys.since(commit, self._tip.commit))
        there = followed(rekeys.since(self._tip.commit, commit))
        yield {now: was for was, now in there.items()}
        from wbmem_git.verbs.rekeyed import rekeyed  # once in a memory's life

        with suppress(ValueError):  # its settings can't be edited
            yield rekeyed(memory_of(self._gate.sides, tree, settings), self._key).ids


def once(lost: Sequence[Found]) -> tuple[Found, ...]:
    """Each card or ledger once, as it stood first."""
    known: dict[str, Found] = {}
    for found in lost:
        known.setdefault(found.finding.card or found.finding.path, found)
    return tuple(known.values())
