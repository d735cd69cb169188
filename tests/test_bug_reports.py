"""Faults that people reported of other tools, tried on wbmem.

The table names each report; the test that tries it says `BUGS` and its name. Those on Markdown used as a
database stand here, from the editor to the commit; those on hooks, git and the framework in tests/hooks/ and
tests/verbs/.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from desk import NOW, Desk, desk
from pages import card, id_of

from wbmem_git.text.archive import parse_archive
from wbmem_git.text.page import parse_page

if TYPE_CHECKING:
    import subprocess

TESTS = Path(__file__).resolve().parent
REPORTS = {
    "A1": ("entireio/cli#2330", "a partial commit is judged on the wrong index"),
    "A3": ("j178/prek#2654", "the index of `commit --only` names a tree that isn't written yet"),
    "A4": ("evilmartians/lefthook#1264", "an outer repository's hook leaks GIT_INDEX_FILE"),
    "A6": ("pimterry/git-confirm#14", "there is no HEAD yet"),
    "A7": ("mick-gsk/drift#592", "an amend is compared with the wrong parent"),
    "A8": ("git-pkgs/git-pkgs#209", "a hook after each commit makes a rebase crawl"),
    "A9": ("Barnett-Studios/cxpak#100", "in a linked worktree `.git` is a file"),
    "A11": ("desktop/desktop#12586", "a graphical client starts git with a bare PATH"),
    "A12": ("frank890417/taiwan-md#1297", "names that git quotes are skipped"),
    "A14": ("nimbalyst/nimbalyst#626", "many agents at once, and failures told as successes"),
    "A16": ("IstiN/dmtools-agents#440", "a nested repository is swept into the outer one"),
    "A17": ("EVerest/logfiles#4", "names that Windows can't check out"),
    "A18": ("apache/magpie#1219", "signing is on and fails"),
    "B1": ("libgit2/libgit2#7260", "a split or sparse index can't be read"),
    "B3": ("libgit2/libgit2#964", "a library's commits run no hooks"),
    "B4": ("libgit2/pygit2#1401", "blame is slow and hungry"),
    "B5": ("zillow/battenberg#25", "no identity is configured"),
    "B6": ("garrytan/gbrain#3517", "raw bytes are compared with normalized blobs"),
    "C1": ("apache/maka#5361", "a heading in a code fence becomes a card"),
    "C3": ("engram-app/Engram#1616", "Setext lines and front matter are read as headings"),
    "C4": ("basicmachines-co/basic-memory#1531", "of two headings with one title the wrong one is edited"),
    "C5": ("hukkin/mdformat#402", "a formatter rewrites what identifies an entry"),
    "C6": ("nimbalyst/nimbalyst#1552", "one field is edited and the whole front matter rewritten"),
    "C7": ("microsoft/amplifier-foundation#308", "a BOM drops what the page says"),
    "C9": ("akof1314/Wiz.Editor.md#120", "headings as Chinese writers type them are none"),
    "E1": ("pre-commit/pre-commit#3502", "a commit that only deletes or renames skips the hook"),
    "E2": ("pre-commit/pre-commit#2744", "a post-commit hook with `files:` never runs"),
    "E5": ("pre-commit/pre-commit#3161", "without a network there is no commit"),
    "E6": ("pre-commit/pre-commit-hooks#57", "fixers beside the gate make agents loop"),
}
LATER = {"B4"}
"""What no command of this release does (docs/decisions.md)."""


def test_each_report_is_tried_somewhere() -> None:
    said = " ".join(path.read_text(encoding="utf-8") for path in TESTS.rglob("*.py"))
    cited = {
        name for found in re.findall(r"BUGS ([A-E]\d+(?:, [A-E]\d+)*)", said) for name in found.split(", ")
    }
    assert set(REPORTS) - cited == LATER


# --- Markdown used as a database ------------------------------------------------------------------------


def commit(it: Desk) -> subprocess.CompletedProcess[str]:
    return it.memory.try_git("commit", "-q", "-a", "-m", "a commit")


def refused(it: Desk, *said: str) -> None:
    done = commit(it)
    assert done.returncode, done.stderr
    assert all(piece in done.stderr for piece in said), done.stderr


def titles(it: Desk) -> list[str]:
    return [one.title for one in parse_page("PLAN.md", it.file().decode(), "k", "board").cards]


@pytest.mark.parametrize(
    "example",
    [
        "```md\n### Installation\n```",
        "~~~\n### Installation\n```\n### Usage\n~~~",
        "````md\n```\n### Installation\n```\n### Usage\n````",
        "- a list\n\n  ```md\n  ### Installation\n  ```",
        "    ### Installation",
    ],
    ids=["backticks", "tildes", "four backticks", "in a list item", "indented"],
)
def test_a_heading_in_code_is_no_card_and_cuts_none(example: str, tmp_path: Path) -> None:  # BUGS C1
    kept = "Keep this final line."
    first = card("A", f"{example}\n\n{kept}")
    it = desk(tmp_path, "hooks", f"## Doing\n\n{first}\n{card('B')}")
    assert titles(it) == ["A", "B"]
    it.edit(f"{example}\n\n", "")
    assert commit(it).returncode == 0
    it.edit(f"{kept}\n", f"{example}\n\n{kept}\n")
    assert commit(it).returncode == 0
    it.workspace.archive([id_of("A")], "done", now=NOW, commit=True)
    body = parse_archive(it.head(f"archive/{id_of('A')}.md").decode(), "k").body
    assert example in body
    assert kept in body
    it.edit("### B\n", "```\n### B\n")
    refused(it, 'C2 card "B" is gone', "never closed")


def test_lines_below_text_and_front_matter_make_no_card_unseen(tmp_path: Path) -> None:  # BUGS C3
    front = "---\nnotes: |\n  ### not a card\n---\n"
    it = desk(tmp_path, "hooks", f"{front}## Doing\n\n{card('A')}\n{card('B')}")
    assert titles(it) == ["A", "B"]
    it.edit("\n### B", "\nstatus: done\n---\n\n### B")
    done = commit(it)
    assert done.returncode == 0, done.stderr
    assert "C6 (soft)" in done.stderr
    assert 'heading of level 2 and ends card "A"' in done.stderr
    assert titles(it) == ["A", "B"]


def test_of_two_cards_with_one_title_none_is_taken_for_the_other(tmp_path: Path) -> None:  # BUGS C4
    text = "## Doing\n\n### Fix login\nthe first\n\n### Fix login\nthe second\n"
    it = desk(tmp_path, "hooks", text)
    it.workspace.fix(now=NOW, commit=True)
    first, second = (one.id for one in parse_page("PLAN.md", it.file().decode(), "k", "board").cards)
    assert first != second
    it.workspace.archive([second], "done", now=NOW, commit=True)
    assert "the first" in it.file().decode()
    assert "the second" not in it.file().decode()
    assert "the second" in it.head(f"archive/{second}.md").decode()
    it.edit(f"### Fix login\n<!-- memory:{first} -->\nthe first\n", "")
    refused(it, 'C2 card "Fix login" is gone', '"the first"')


def test_one_entry_more_changes_one_line_of_the_settings(tmp_path: Path) -> None:  # BUGS C6
    it = desk(tmp_path)
    settings = (
        "# the settings\n"
        'workspace: "desk-12345678"  # keep\n'
        "agents: [  '*@bots.example.org',   \"🚀@example.org\"  ]\n"
        f"columns:\n    done: ['完成',  \"{'long ' * 30}\"]\n"
        "allow:\n  - aaaaaaaa   # the first\n"
    )
    it.memory.commit({"wbmem.yaml": settings})
    it.memory.write("PLAN.md", it.file().decode() + "\npassword: hunter2hunter\n")
    checked = it.workspace.check_files(["PLAN.md"])
    (found,) = (one for verdict in checked.verdicts for one in verdict.findings if one.rule == "G5")
    digits = found.fix.rsplit(" ", 1)[1]
    it.workspace.allow(digits)
    lines = it.head("wbmem.yaml").decode().splitlines(keepends=True)
    (added,) = (line for line in lines if digits in line)
    assert "".join(line for line in lines if line != added) == settings


@pytest.mark.parametrize(
    ("settings", "line"),
    [
        ("workspace: a\nworkspace: a\n", 2),
        ("workspace: a\nlocale: zh: en\n", 2),
        ("workspace: @home\n", 1),
        ("workspace: a\nlint:\n\tstale_days: 3\n", 3),
        ("workspace: a\n---\nworkspace: a\n", 2),
        ("workspace: !!python/object/apply:os.system [true]\n", 1),
        ("workspace: &a a\nlocale: *a\n", 1),
    ],
    ids=["a key twice", "two colons", "an at sign", "a tab", "two documents", "a tag", "an alias"],
)
def test_bad_yaml_is_told_with_its_line_and_blocks_that_file(  # BUGS C6
    settings: str, line: int, tmp_path: Path
) -> None:
    it = desk(tmp_path, "hooks")
    it.memory.write("wbmem.yaml", settings)
    refused(it, f"wbmem.yaml:{line}: W2 ")
    it.edit("sharpen the saw", "sharpen the axe")
    assert it.memory.try_git("commit", "-q", "-m", "a page alone", "--", "PLAN.md").returncode == 0


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_a_page_that_is_no_utf_8_is_refused_by_name(encoding: str, tmp_path: Path) -> None:  # BUGS C7
    it = desk(tmp_path, "hooks")
    it.memory.write("PLAN.md", it.file().decode().encode(encoding))
    refused(it, "PLAN.md:1: E1 PLAN.md holds ", "save it as UTF-8", 'C2 card "Alpha" is gone')


def test_a_bom_is_kept_and_hides_no_card(tmp_path: Path) -> None:  # BUGS C7
    it = desk(tmp_path, "hooks")
    text = it.file().decode().removeprefix("# Plan\n\n## Doing\n\n")
    it.memory.write("PLAN.md", f"\ufeff{text}")
    assert commit(it).returncode == 0
    assert titles(it) == ["Alpha", "Beta", "Gamma"]
    it.workspace.archive([id_of("Alpha")], "done", now=NOW, commit=True)
    assert it.head().decode().startswith("\ufeff### Beta\n")


@pytest.mark.parametrize("heading", ["###{}", "＃＃＃ {}", "###　{}", "###\u00a0{}"])
def test_a_heading_that_is_none_is_told_and_a_card_that_becomes_one_is_gone(  # BUGS C9
    heading: str, tmp_path: Path
) -> None:
    it = desk(tmp_path, "hooks")
    it.memory.write("PLAN.md", it.file().decode() + f"\n{heading.format('登录修复')}\n")
    done = commit(it)
    assert done.returncode == 0, done.stderr
    assert "C6 (soft)" in done.stderr
    it.edit("### Gamma\n", heading.format("Gamma") + "\n")
    refused(it, 'C2 card "Gamma" is gone')


def test_closing_hashes_are_no_part_of_a_title(tmp_path: Path) -> None:  # BUGS C9
    it = desk(tmp_path, text="## Doing\n\n### 站会 ###\n\n### Build C#\n")
    assert titles(it) == ["站会", "Build C#"]
