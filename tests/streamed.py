"""Histories written by one `git fast-import`: a process for all commits."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from memory import Memory

Files = dict[str, str]
COMMITTER = "Ada <ada@example.org>"


def commit_of(
    number: int,
    parents: Sequence[int],
    files: Files,
    who: str,
    message: str,
    *,
    is_link: Callable[[str, str], bool] = lambda _path, _text: False,
) -> bytes:
    """Commit `number` (0, 1, 2 …) with these files, a minute after the one before, on `c{number}`."""
    when = 1780000000 + number * 60
    head = (
        f"commit refs/heads/c{number}\nmark :{number + 1}\nauthor {who} {when} +0000\n"
        f"committer {COMMITTER} {when} +0000\ndata {len(message.encode())}\n{message}\n"
    )
    lines = [head]
    lines += [f"from :{parent + 1}\n" for parent in parents[:1]]
    lines += [f"merge :{parent + 1}\n" for parent in parents[1:]]
    lines.append("deleteall\n")
    for path, text in files.items():
        mode = "120000" if is_link(path, text) else "100644"
        lines.append(f"M {mode} inline {path}\ndata {len(text.encode())}\n{text}\n")
    return "".join(lines).encode()


def pour(memory: Memory, commits: Sequence[bytes]) -> list[str]:
    """Make them; their oids."""
    marks = memory.top / ".git" / "marks"
    done = subprocess.run(
        ["git", "fast-import", "--quiet", f"--export-marks={marks}"],
        cwd=memory.top,
        input=b"".join(commits),
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    oids = dict(line.split() for line in marks.read_text().splitlines())
    return [oids[f":{number + 1}"] for number in range(len(commits))]
