"""Native hooks as files: where they are written, what they keep, what they say when something is gone."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from memory import Memory

from wbmem_git.store.repository import Repository
from wbmem_git.verbs.hooks.files import TwoKept
from wbmem_git.verbs.hooks.install import InstallReport, SharedHooks, install, remove, status
from wbmem_git.verbs.hooks.scripts import PIECES, Origin, origin_of, script
from wbmem_git.verbs.throwaway import throwaway_note

if TYPE_CHECKING:
    from collections.abc import Callable

CLOSED = ("pre-commit", "pre-merge-commit", "prepare-commit-msg", "commit-msg", "pre-push")
OPEN = ("post-commit", "post-merge", "post-checkout", "post-rewrite", "post-applypatch")


@pytest.fixture
def recorder(tmp_path: Path) -> Origin:
    """An interpreter that writes down what it was started with and read, and ends with what `status` says."""
    folder = tmp_path / "it's an environment"
    folder.mkdir()
    python, main = folder / "python", folder / "__main__.py"
    python.write_text(
        '#!/bin/sh\n[ "$3" != -c ] || exit 0\nhere=${0%/*}\n'
        'printf "%s\\n" "$*" | sed "s|$here/||g" >>"$here/log"\n'
        'case $4 in pre-push | post-rewrite) sed "s/^/< /" >>"$here/log" ;; esac\n'
        'exit "$(cat "$here/status" 2>/dev/null || echo 0)"\n'
    )
    python.chmod(0o755)
    main.write_text("")
    return Origin(str(python), str(main))


def log(origin: Origin) -> list[str]:
    path = Path(origin.python).with_name("log")
    return path.read_text().splitlines() if path.exists() else []


def does(memory: Memory, verb: Callable[[Repository], InstallReport]) -> InstallReport:
    with Repository.open(str(memory.top), os.environ) as repository:
        return verb(repository)


def put(memory: Memory, origin: Origin) -> InstallReport:
    return does(memory, lambda repository: install(repository, {}, origin))


def stand(memory: Memory, origin: Origin) -> InstallReport:
    return does(memory, lambda repository: status(repository, {}, origin))


def hook_file(memory: Memory, name: str, body: str) -> Path:
    path = memory.top / ".git/hooks" / name
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return path


def test_every_hook_is_written_and_a_second_time_nothing_changes(memory: Memory, recorder: Origin) -> None:
    first = put(memory, recorder)
    assert first.written == tuple(PIECES)
    assert first.complete
    before = {name: (memory.top / ".git/hooks" / name).stat().st_mtime_ns for name in PIECES}
    second = put(memory, recorder)
    assert (second.written, second.complete) == ((), True)
    assert {name: (memory.top / ".git/hooks" / name).stat().st_mtime_ns for name in PIECES} == before


@pytest.mark.parametrize("shell", ["dash", "bash --posix", "busybox sh"])
@pytest.mark.parametrize("name", PIECES)
def test_a_script_is_posix_shell(name: str, shell: str, tmp_path: Path, recorder: Origin) -> None:
    if shutil.which(shell.partition(" ")[0]) is None:
        shell = "sh"
    path = tmp_path / name
    path.write_text(script(name, recorder))
    done = subprocess.run([*shell.split(), "-n", str(path)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_script_tells_what_it_starts() -> None:
    for path in ("/plain/python", "/it's/a path/python", "/路径/python"):
        assert origin_of(script("pre-commit", Origin(path, "/m"))) == Origin(path, "/m")
    assert origin_of("#!/bin/sh\nexit 0\n") is None


def test_git_starts_python_by_its_absolute_path_whatever_path_is(memory: Memory, recorder: Origin) -> None:
    put(memory, recorder)
    memory.write("PLAN.md", "# Plan\n")
    memory.git("add", "-A")
    bare = {"HOME": os.environ["HOME"], "PATH": "/usr/bin:/bin", "GIT_CONFIG_GLOBAL": os.devnull}
    done = subprocess.run(
        [
            "/usr/bin/env",
            "-i",
            *(f"{key}={value}" for key, value in bare.items()),
            "git",
            "commit",
            "-qm",
            "x",
        ],
        cwd=memory.top,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert log(recorder)[0] == "-I -S __main__.py pre-commit"


@pytest.mark.parametrize("name", CLOSED)
@pytest.mark.parametrize("lost", ["python", "main", "library"])
def test_a_lost_installation_refuses_and_names_the_mending_command(
    name: str, lost: str, memory: Memory, recorder: Origin
) -> None:
    put(memory, recorder)
    if lost == "library":  # a virtual environment whose Python was uninstalled
        Path(recorder.python).write_text("#!/bin/sh\necho 'No module named encodings' >&2; exit 1\n")
    else:
        Path(getattr(recorder, lost)).unlink()
    message = memory.write("message", "token\n")
    done = subprocess.run(
        [str(memory.top / ".git/hooks" / name), str(message)],
        cwd=memory.top,
        capture_output=True,
        text=True,
        input="",
        check=False,
    )
    assert done.returncode != 0
    assert done.stderr.count("wbmem hooks install") == 1
    assert (recorder.main if lost == "main" else recorder.python) in done.stderr


@pytest.mark.parametrize("name", OPEN)
def test_after_the_fact_a_lost_installation_is_only_told(name: str, memory: Memory, recorder: Origin) -> None:
    memory.commit({"PLAN.md": "# Plan\n"})
    put(memory, recorder)
    Path(recorder.python).unlink()
    applying = memory.top / ".git/rebase-apply"
    if name == "post-applypatch":
        applying.mkdir()
        for file in ("applying", "next", "last"):
            (applying / file).write_text("1\n")
    done = subprocess.run(
        [str(memory.top / ".git/hooks" / name), "0", memory.git("rev-parse", "HEAD"), "1"],
        cwd=memory.top,
        capture_output=True,
        text=True,
        input="",
        check=False,
    )
    assert done.returncode == 0
    assert done.stderr.count("wbmem hooks install") == 1


def test_a_hook_that_was_there_runs_first_and_its_status_counts(memory: Memory, recorder: Origin) -> None:
    hook_file(
        memory, "pre-commit", 'echo "theirs $#" >>"$PWD/ran"; exit "$(cat status 2>/dev/null || echo 0)"'
    )
    put(memory, recorder)
    memory.write("PLAN.md", "# Plan\n")
    memory.git("add", "PLAN.md")
    memory.git("commit", "-qm", "one")
    assert memory.read("ran") == "theirs 0\n"
    memory.write("status", "7")
    started = log(recorder)
    refused = memory.try_git("commit", "-qm", "two", "--allow-empty")
    assert refused.returncode != 0
    assert log(recorder) == started  # what theirs refuses isn't looked at any more


def test_a_hook_that_was_there_and_passes_lets_ours_refuse(memory: Memory, recorder: Origin) -> None:
    hook_file(memory, "pre-commit", "exit 0")
    put(memory, recorder)
    Path(recorder.python).with_name("status").write_text("1")
    assert memory.try_git("commit", "-qm", "x", "--allow-empty").returncode != 0


def test_a_chained_push_hook_and_ours_both_read_every_ref(
    memory: Memory, recorder: Origin, tmp_path: Path
) -> None:
    hook_file(memory, "pre-push", 'cat >>"$PWD/pushed"; echo "$@" >>"$PWD/pushed"')
    commit = memory.commit({"PLAN.md": "# Plan\n"})
    put(memory, recorder)
    memory.git("init", "-q", "--bare", str(tmp_path / "remote"))
    memory.git("branch", "side")
    memory.git("push", "-q", str(tmp_path / "remote"), "main", "side")
    lines = [f"refs/heads/{name} {commit} refs/heads/{name} {'0' * 40}" for name in ("main", "side")]
    assert memory.read("pushed").splitlines()[:2] == lines
    assert [line for line in log(recorder) if line.startswith("< ")] == [f"< {line}" for line in lines]


def test_a_chained_push_hook_that_reads_nothing_and_refuses_stops_the_push(
    memory: Memory, recorder: Origin, tmp_path: Path
) -> None:
    hook_file(memory, "pre-push", "exit 3")
    memory.commit({"PLAN.md": "# Plan\n"})
    put(memory, recorder)
    memory.git("init", "-q", "--bare", str(tmp_path / "remote"))
    assert memory.try_git("push", "-q", str(tmp_path / "remote"), "main").returncode != 0
    assert log(recorder) == []


def test_after_a_rebase_both_hooks_read_what_became_what(
    memory: Memory, recorder: Origin, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WBMEM_DETACH", "0")
    memory.commit({"a": "a\n"})
    memory.git("checkout", "-q", "-b", "side")
    old = memory.commit({"b": "b\n"})
    memory.git("checkout", "-q", "main")
    memory.commit({"c": "c\n"})
    hook_file(memory, "post-rewrite", 'sed "s/^/$1 /" >>"$PWD/.git/rewritten"')
    put(memory, recorder)
    memory.git("rebase", "-q", "main", "side")
    new = memory.git("rev-parse", "side")
    assert memory.read(".git/rewritten") == f"rebase {old} {new}\n"
    said = ["-I -S __main__.py post-rewrite rebase", f"< {old} {new}", "-I -S __main__.py refresh"]
    assert log(recorder)[-3:] == said


def test_removing_puts_back_what_was_there_byte_for_byte(memory: Memory, recorder: Origin) -> None:
    body = b"#!/bin/sh\r\n# caf\xe9\nexit 0"
    kept = memory.top / ".git/hooks/commit-msg"
    kept.write_bytes(body)
    kept.chmod(0o750)
    target = memory.write("tools/push.sh", "#!/bin/sh\n")
    (memory.top / ".git/hooks/pre-push").symlink_to("../../tools/push.sh")
    before = sorted(path.name for path in (memory.top / ".git/hooks").iterdir())
    put(memory, recorder)
    assert target.read_text() == "#!/bin/sh\n"  # no link is written through
    report = does(memory, remove)
    assert report.written == tuple(PIECES)
    assert kept.read_bytes() == body
    assert kept.stat().st_mode & 0o777 == 0o750
    assert (memory.top / ".git/hooks/pre-push").readlink() == Path("../../tools/push.sh")
    assert sorted(path.name for path in (memory.top / ".git/hooks").iterdir()) == before


def test_removing_leaves_a_foreign_hook_alone(memory: Memory) -> None:
    path = hook_file(memory, "pre-commit", "exit 0")
    assert does(memory, remove).hooks[0].state == "foreign"
    assert path.exists()


def test_an_executable_bit_that_was_lost_is_told_and_given_back(memory: Memory, recorder: Origin) -> None:
    put(memory, recorder)
    (memory.top / ".git/hooks/pre-commit").chmod(0o644)
    assert [hook.name for hook in stand(memory, recorder).hooks if hook.state == "inert"] == ["pre-commit"]
    assert put(memory, recorder).written == ("pre-commit",)
    assert stand(memory, recorder).complete


def test_a_script_of_another_release_is_told_and_renewed(memory: Memory, recorder: Origin) -> None:
    put(memory, recorder)
    path = memory.top / ".git/hooks/pre-push"
    path.write_text(path.read_text() + "# older\n")
    assert [hook.name for hook in stand(memory, recorder).hooks if hook.state == "outdated"] == ["pre-push"]
    assert put(memory, recorder).written == ("pre-push",)


def test_what_a_hook_starts_and_is_gone_is_told(memory: Memory, recorder: Origin) -> None:
    put(memory, recorder)
    Path(recorder.main).unlink()
    assert {hook.state for hook in stand(memory, recorder).hooks} == {"broken"}


def test_a_second_foreign_hook_isnt_guessed_about(memory: Memory, recorder: Origin) -> None:
    hook_file(memory, "pre-commit", "exit 0")
    put(memory, recorder)
    written_over = hook_file(memory, "pre-commit", "exit 1")
    (memory.top / ".git/hooks/pre-push").unlink()
    with pytest.raises(TwoKept, match="another tool wrote this hook"):
        put(memory, recorder)
    assert written_over.read_text() == "#!/bin/sh\nexit 1\n"
    assert not (memory.top / ".git/hooks/pre-push").exists()  # all or nothing


def test_a_hooks_folder_of_this_repository_is_followed(memory: Memory, recorder: Origin) -> None:
    memory.git("config", "core.hooksPath", ".husky")
    report = put(memory, recorder)
    assert Path(report.folder) == memory.top / ".husky"
    assert any("keep them out of commits" in note for note in report.notes)
    memory.git("commit", "-q", "--allow-empty", "-m", "x")
    assert log(recorder)[0] == "-I -S __main__.py pre-commit"


def test_a_hooks_folder_that_others_share_is_never_written_to(
    memory: Memory, recorder: Origin, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shared = tmp_path / "everybody"
    shared.mkdir()
    config = tmp_path / "gitconfig"
    config.write_text(f"[core]\n\thooksPath = {shared}\n")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(config))
    with pytest.raises(SharedHooks) as raised:
        put(memory, recorder)
    assert list(shared.iterdir()) == []
    command = raised.value.hint.partition(", then")[0]
    subprocess.run(["sh", "-c", command], cwd=memory.top, check=True)
    assert put(memory, recorder).complete
    memory.git("commit", "-q", "--allow-empty", "-m", "x")
    assert log(recorder)[0] == "-I -S __main__.py pre-commit"


def test_one_installation_serves_every_worktree(memory: Memory, recorder: Origin, tmp_path: Path) -> None:
    memory.commit({"PLAN.md": "# Plan\n"})
    memory.git("worktree", "add", "-q", str(tmp_path / "linked"), "-b", "side")
    linked = Memory(tmp_path / "linked")
    report = put(linked, recorder)
    assert Path(report.folder) == memory.top / ".git/hooks"
    for place in (memory, linked):
        place.git("commit", "-q", "--allow-empty", "-m", "x")
    assert log(recorder).count("-I -S __main__.py pre-commit") == 2


def test_a_submodule_gets_its_own_hooks(memory: Memory, recorder: Origin, tmp_path: Path) -> None:
    memory.commit({"PLAN.md": "# Plan\n"})
    outer = Memory.create(tmp_path / "outer")
    outer.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(memory.top), "handoff")
    inner = Memory(outer.top / "handoff")
    inner.git("config", "user.name", "Ada")
    inner.git("config", "user.email", "ada@example.org")
    report = put(inner, recorder)
    assert Path(report.folder) == outer.top / ".git/modules/handoff/hooks"
    inner.git("commit", "-q", "--allow-empty", "-m", "x")
    assert log(recorder)[0] == "-I -S __main__.py pre-commit"
    outer.git("commit", "-q", "-m", "outer")
    assert log(recorder).count("-I -S __main__.py pre-commit") == 1


@pytest.mark.parametrize(
    ("place", "what"),
    [
        ("/tmp/x/bin/python", "a temporary folder"),
        ("/home/ada/.cache/pre-commit/repo1/py_env-python3/bin/python", "the pre-commit framework's cache"),
        ("/home/ada/.cache/uv/archive-v0/abc/bin/python", "uv's cache"),
        ("/home/ada/.local/pipx/.cache/0123/bin/python", "pipx's cache"),
        ("/scratch/env/bin/python", "$TMPDIR"),
        ("/home/ada/.local/share/pipx/venvs/wbmem/bin/python", ""),
        ("/usr/bin/python3", ""),
    ],
)
def test_an_environment_that_is_thrown_away_again_is_warned_of(place: str, what: str) -> None:
    variables = {"HOME": "/home/ada", "TMPDIR": "/scratch"}
    note = throwaway_note((place, "/opt/wbmem/__main__.py"), variables)
    assert (what in note) if what else note == ""


def test_what_runs_now_is_what_hooks_start_by_default(memory: Memory) -> None:
    report = does(memory, lambda repository: install(repository, {}))
    assert report.complete
    started = origin_of((memory.top / ".git/hooks/pre-commit").read_text())
    assert started is not None
    assert started.python == sys.executable
    assert Path(started.main).is_file()
