"""W1, W2, W3: what the settings of a workspace are, and who may change them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wbmem_git.model import Finding
from wbmem_git.rules.scope import differing, other_key
from wbmem_git.rules.wording import quote, shown_by
from wbmem_git.text.names import SETTINGS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wbmem_git.model import Change, Tree

_KEY_LINE = re.compile(r"^\ufeff?[ \t]*[\"']?workspace[\"']?[ \t]*:")


def w1(change: Change) -> Iterator[Finding]:
    """The workspace key doesn't change, and wbmem.yaml isn't deleted.

    Why: every card's id is computed from the key. Another key makes every anchor wrong and every reference
    lead nowhere; without the file this folder is no memory any more, and no later commit is judged.

    In a merge the key is the first parent's. Where wbmem.yaml was gone, it comes back with its last key. Two
    branches of one memory have the same key before they are merged: under two of them no card has the same id
    on both, so each would stand there twice, or be taken for gone.

    `wbmem rekey` is the exception: a person's commit whose tree is the old one under another key, each id
    made anew and nothing else changed. C1, C2, C5 and A1 don't judge it either.

    How to mend: put the old key back into wbmem.yaml (another one: `wbmem rekey`), or leave its deletion out
    of the commit.
    """
    before = [parent for parent in change.parents if parent.has_settings]
    keys = dict.fromkeys(filter(None, (other_key(change, parent) for parent in change.parents)))
    if keys:
        yield from (_two_keys(change, key) for key in keys)
    elif change.new.settings is not None and (before or change.old_settings_finding):
        yield from _another_key(change, change.new.settings.workspace)
    elif before and not change.new.has_settings:
        told = "wbmem.yaml is gone: without it this is no memory any more"
        fix = f"leave its deletion out of the commit; {shown_by(before[0], SETTINGS)}"
        yield Finding("W1", "hard", SETTINGS, 0, told, fix, key="gone")


def _two_keys(change: Change, theirs: str) -> Finding:
    """Sides of a merge of which one was rekeyed: the other one has to be, too."""
    ours, base = change.settings.workspace, change.base
    began = base.settings.workspace if base is not None and base.settings is not None else ""
    where, key = ("here", theirs) if began == ours else ("on that branch", ours)
    told = f"the workspace key is {quote(ours)} here and {quote(theirs)} in what is merged: no id is the same"
    fix = f"leave this merge (git merge --abort), {where}: wbmem rekey --key {key}, then merge it again"
    return Finding("W1", "hard", SETTINGS, _key_line(change), told, fix, key=f"sides {theirs}")


def _another_key(change: Change, now: str) -> Iterator[Finding]:
    was = change.settings.workspace
    if now != was:
        told = f"the workspace key was {quote(was)} and now is {quote(now)}: every id is computed from it"
        fix = f"write `workspace: {was}` again"
        yield Finding("W1", "hard", SETTINGS, _key_line(change), told, fix, key="key")


def _key_line(change: Change) -> int:
    file = change.new.files.get(SETTINGS)
    lines = (file.text or "").split("\n") if file is not None else []
    return next((number for number, line in enumerate(lines, 1) if _KEY_LINE.match(line)), 0)


def w2(change: Change) -> Iterator[Finding]:
    """wbmem.yaml can be read, has known keys only, and values that they allow.

    Why: a typo in a key would switch something off without a word. While the file can't be read the last
    good version judges, which is told with every commit.

    How to mend: mend the line that is named. docs/settings.md lists every key with its default.
    """
    if change.old_settings_finding:
        yield Finding(
            "W2",
            "soft",
            SETTINGS,
            0,
            f"wbmem.yaml as the last commit has it: {change.old_settings_finding}",
            "mend wbmem.yaml in a commit of its own; `wbmem explain W2` says how",
            key="old",
        )
    file = change.new.files.get(SETTINGS)
    if SETTINGS not in change.judged or file is None:
        return
    if file.mode.startswith("10") and file.text is not None:
        from wbmem_git.text.settings import parse_settings  # YAML, for a changed file only

        yield from parse_settings(file.text)[1]
        return
    what = "isn't UTF-8 text" if file.mode.startswith("10") else "is no plain file"
    fix = "save it as plain UTF-8 text under that very name"
    yield Finding("W2", "hard", SETTINGS, 0, f"wbmem.yaml {what}", fix, key="text")


def w3(change: Change) -> Iterator[Finding]:
    """An agent's commit changes neither wbmem.yaml nor a file whose path begins with a dot.

    Why: settings, hooks' configuration and .gitattributes decide what is judged and how. An agent that could
    change them could open the gate for itself. A person's commit may change them.

    A merge has what the only side that changed the file made of it since the merge base, or, where several
    did, what the first parent has. Memories that began apart, and differ in these files, a person merges.

    How to mend: commit the other files alone (`git commit -- PATH…`) and ask a person to commit this one.
    """
    if change.actor != "agent":
        return
    for path in sorted(differing(change)):
        if (path == SETTINGS or path.startswith(".")) and not _is_merged(change, path):
            told, fix = _wording(change, path)
            yield Finding("W3", "hard", path, 0, told, fix, key="changed")


def _is_merged(change: Change, path: str) -> bool:
    """Whether this is what a merge makes of a file that is for a person to change.

    Without settings in common, no rule has judged how the sides came to differ.
    """
    if len(change.parents) == 1:
        return False
    new = _blob(change.new, path)
    if _began_apart(change):
        return {_blob(parent, path) for parent in change.parents if parent.has_settings} == {new}
    before = _blob(change.base, path)
    changed = {_blob(parent, path) for parent in change.parents} - {before} or {before}
    return changed == {new} or (len(changed) > 1 and new == _blob(change.old, path))


def _began_apart(change: Change) -> bool:
    return change.base is None or not change.base.has_settings


def _blob(tree: Tree | None, path: str) -> tuple[str, str] | None:
    file = tree.files.get(path) if tree is not None else None
    return None if file is None else (file.oid, file.mode[:2])


def _wording(change: Change, path: str) -> tuple[str, str]:
    """What an agent did, and what is to be done."""
    if len(change.parents) > 1 and _began_apart(change):
        told = f"an agent merges memories that began apart, and {path} isn't the same in all of them"
        return f"{told}: that is for a person to do", "ask a person to make this merge"
    if path not in change.judged:
        return (
            f"an agent's merge undoes what one side did to {path}: that is for a person to do",
            f"let {path} be as the side made it that changed it, or ask a person to make this merge",
        )
    gone = " (it deletes it)" if path not in change.new.files else ""
    return (
        f"an agent's commit changes {path}{gone}: that is for a person to do",
        "commit the other files alone (git commit -- PATH…) and ask a person to commit this one",
    )
