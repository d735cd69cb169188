"""What lies around a memory and may get in its way: hook frameworks, an outer repository, locks, patches."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from wbmem_git.errors import GitError, UsageError
from wbmem_git.rules.wording import command
from wbmem_git.store.git import Git, text_of
from wbmem_git.store.trees import GITLINK
from wbmem_git.verbs.doctor.facts import Fact, bad, ok, warn
from wbmem_git.verbs.hooks.files import is_framework
from wbmem_git.verbs.hooks.install import hooks_folder, status
from wbmem_git.verbs.outer import Outer, ignores, let_go

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from wbmem_git.store.repository import Repository

CONFIG = ".pre-commit-config.yaml"
NEEDED_TYPES = (
    "pre-commit",
    "pre-merge-commit",
    "prepare-commit-msg",
    "commit-msg",
    "pre-push",
    "post-commit",
    "post-merge",
    "post-checkout",
    "post-rewrite",
)
OLD_LOCK_S = 60
PATCHES = 30
PATCH_BYTES = 4 << 20


def framework_types(repository: Repository) -> tuple[str, ...]:
    """The hook types that the framework is installed for here, where its configuration names wbmem."""
    if b"wbmem" not in (repository.worktree_file(CONFIG) or b""):
        return ()
    try:
        folder = hooks_folder(repository)
    except (GitError, UsageError):
        return ()  # told under `hooks`
    return tuple(
        name for name in NEEDED_TYPES if is_framework(folder / name) and os.access(folder / name, os.X_OK)
    )


def framework(repository: Repository, variables: Mapping[str, str]) -> Iterator[Fact]:
    """Whether the pre-commit framework does what its configuration here promises."""
    installed = framework_types(repository)
    if not installed:
        return
    skipped = sorted(set(re.findall(r"wbmem-[a-z]+", variables.get("SKIP", ""))))
    if skipped:
        yield warn("framework", f"SKIP leaves out {', '.join(skipped)} in this shell", "unset SKIP")
    missing = [name for name in NEEDED_TYPES if name not in installed]
    if missing and not status(repository, variables).complete:
        types = " ".join(f"-t {name}" for name in missing)
        message = f"the framework is installed without {', '.join(missing)}: what happens there isn't seen"
        yield bad("framework", message, f"pre-commit install {types} (or: wbmem hooks install)")
    else:
        yield ok("framework", f"the pre-commit framework is installed for {', '.join(installed)}")


def outer(repository: Repository, variables: Mapping[str, str]) -> Iterator[Fact]:
    """Whether the repository around this one keeps its hands off it."""
    top = Path(repository.top or repository.git_dir)
    around = Outer.of(top.parent, variables)
    if around is None:
        return
    git, name = around.git, around.name_of(top)
    listed = text_of(git.run("ls-files", "--stage", "-z", "--", name))
    entries = [entry for entry in listed.split("\0") if entry]
    if not entries:
        yield _ignored(around, name)
    elif any(entry.startswith(GITLINK) for entry in entries) and not (around.top / ".gitmodules").exists():
        message = (
            f"{around.top} records {name} as a gitlink without a submodule: a clone gets an empty folder"
        )
        yield bad("outer", message, f"{let_go(str(around.top), name)}, then commit there; the files stay")
    elif not entries[0].startswith(GITLINK):
        message = f"{around.top} tracks {len(entries)} files of {name}: two repositories own them"
        yield bad("outer", message, f"{let_go(str(around.top), name)}, then commit there; the files stay")


def locks(repository: Repository, now_s: float) -> Iterator[Fact]:
    """Locks that a killed git left behind, with their age; nobody but a person takes one away."""
    for path in sorted(_lock_files(repository)):
        try:
            age_s = int(now_s - path.stat().st_mtime)
        except OSError:
            continue  # its owner has just taken it away
        if age_s >= OLD_LOCK_S:
            yield warn(
                "locks",
                f"{path} is {_age(age_s)} old: a git that was killed left it, or one still works",
                "see that no git works here any more; then move it out of the way: "
                f"{command('mv', str(path), f'{path}.old')}",
            )


def patches(repository: Repository, variables: Mapping[str, str]) -> Iterator[Fact]:
    """Unstaged changes that the framework put away and, killed, didn't bring back.

    The framework keeps every patch, also those that it applied again. One that fits the working tree as it is
    now, forwards, isn't in it.
    """
    if not repository.top:
        return
    git = Git(repository.top, variables)
    for path in _patch_files(variables):
        if git.ask("apply", "--check", "--whitespace=nowarn", "--", str(path)).status == 0:
            yield warn(
                "patches",
                f"{path} holds unstaged changes of this repository that aren't in its files",
                f"look at it; to have them again: {command('git', '-C', repository.top, 'apply', str(path))}",
            )


def _ignored(around: Outer, name: str) -> Fact:
    if ignores(around.git, f"{name}/"):
        return ok("outer", f"{around.top} ignores {name}")
    return warn(
        "outer",
        f"{around.top} doesn't ignore {name}: `git add -A` there would record it as a gitlink",
        "wbmem init keeps it out (a line in that clone's .git/info/exclude)",
    )


def _lock_files(repository: Repository) -> Iterator[Path]:
    own, common = Path(repository.git_dir), Path(repository.common_dir)
    for folder in {own, common}:
        yield from (path for path in folder.glob("*.lock") if path.is_file())
    yield from (path for path in (common / "refs").rglob("*.lock") if path.is_file())


def _age(age_s: int) -> str:
    for size_s, unit in ((86400, "d"), (3600, "h"), (60, "min")):
        if age_s >= 2 * size_s:
            return f"{age_s // size_s} {unit}"
    return f"{age_s} s"


def _patch_files(variables: Mapping[str, str]) -> list[Path]:
    """The newest patches in the framework's cache, newest first."""
    home = Path(variables.get("HOME", "/"))
    cache = Path(variables.get("XDG_CACHE_HOME") or home / ".cache")
    found = []
    for folder in (
        Path(variables.get("PRE_COMMIT_HOME") or cache / "pre-commit"),
        cache / "prek" / "patches",
    ):
        for path in folder.glob("*patch*"):
            try:
                facts = path.stat()
            except OSError:
                continue
            if path.is_file() and 0 < facts.st_size <= PATCH_BYTES:
                found.append((facts.st_mtime, path))
    return [path for _, path in sorted(found, reverse=True)[:PATCHES]]
