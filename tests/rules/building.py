"""From a case to the change that the rules judge, without a repository: plain values all the way."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from typing import TYPE_CHECKING

from rules.loader import KEY, SETTINGS

from wbmem_git.model import File
from wbmem_git.rules.change import build_change, build_tree
from wbmem_git.text.archive import parse_archive
from wbmem_git.text.document import decode
from wbmem_git.text.names import archived_id, kind_of
from wbmem_git.text.page import parse_page
from wbmem_git.text.settings import parse_settings

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rules.loader import Actor, Case, Content

    from wbmem_git.model import ArchiveFile, Change, Page, Settings, Tree

SETTINGS_PAGE = "wbmem.yaml"


def change_of(case: Case, actor: Actor) -> Change:
    """The change that a case describes, as the gate would build it for that actor."""
    settings, finding = judging_settings(case)
    trees = (*case.parents, case.new) if case.parents else ({}, case.new)
    differing = frozenset(
        path for side in trees for path in side if any(side[path] != other.get(path) for other in trees)
    )
    *parents, new = (tree_of(side, differing, settings, f"{n}") for n, side in enumerate(trees, 1))
    merge = len(case.parents) > 1
    return build_change(
        parents=parents,
        new=new._replace(commit=""),
        base=tree_of(case.base, frozenset(case.base), settings, "base") if merge else None,
        actor=actor,
        settings=settings,
        worktree=_worktree(case, settings),
        trailers={name.lower(): value for name, value in case.trailers},
        message=case.message,
        old_settings_finding=finding,
    )


def judging_settings(case: Case) -> tuple[Settings, str]:
    """The old tree's, the new one's where it has none, the default ones where they can't be read."""
    old = case.parents[0] if case.parents else {}
    finding = "it can't be read; the settings of an earlier commit judge" if SETTINGS_PAGE in old else ""
    source = old.get(SETTINGS_PAGE) or case.new.get(SETTINGS_PAGE) or case.shared.get(SETTINGS_PAGE)
    settings = _settings(source)
    if settings is not None:
        return settings, ""
    fallback, _ = parse_settings(SETTINGS)
    assert fallback is not None
    return fallback, finding


def tree_of(side: Mapping[str, Content], differing: frozenset[str], settings: Settings, commit: str) -> Tree:
    """A side as the rules see it: every page and the files that differ."""
    ids = frozenset(found for path in side if (found := archived_id(path)))
    return build_tree(
        commit=commit if side else "",
        oid=_oid("".join(f"{path}\0{side[path]}" for path in sorted(side)).encode()) if side else "",
        files={path: _file(content) for path, content in sorted(side.items()) if path in differing},
        pages=pages_of(side, settings),
        archived=ids,
        archive={
            found: parsed
            for path in side
            if (found := archived_id(path)) and (parsed := _archive(side[path]))
        },
        settings=_settings(side.get(SETTINGS_PAGE)),
        has_settings=SETTINGS_PAGE in side,
    )


def pages_of(side: Mapping[str, Content], settings: Settings) -> dict[str, Page]:
    """The boards and entry pages of a side, as these settings name them."""
    pages = {}
    for path, content in side.items():
        kind = kind_of(path, settings)
        text = decode(content.data)
        if kind in {"board", "entries"} and text is not None and content.mode.startswith("10"):
            pages[path] = parse_page(path, text, settings.workspace, kind)
    return pages


def _worktree(case: Case, settings: Settings) -> dict[str, Page]:
    old = case.parents[0] if case.parents else {}
    pages = pages_of(case.worktree, settings)
    return {path: page for path, page in pages.items() if case.worktree[path] != old.get(path)}


def _settings(content: Content | None) -> Settings | None:
    text = decode(content.data) if content else None
    return _parsed(text) if text is not None else None


@lru_cache(maxsize=512)
def _parsed(text: str) -> Settings | None:
    """Most cases have the same settings, and YAML is slow."""
    return parse_settings(text)[0]


def _file(content: Content) -> File:
    return File(_oid(content.data), content.mode, content.data, decode(content.data))


def _archive(content: Content) -> ArchiveFile | None:
    text = decode(content.data)
    return None if text is None else parse_archive(text, KEY)


def _oid(data: bytes) -> str:
    return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()
