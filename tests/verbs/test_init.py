"""`init`: a new memory, an adopted folder, a clone, and what stands in the way."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest
from desk import NOW, Desk
from memory import Memory
from pages import KEY, SETTINGS, card, ledger

from wbmem_git.errors import NoIdentity, SettingsUnreadable, UsageError
from wbmem_git.resources import template
from wbmem_git.store.repository import Repository
from wbmem_git.text.keys import KEYS
from wbmem_git.text.page import parse_page
from wbmem_git.text.settings import parse_settings
from wbmem_git.verbs.begin import Beginning, Begun, begin
from wbmem_git.verbs.init import InitOptions, InitReport
from wbmem_git.verbs.outer import OuterTracks
from wbmem_git.workspace import Workspace

BOARD = "# Plan\n\n## Doing\n\n### One\nfirst\n\n### Two\nsecond\n"


@pytest.fixture(autouse=True)
def identity(monkeypatch: pytest.MonkeyPatch) -> None:
    for who in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{who}_NAME", "Ada")
        monkeypatch.setenv(f"GIT_{who}_EMAIL", "ada@example.org")


def init(folder: Path, **options: object) -> tuple[Desk, InitReport]:
    whole = InitOptions(**{"locale": "en", "now": NOW, **options})  # type: ignore[arg-type]
    workspace, report = Workspace.init(folder, dict(os.environ), whole)
    return Desk(Memory(Path(workspace.top)), workspace), report


def run(folder: Path, *command: str) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout.rstrip("\n")


def lay(folder: Path, files: dict[str, str | bytes]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())


def subjects(it: Desk) -> list[str]:
    return it.memory.git("log", "--reverse", "--format=%s").split("\n")


# --- new ----------------------------------------------------------------------------------------------


def test_a_new_memory_is_one_commit_and_clean(tmp_path: Path) -> None:
    it, report = init(tmp_path / "My Desk_2")
    assert report.created
    assert it.clean()
    assert subjects(it) == ["wbmem: a memory for this workspace"]
    assert it.memory.git("ls-files").split() == [
        *(".gitattributes", ".gitignore", ".pre-commit-config.yaml"),
        *("MEMORY.md", "PINNED.md", "PLAN.md", "wbmem.yaml"),
    ]
    assert re.fullmatch(r"my-desk-2-[0-9a-f]{8}", report.key)
    assert it.verdict() == []
    assert it.workspace.audit().exit_status == 0
    assert report.hooks is not None
    assert report.hooks.complete
    assert report.hooks.driver is not None
    assert report.hooks.driver.state == "active"
    assert it.memory.git("config", "extensions.objectFormat", check=False) in {"", "sha1"}


@pytest.mark.parametrize("locale", ["zh", "en"])
def test_what_it_writes_holds_no_card_and_passes_the_gate(tmp_path: Path, locale: str) -> None:
    it, _ = init(tmp_path, locale=locale)
    assert it.workspace.check_all().passed
    assert [finding for verdict in it.workspace.check_all().verdicts for finding in verdict.findings] == []
    for page in it.workspace.status().pages:
        assert page.cards == ()
        assert bool(page.columns) == (page.kind == "board")
    settings, _ = parse_settings(it.file("wbmem.yaml").decode())
    assert settings is not None
    assert settings.locale == locale


def test_the_settings_template_comments_every_key() -> None:
    text = template("wbmem.yaml")
    for key in KEYS:
        for part in key.name.split("."):
            assert re.search(rf"^(# +)?{part}:", text, re.MULTILINE), key.name
    uncommented = "\n".join(
        line.removeprefix("# ") if re.match(r"# +(- |[a-z_]+:( |$))", line) else line
        for line in text.splitlines()
    )
    shown, findings = parse_settings(uncommented.replace("{workspace}", KEY).replace("{locale}", "en"))
    assert findings == ()
    bare, _ = parse_settings(SETTINGS)
    assert shown is not None
    assert bare is not None
    assert shown._replace(agents=bare.agents, done_columns=bare.done_columns) == bare


@pytest.mark.parametrize("locale", ["zh", "en"])
def test_every_template_is_there_in_each_language(locale: str) -> None:
    for name in ("PLAN.md", "MEMORY.md", "PINNED.md", "USER.md", "USER-CANDIDATES.md", "ledger.md"):
        text = template(name, locale)
        assert text.startswith("# ")
        assert "\r" not in text
        assert (
            not parse_page(name, text, KEY, "board" if name == "PLAN.md" else "entries").cards
            or name == "ledger.md"
        )
    with pytest.raises(FileNotFoundError):
        template("nothing.md", locale)


def test_the_branch_is_what_git_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    it, _ = init(tmp_path / "one")
    assert it.memory.git("branch", "--show-current") == "main"
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "init.defaultBranch")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", "trunk")
    monkeypatch.setenv("GIT_DEFAULT_HASH", "sha256")
    it, _ = init(tmp_path / "two")
    assert it.memory.git("branch", "--show-current") == "trunk"
    assert it.memory.git("rev-parse", "--show-object-format") == "sha1"


def test_a_key_of_ones_own(tmp_path: Path) -> None:
    assert init(tmp_path / "a", key="mine-1")[1].key == "mine-1"
    with pytest.raises(UsageError, match="is no workspace key"):
        init(tmp_path / "b", key="Mine")
    assert not (tmp_path / "b").exists()
    with pytest.raises(UsageError, match="the workspace key here is mine-1"):
        init(tmp_path / "a", key="other-2")
    assert init(tmp_path / "计划")[1].key.startswith("workspace-")


def test_the_global_repository_has_a_profile_and_no_board(tmp_path: Path) -> None:
    it, report = init(tmp_path / "global", is_global=True)
    files = it.memory.git("ls-files").split("\n")
    assert "USER.md" in files
    assert "USER-CANDIDATES.md" in files
    assert "PLAN.md" not in files
    assert report.key.startswith("global-")
    assert it.workspace.check_all().passed


def test_without_an_identity_it_says_what_to_set_and_makes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for who in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{who}_NAME", "")
        monkeypatch.delenv(f"GIT_{who}_EMAIL")
    desk = tmp_path / "desk"
    with pytest.raises(NoIdentity) as caught:
        init(desk)
    assert "git config" in caught.value.hint
    assert list(desk.iterdir()) == []
    lay(desk, {"handoff/PLAN.md": BOARD})
    with pytest.raises(NoIdentity):
        init(desk)
    assert sorted(path.name for path in (desk / "handoff").iterdir()) == ["PLAN.md"]


def test_the_identity_may_come_from_an_included_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for who in ("AUTHOR", "COMMITTER"):
        monkeypatch.delenv(f"GIT_{who}_NAME")
        monkeypatch.delenv(f"GIT_{who}_EMAIL")
    config, included = tmp_path / "gitconfig", tmp_path / "included"
    included.write_text("[user]\n\tname = Eve\n\temail = eve@example.org\n")
    config.write_text(f'[includeIf "gitdir:{tmp_path}/desk/"]\n\tpath = {included}\n')
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(config))
    it, _ = init(tmp_path / "desk")
    assert it.memory.git("log", "-1", "--format=%an <%ae>") == "Eve <eve@example.org>"


def test_a_clone_needs_no_identity(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    it, _ = init(tmp_path / "a")
    (tmp_path / "b").mkdir()
    run(tmp_path, "git", "clone", "-q", str(it.memory.top), str(tmp_path / "b/handoff"))
    for who in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{who}_NAME", "")
        monkeypatch.delenv(f"GIT_{who}_EMAIL")
    assert init(tmp_path / "b")[1].commits == ()


# --- again, and in clones -----------------------------------------------------------------------------


def test_again_it_changes_nothing(tmp_path: Path) -> None:
    it, first = init(tmp_path)
    before = it.memory.git("rev-parse", "HEAD")
    again, report = init(tmp_path)
    assert (report.created, report.commits, report.key) == (False, (), first.key)
    assert again.memory.git("rev-parse", "HEAD") == before
    assert it.clean()


@pytest.mark.parametrize("inside", ["handoff", "handoff/archive"])
def test_inside_a_memory_it_makes_none_within_it(tmp_path: Path, inside: str) -> None:
    _it, first = init(tmp_path)
    (tmp_path / inside).mkdir(exist_ok=True)
    again, report = init(tmp_path / inside)
    assert (report.top, report.key, report.commits) == (first.top, first.key, ())
    assert again.clean()
    assert not list((tmp_path / "handoff").rglob("handoff"))


def test_in_a_clone_it_installs_hooks_and_commits_nothing(tmp_path: Path) -> None:
    it, first = init(tmp_path / "a")
    it.memory.commit({"PLAN.md": it.file().decode() + "\n### Unanchored\n"})
    clone = tmp_path / "b" / "handoff"
    clone.parent.mkdir()
    run(tmp_path, "git", "clone", "-q", str(it.memory.top), str(clone))
    other, report = init(tmp_path / "b")
    assert (report.commits, report.key, report.created) == ((), first.key, False)
    assert other.memory.git("rev-parse", "HEAD") == it.memory.git("rev-parse", "HEAD")
    assert other.clean()
    assert other.workspace.hooks().complete
    assert other.workspace.hooks().driver == ("active", "", False)
    assert "PLAN.md: 1 card has no anchor: wbmem fix --commit" in report.notes


def test_what_a_failed_run_left_is_finished(tmp_path: Path) -> None:
    lay(tmp_path, {"handoff/PLAN.md": BOARD, "handoff/wbmem.yaml": SETTINGS})
    Memory.create(tmp_path / "handoff")
    it, report = init(tmp_path)
    assert (report.created, report.key, len(report.commits)) == (False, KEY, 2)
    assert it.clean()
    assert it.file("wbmem.yaml").decode() == SETTINGS


def test_what_was_killed_between_its_two_commits_is_finished(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    lay(tmp_path, {"handoff/PLAN.md": BOARD})
    with monkeypatch.context() as patched:
        patched.setattr("wbmem_git.verbs.init.fix", killed)
        with pytest.raises(KeyboardInterrupt):
            init(tmp_path)
    assert run(tmp_path / "handoff", "git", "rev-list", "--count", "HEAD") == "1"
    it, report = init(tmp_path)
    assert (len(report.commits), report.anchored) == (1, 2)
    assert it.head().count(b"<!-- memory:") == 2
    assert it.clean()
    bare = it.memory.commit({"PLAN.md": it.head().decode() + "\n### Three\nthird\n"})
    assert init(tmp_path)[1].commits == ()
    assert it.memory.git("rev-parse", "HEAD") == bare


def test_settings_that_cannot_be_read_stop_it(tmp_path: Path) -> None:
    lay(tmp_path, {"handoff/wbmem.yaml": "format: 1\nworkspcae: a\n"})
    with pytest.raises(SettingsUnreadable):
        init(tmp_path)
    assert not run(tmp_path / "handoff", "git", "rev-list", "--all")


# --- adopting -----------------------------------------------------------------------------------------


def test_a_folder_is_adopted_as_it_is_and_then_anchored(tmp_path: Path) -> None:
    files = {
        "PLAN.md": BOARD,
        "MEMORY.md": "# M\n\n## Use tabs\nyes\n",
        "handoff-20260914-101500.md": "not a good ledger\n",
        "log/2026-09-14.md": "did things\n",
        "notes.txt": "mine\n",
        "sub/other.md": "# Other\n",
    }
    lay(tmp_path / "handoff", dict(files))
    it, report = init(tmp_path)
    first, second = report.commits
    for name in ("PLAN.md", "MEMORY.md", "handoff-20260914-101500.md", "log/2026-09-14.md"):
        assert it.memory.git("show", f"{first}:{name}") + "\n" == files[name]
    assert report.adopted == ("MEMORY.md", "PLAN.md", "handoff-20260914-101500.md", "log/2026-09-14.md")
    assert [one.path for one in report.left] == ["notes.txt", "sub/other.md"]
    assert report.anchored == 3
    assert it.memory.git("status", "--porcelain", "-uall") == "?? notes.txt\n?? sub/other.md"
    assert (tmp_path / "handoff/notes.txt").read_text() == "mine\n"
    assert second == it.memory.git("rev-parse", "HEAD")
    assert it.memory.git("show", "--name-only", "--format=", second).split("\n") == ["MEMORY.md", "PLAN.md"]
    assert it.verdict(first) == it.verdict(second) == []
    assert it.workspace.audit().exit_status == 0


def test_pages_that_may_not_come_in_stay_out_and_are_named(tmp_path: Path) -> None:
    lay(
        tmp_path / "handoff",
        {
            "PLAN.md": "\ufeffplan".encode("utf-16"),
            "MEMORY.md": f"# M\n\npass{'word'}: hunter2\n",
            "PINNED.md": "# P\n\n<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n",
        },
    )
    before = {path.name: path.read_bytes() for path in (tmp_path / "handoff").iterdir()}
    it, report = init(tmp_path)
    why = {one.path: one.why.partition(",")[0].partition(" (")[0] for one in report.left}
    assert why == {"PLAN.md": "it can't be read as UTF-8 text", "MEMORY.md": "G5", "PINNED.md": "E1"}
    assert "hunter2" not in repr(report)
    assert it.memory.git("ls-files", "*.md") == ""
    assert {name: it.file(name) for name in before} == before


def test_a_page_that_stays_out_stays_as_it_is_and_its_next_step_works(tmp_path: Path) -> None:
    board = BOARD.replace("first", f"pass{'word'}: hunter2")
    lay(tmp_path / "handoff", {"PLAN.md": board, "MEMORY.md": "# M\n\n## Use tabs\nyes\n", "a b.txt": "x"})
    it, report = init(tmp_path)
    assert it.file().decode() == board
    assert report.anchored == 1
    assert subjects(it) == [
        "wbmem: a memory for this workspace, with a page as it was",
        "fix: an anchor for 1 card",
    ]
    plan, text = report.left
    assert (plan.path, text.path) == ("PLAN.md", "a b.txt")
    assert text.next == "nothing; to keep it in the memory as it is: git add 'a b.txt' && git commit"
    assert "take it out" in plan.next
    it.memory.write("PLAN.md", BOARD)
    way_out = plan.next.rpartition("then: ")[2]
    assert way_out == "git add PLAN.md && wbmem fix && git commit"
    it.memory.git("add", "PLAN.md")
    it.workspace.fix(now=NOW)
    it.memory.git("commit", "-q", "-m", "the board")
    assert it.verdict() == []
    assert it.head().count(b"<!-- memory:") == 2


def test_a_page_that_no_setting_names_says_how_it_becomes_a_board(tmp_path: Path) -> None:
    lay(tmp_path / "handoff", {"IDEAS.md": "# Ideas\n"})
    _, report = init(tmp_path)
    assert report.left[0].next.endswith("to have it as a board: list it under `boards:` in wbmem.yaml first")


def test_a_repository_that_is_there_is_adopted_on_top_of_its_history(tmp_path: Path) -> None:
    memory = Memory.create(tmp_path / "handoff")
    memory.commit({"PLAN.md": BOARD, "notes.txt": "tracked\n"}, "long ago")
    memory.write("PLAN.md", BOARD + "\nunstaged\n")
    memory.write("notes.txt", "staged\n")
    memory.git("add", "notes.txt")
    it, report = init(tmp_path)
    assert subjects(it)[0] == "long ago"
    assert len(report.commits) == 2
    assert it.staged() == ["M notes.txt"]
    assert it.memory.git("diff", "--numstat").split() == ["2", "0", "PLAN.md"]
    assert it.head().count(b"<!-- memory:") == 2
    assert it.workspace.audit().exit_status == 0


def test_what_is_staged_is_adopted_as_it_is_staged(tmp_path: Path) -> None:
    memory = Memory.create(tmp_path / "handoff")
    memory.write("PLAN.md", BOARD)
    memory.git("add", "PLAN.md")
    memory.write("PLAN.md", BOARD + "\nlater\n")
    it, _ = init(tmp_path)
    assert b"later" not in it.head()
    assert it.staged() == [""]
    assert it.memory.git("diff", "--numstat").split() == ["2", "0", "PLAN.md"]


def test_namesakes_and_boards_without_cards_are_told_of(tmp_path: Path) -> None:
    lay(tmp_path / "a/handoff", {"PLAN.md": "# P\n\n## One\n\n### Tasks\n\n## Two\n\n### Tasks\n"})
    it, report = init(tmp_path / "a")
    assert [note for note in report.notes if "fix --retitle" in note] == [
        "PLAN.md: 2 cards are called 'Tasks': wbmem fix --retitle parts their titles"
    ]
    assert it.verdict() == []
    lay(tmp_path / "b/handoff", {"PLAN.md": "# P\n\n- one\n- two\n"})
    it, report = init(tmp_path / "b")
    assert [note for note in report.notes if "wbmem new card" in note]
    assert it.clean()


def test_crlf_and_bom_are_kept(tmp_path: Path) -> None:
    text = "\ufeff" + BOARD.replace("\n", "\r\n")
    lay(tmp_path / "handoff", {"PLAN.md": text})
    it, _ = init(tmp_path)
    lines = it.file().decode().splitlines(keepends=True)
    assert "".join(line for line in lines if "memory:" not in line) == text
    assert all(line.endswith("\r\n") for line in lines)
    assert it.head() == it.file()


def test_under_autocrlf_the_file_keeps_crlf_and_git_stores_lf(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "core.autocrlf")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", "true")
    lay(tmp_path / "handoff", {"PLAN.md": BOARD.replace("\n", "\r\n")})
    it, report = init(tmp_path)
    assert report.anchored == 2
    assert it.file() == it.head().replace(b"\n", b"\r\n")
    assert it.clean()
    assert it.verdict() == []


def test_a_gitignore_of_ones_own_is_kept_and_derived_files_are_ignored_all_the_same(tmp_path: Path) -> None:
    lay(tmp_path / "handoff", {".gitignore": "*.bak\n", "x.bak": "x"})
    it, report = init(tmp_path)
    assert it.file(".gitignore") == b"*.bak\n"
    lay(tmp_path / "handoff", {"index.json": "{}", "events.jsonl": ""})
    assert it.clean()
    assert any("index.json" in note for note in report.notes)
    init(tmp_path)
    assert (tmp_path / "handoff/.git/info/exclude").read_text().count("index.json") == 1


def test_an_agent_may_init_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_AUTHOR_EMAIL", "bot@agent.local")
    lay(tmp_path / "handoff", {"PLAN.md": BOARD + "\n" + card("Three", user="said before")})
    it, report = init(tmp_path)
    assert len(report.commits) == 2
    assert it.verdict() == []


def test_a_good_many_ledgers_are_adopted_at_once(tmp_path: Path) -> None:
    names = [f"handoff-20260914-10{n // 60:02}{n % 60:02}.md" for n in range(120)]
    lay(tmp_path / "handoff", dict.fromkeys(names, ledger()))
    it, report = init(tmp_path)
    assert len(report.adopted) == len(names)
    assert it.clean()


# --- the repository around ----------------------------------------------------------------------------


def outer(tmp_path: Path) -> Memory:
    memory = Memory.create(tmp_path / "project")
    memory.commit({"code.py": "x = 1\n"})
    return memory


def test_an_outer_repository_does_not_pick_it_up(tmp_path: Path) -> None:
    project = outer(tmp_path)
    (project.top / ".git/info/exclude").write_text("*.o")
    init(project.top)
    project.git("add", "-A")
    assert project.git("status", "--porcelain") == ""
    assert (project.top / ".git/info/exclude").read_text() == "*.o\n/handoff/\n"
    init(project.top)
    assert (project.top / ".git/info/exclude").read_text() == "*.o\n/handoff/\n"


def test_a_workspace_deep_inside_an_outer_repository_too(tmp_path: Path) -> None:
    project = outer(tmp_path)
    place = project.top / "a [b]" / "c*"
    place.mkdir(parents=True)
    init(place)
    project.git("add", "-A")
    assert project.git("status", "--porcelain") == ""


def test_a_folder_that_the_outer_repository_ignores_needs_no_line(tmp_path: Path) -> None:
    project = outer(tmp_path)
    project.commit({".gitignore": "handoff/\n"})
    before = (project.top / ".git/info/exclude").read_text()
    _, report = init(project.top)
    assert (project.top / ".git/info/exclude").read_text() == before
    assert [note for note in report.notes if "when that is emptied" not in note] == []  # the checkout itself


def test_a_memory_behind_a_symbolic_link_is_kept_out_too(tmp_path: Path) -> None:
    project = outer(tmp_path)
    (tmp_path / "elsewhere").mkdir()
    (project.top / "handoff").symlink_to(tmp_path / "elsewhere")
    init(project.top)
    project.git("add", "-A")
    assert project.git("status", "--porcelain") == ""
    assert (tmp_path / "elsewhere/PLAN.md").is_file()


def test_git_clean_spares_it(tmp_path: Path) -> None:
    project = outer(tmp_path)
    it, _ = init(project.top)
    project.git("clean", "-fdx")
    project.git("stash", "-u", "-q", check=False)
    assert it.clean()


def test_from_a_linked_worktree_the_exclude_file_of_all_of_them_is_found(tmp_path: Path) -> None:
    project = outer(tmp_path)
    linked = Memory(tmp_path / "linked")
    project.git("worktree", "add", "-q", "-b", "side", str(linked.top))
    _, report = init(linked.top)
    linked.git("add", "-A")
    assert linked.git("status", "--porcelain") == ""
    assert "/handoff/" in (project.top / ".git/info/exclude").read_text()
    assert [note for note in report.notes if "linked worktree" in note]


@pytest.mark.parametrize("kind", ["files", "gitlink"])
@pytest.mark.parametrize("name", ["plain", "it's a; touch HIJACKED; b"])
def test_an_outer_repository_that_tracks_it_stops_it_and_it_says_how_to_go_on(
    tmp_path: Path, kind: str, name: str
) -> None:
    project = outer(tmp_path / name)
    if kind == "files":
        project.commit({"handoff/PLAN.md": BOARD})
    else:
        inner = Memory.create(project.top / "handoff")
        inner.commit({"PLAN.md": BOARD})
        project.git("-c", "advice.addEmbeddedRepo=false", "add", "handoff")
        project.git("commit", "-q", "-m", "swept in")
    with pytest.raises(OuterTracks) as caught:
        init(project.top)
    assert (project.top / "handoff/.git").exists() == (kind == "gitlink")
    way_out = caught.value.hint.partition(": ")[2].rpartition("; commit that")[0]
    run(tmp_path, "sh", "-c", way_out)
    assert not (tmp_path / "HIJACKED").exists()
    project.git("commit", "-q", "-m", "let it go")
    it, _ = init(project.top)
    assert it.head().count(b"<!-- memory:") == 2
    assert project.git("status", "--porcelain") == ""


def test_inside_a_hook_of_the_outer_repository_it_makes_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = outer(tmp_path)
    monkeypatch.setenv("GIT_DIR", str(project.top / ".git"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(project.top / ".git/index"))
    _, report = init(project.top)
    monkeypatch.delenv("GIT_DIR")
    monkeypatch.delenv("GIT_INDEX_FILE")
    assert Path(report.top, ".git").is_dir()
    assert project.git("ls-files") == "code.py"


def test_an_init_that_another_one_overtook_commits_nothing(tmp_path: Path) -> None:
    it, _ = init(tmp_path)
    head = it.memory.head()
    with Repository.open(str(it.memory.top), os.environ) as repository:
        wanted = Beginning("en", "", is_global=False, name="again")
        assert begin(repository, wanted, it.workspace.judge(repository)) == Begun()
    assert it.memory.head() == head
