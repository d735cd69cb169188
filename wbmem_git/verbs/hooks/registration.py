"""The merge driver as git knows it: a command in this clone's configuration, and which files it is for.

git takes no command from a repository, so each clone has its own. Which files it merges stands in
`info/attributes` too: a folder that was adopted has a `.gitattributes` of its own, and only the settings know
every board.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from shlex import quote, split
from typing import TYPE_CHECKING, Literal, NamedTuple

from wbmem_git.errors import GitError
from wbmem_git.store.git import failure, text_of
from wbmem_git.text.names import BOARD, GLOB_SIGNS
from wbmem_git.verbs.governing import last_good
from wbmem_git.verbs.hooks.scripts import Origin, this_installation

if TYPE_CHECKING:
    from collections.abc import Iterable

    from wbmem_git.store.repository import Repository

State = Literal["active", "outdated", "broken", "missing", "foreign", "removed"]
SECTION = "merge.wbmem"
NAME = "boards, entry pages, logs and summaries: by card, block and day"
BEGIN, END = "# wbmem hooks install wrote this (", "# ) wbmem"
ALWAYS = (
    "/MEMORY.md",
    "/PINNED.md",
    "/USER.md",
    "/log/*.md",
    "/archive/log/*.md",
    "/summary/*.md",
    "/archive/mem_*.md",
)
SAMPLES = ("MEMORY.md", "PINNED.md", "USER.md", "log/2026-01-01.md", "summary/today.md", "archive/mem_0.md")
_COMMAND = re.compile(r"(?P<python>.+) -I -S (?P<main>.+) merge-driver %O %A %B %L %P; case .*")
_QUOTED = re.compile(r'[\\"]')


class Driver(NamedTuple):
    """How the merge driver stands.

    Attributes:
        state: `active`; `outdated`: ours, by another release, or for other boards; `broken`: what it starts
            is gone, or it has no command; `missing`; `foreign`: `merge.wbmem.driver` names a command of
            somebody else; `removed`: taken away just now.
        detail: Why it isn't active, or that another installation is started.
        written: Whether this call changed anything.
    """

    state: State
    detail: str = ""
    written: bool = False


def register(repository: Repository, origin: Origin | None = None) -> Driver:
    """Have git merge pages by card here; a driver of somebody else's stays as it is.

    Raises:
        GitError: git can't write its configuration.
    """
    origin = origin or this_installation()
    before = _configured(repository)
    changed = False
    if before != command(origin) and (not before or origin_of(before) is not None):
        for name, value in (("name", NAME), ("driver", command(origin))):
            answer = repository.git.ask("config", "--local", "--replace-all", f"{SECTION}.{name}", value)
            if answer.status:
                raise GitError(failure("config", answer).message, "wbmem doctor says what is in the way")
        changed = True
    changed = _write_block(repository, _block(_boards(repository))) or changed
    return standing(repository, origin)._replace(written=changed)


def unregister(repository: Repository) -> Driver:
    """Take our command and our lines away; git merges by lines again."""
    before = _configured(repository)
    if before and origin_of(before) is None:
        return Driver("foreign", _whose(before))
    taken = _has_section(repository)
    if taken:
        repository.git.ask("config", "--local", "--remove-section", SECTION)
    changed = _write_block(repository, "")
    return Driver("removed" if taken or changed else "missing", written=taken or changed)


def standing(repository: Repository, origin: Origin | None = None) -> Driver:
    """How the driver stands."""
    origin = origin or this_installation()
    before = _configured(repository)
    if not before and _has_section(repository):
        return Driver("broken", f"{SECTION} has no driver: git stops at every merge that needs one")
    if not before:
        return Driver("missing", "git merges pages by lines here, and conflicts where cards wouldn't")
    found = origin_of(before)
    if found is None:
        return Driver("foreign", _whose(before))
    gone = next((path for path in found if not Path(path).exists()), "")
    if gone:
        return Driver("broken", f"{gone} is gone: git merges pages by lines")
    if before != command(found):
        return Driver("outdated", "written by another release")
    left = _left_out(repository)
    if left:
        return Driver("outdated", f"{', '.join(left)}: not merged by card (info/attributes)")
    return Driver("active", f"starts another installation, {found.main}" if found != origin else "")


def command(origin: Origin) -> str:
    """What git runs: the driver, and git's own merge of lines wherever that doesn't answer.

    Status 1 counts only where markers are left: an interpreter that can't even start may end with it too.
    """
    python, main = (quote(path).replace("%", "%%") for path in origin)
    driver = f"{python} -I -S {main} merge-driver %O %A %B %L %P"
    lines = "git merge-file --marker-size=%L -L ours -L base -L theirs %A %O %B"
    return (
        f"{driver}; case $? in 0) exit 0 ;; 1) grep -q '^<<<<<<<' %A && exit 1 ;; esac; "
        f"echo 'wbmem: not merged by card, but by lines:' %P >&2; {lines} || exit 1"
    )


def origin_of(driver: str) -> Origin | None:
    """What a registered command starts; None where it isn't ours."""
    found = _COMMAND.fullmatch(driver)
    return Origin(_unquoted(found["python"]), _unquoted(found["main"])) if found else None


def _unquoted(word: str) -> str:
    words = split(word.replace("%%", "%"))
    return words[0] if len(words) == 1 else word


def _whose(driver: str) -> str:
    return f"{SECTION}.driver is {driver}, which wbmem didn't write"


def _configured(repository: Repository) -> str:
    answer = repository.git.ask("config", "--local", "-z", "--get", f"{SECTION}.driver")
    return text_of(answer.out).removesuffix("\0") if answer.status == 0 else ""


def _has_section(repository: Repository) -> bool:
    """Whether git knows anything of the driver; a name alone is enough for it to look for a command."""
    return repository.git.ask("config", "--local", "--get-regexp", rf"^{re.escape(SECTION)}\.").status == 0


# --- which files --------------------------------------------------------------------------------------------


def _boards(repository: Repository) -> tuple[str, ...]:
    head = repository.head()
    good = last_good(repository, head) if head else None
    return good.settings.boards if good is not None else (BOARD,)


def _left_out(repository: Repository) -> list[str]:
    """The files that it should merge and git doesn't give it; a glob counts where our lines haven't it."""
    boards = _boards(repository)
    plain = [board for board in boards if GLOB_SIGNS.isdisjoint(board)]
    said = text_of(repository.git.run("check-attr", "-z", "merge", "--", *plain, *SAMPLES)).split("\0")
    left = [
        path for path, _, value in zip(said[::3], said[1::3], said[2::3], strict=False) if value != "wbmem"
    ]
    block = _read_block(repository)
    return left + [board for board in boards if board not in plain and _pattern(board) not in block]


def _block(boards: Iterable[str]) -> str:
    patterns = [*(_pattern(board) for board in boards if board.isprintable()), *ALWAYS]
    return "".join(f"{line}\n" for line in (BEGIN, *(f"{one} merge=wbmem" for one in patterns), END))


def _pattern(board: str) -> str:
    """A glob of the settings as gitattributes(5) writes it, from the top on."""
    escaped = "/" + board.replace("\\", "\\\\")
    if " " not in escaped and '"' not in escaped:
        return escaped
    return '"' + _QUOTED.sub(lambda found: f"\\{found[0]}", escaped) + '"'


def _attributes(repository: Repository) -> Path:
    return Path(repository.common_dir, "info", "attributes")


def _read_block(repository: Repository) -> list[str]:
    file = _attributes(repository)
    text = file.read_text(encoding="utf-8", errors="surrogateescape") if file.exists() else ""
    return [line.removesuffix(" merge=wbmem") for line in _cut(text)[1].split("\n")]


def _write_block(repository: Repository, block: str) -> bool:
    """Exchange our lines for these; whether that changed anything. Ours come first: others' hold."""
    file = _attributes(repository)
    text = file.read_text(encoding="utf-8", errors="surrogateescape") if file.exists() else ""
    others, old = _cut(text)
    if old == block:
        return False
    file.parent.mkdir(parents=True, exist_ok=True)
    new = file.with_name(f".attributes.{os.getpid()}")
    new.write_text(block + others, encoding="utf-8", errors="surrogateescape")
    new.replace(file)
    return True


def _cut(text: str) -> tuple[str, str]:
    """A file's text without our lines, and our lines."""
    start = text.find(f"{BEGIN}\n")
    end = text.find(f"{END}\n", start)
    if start < 0 or end < 0:
        return text, ""
    end += len(END) + 1
    return text[:start] + text[end:], text[start:end]
