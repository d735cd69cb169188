"""Adopting a folder: which of its files become pages as they are, and which stay out (FORMAT §3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from wbmem_git.errors import Refused, SettingsUnreadable
from wbmem_git.rules.wording import command, pathspec
from wbmem_git.text.document import decode
from wbmem_git.text.names import SETTINGS, kind_of
from wbmem_git.verbs.commit.commit import tree_after

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from wbmem_git.model import Settings, Verdict
    from wbmem_git.store.repository import Repository
    from wbmem_git.verbs.commit.wanted import Check
    from wbmem_git.verbs.three_trees import Versions

DOTFILES = frozenset({".gitattributes", ".gitignore", ".pre-commit-config.yaml"})


class Left(NamedTuple):
    """A file that stays untracked, why, and what to do."""

    path: str
    why: str
    next: str


class Adoption(NamedTuple):
    """What the adopting commit adds (path → text), and what stays out."""

    pages: Mapping[str, str]
    left: tuple[Left, ...]


def adoption(repository: Repository, versions: Versions, paths: Iterable[str], check: Check) -> Adoption:
    """Choose among the files that no commit has yet.

    Args:
        repository: Where they lie.
        versions: What git has of them: a file that is staged is taken as it is staged.
        paths: Their paths.
        check: The gate, asked with HEAD's commit, tree and message.

    Raises:
        SettingsUnreadable: `wbmem.yaml` itself has a finding.
        Refused: The gate refuses for a reason that is no single page's.
    """
    pages: dict[str, str] = {}
    left: list[Left] = []
    candidates = [path for path in sorted(paths) if _is_known(path, versions.settings)]
    left += (_no_page(path, versions.settings) for path in set(paths).difference(candidates))
    for path, text in _as_committed(repository, versions, candidates).items():
        if text is None:
            to_do = f"save it as UTF-8, then: {_adding(path, versions.settings)}"
            left.append(Left(path, "it can't be read as UTF-8 text (E1)", to_do))
        else:
            pages[path] = text
    while True:
        verdict = check(versions.commit, tree_after(repository, versions.commit, pages), "")
        faults = {finding.path: finding for finding in verdict.findings if finding.refuses}
        if not faults:
            return Adoption(pages, tuple(sorted(left)))
        _see_pages(verdict, faults, pages)
        for path, finding in faults.items():
            del pages[path]
            why = f"{finding.rule}, line {finding.line}: {finding.message}"
            left.append(Left(path, why, f"{finding.fix}; then: {_adding(path, versions.settings)}"))


def _no_page(path: str, settings: Settings) -> Left:
    to_do = f"nothing; to keep it in the memory as it is: {_adding(path, settings)}"
    if path.endswith(".md"):
        to_do += "; to have it as a board: list it under `boards:` in wbmem.yaml first"
    return Left(path, "it is no page of a memory", to_do)


def _adding(path: str, settings: Settings) -> str:
    fix = "wbmem fix && " if kind_of(path, settings) in {"board", "entries"} else ""
    return f"{command('git', 'add', pathspec(path))} && {fix}git commit"


def _is_known(path: str, settings: Settings) -> bool:
    return path in DOTFILES or kind_of(path, settings) != "other"


def _see_pages(verdict: Verdict, faults: Iterable[str], pages: Mapping[str, str]) -> None:
    for path in faults:
        if path == SETTINGS:
            told = next(f"line {one.line}: {one.message}" for one in verdict.findings if one.path == path)
            raise SettingsUnreadable(told)
        if path not in pages:
            raise Refused("\n".join(f"{one.rule} {one.message}" for one in verdict.findings if one.refuses))


def _as_committed(repository: Repository, versions: Versions, paths: Sequence[str]) -> dict[str, str | None]:
    """Path → what is staged, or what `git add` would stage (`core.autocrlf`, filters); None: no text."""
    staged = versions.staged.entries
    lying = (path for path in paths if path not in staged and "\n" not in path)
    files = [path for path in lying if _is_text(repository.worktree_file(path))]
    stdin = "".join(f"{path}\n" for path in files).encode(errors="surrogateescape")
    oids = repository.git.run("hash-object", "-w", "--stdin-paths", stdin=stdin).decode().split()
    found = {path: decode(repository.blob(oid)) for path, oid in zip(files, oids, strict=True)}
    return {path: versions.staged.read(path) if path in staged else found.get(path) for path in paths}


def _is_text(data: bytes | None) -> bool:
    return data is not None and decode(data) is not None
