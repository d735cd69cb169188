"""The pre-commit framework: alone, beside the native hooks in any order, by hand, in CI."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hooks.gated import AS_AGENT, IN_AGENTS_SHELL, drop_b, hooks_folder, install_hooks, journal, mark, refused
from memory import Memory
from pages import SETTINGS, board, card
from ruamel.yaml import YAML

from wbmem_git.resources import template
from wbmem_git.store.repository import Repository
from wbmem_git.verbs.hooks.install import remove, status
from wbmem_hooks.doors import AFTER, BEFORE

CHECKOUT = Path(__file__).resolve().parents[2]
THREE = board(card("A"), card("B"), card("C"))
TWO = board(card("A"), card("B"))
SOFT = board(card("A"), card("B"), card("C", "Nothing in particular is said about this"))


@pytest.fixture
def framed(memory: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Memory:
    """A memory with the shipped configuration; nothing is installed, and no registry can be reached."""
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("PRE_COMMIT_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/")
    memory.commit(
        {
            "wbmem.yaml": SETTINGS,
            "PLAN.md": TWO,
            ".pre-commit-config.yaml": template("pre-commit-config.yaml"),
        },
        "begin",
    )
    return memory


def pre_commit(memory: Memory, *args: str, check: bool = True) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [sys.executable, "-m", "pre_commit", *args],
        cwd=memory.top,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert not check or done.returncode == 0, done.stdout
    return done


def commit(memory: Memory, text: str, *options: str, env: dict[str, str] | None = None) -> str:
    memory.write("PLAN.md", text)
    memory.git("commit", "-qam", "x", *options, env=env)
    return memory.git("rev-parse", "HEAD")


def past_the_gate(memory: Memory, text: str) -> str:
    memory.write("PLAN.md", text)
    memory.git("-c", "core.hooksPath=/dev/null", "commit", "-qam", "past the gate")
    return memory.git("rev-parse", "HEAD")


# --- alone ------------------------------------------------------------------------------------------


def test_install_alone_gates_a_commit_and_audits_it(framed: Memory) -> None:  # BUGS E2, E5
    said = pre_commit(framed, "install").stdout
    assert said.count("pre-commit installed at") == 9
    head = commit(framed, THREE, env=IN_AGENTS_SHELL)
    assert framed.git("log", "-1", "--format=%(trailers)") == "Wbmem-Actor: agent"
    assert mark(framed) == head
    commit(framed, SOFT, "--no-verify", env=IN_AGENTS_SHELL)
    assert framed.git("log", "-1", "--format=%(trailers)") == "Wbmem-Actor: agent"
    drop_b(framed)
    done = framed.try_git("commit", "-qam", "x")
    assert refused(done, "C2").count('card "B" is gone') == 1
    refused(framed.try_git("commit", "-qam", "again"), 'card "B" is gone')  # told again


def test_install_alone_gates_what_runs_no_pre_commit_hook(framed: Memory) -> None:
    pre_commit(framed, "install")
    commit(framed, THREE)
    refused(framed.try_git("revert", "--no-edit", "HEAD"), "C2")
    framed.git("reset", "-q", "--hard")
    drop_b(framed)
    refused(framed.try_git("commit", "-qanm", "x", env=AS_AGENT), "C2")
    refused(framed.try_git("commit", "-qam", "x", env={"SKIP": "wbmem-gate"}), "C2")  # BUGS D15
    done = framed.try_git("commit", "-qanm", "x")
    assert done.returncode == 0
    assert "--no-verify lets pass" in done.stderr
    assert journal(framed)[-1]["commit"] == framed.git("rev-parse", "HEAD")


def test_install_alone_gates_merges_and_pushes(framed: Memory, tmp_path: Path) -> None:
    pre_commit(framed, "install")
    framed.git("checkout", "-q", "-b", "side")
    past_the_gate(framed, THREE)
    framed.git("checkout", "-q", "main")
    framed.commit({"notes.md": "x\n"})
    refused(framed.try_git("merge", "-q", "--no-edit", "-s", "ours", "side"), "C2")
    framed.git("merge", "--abort")
    framed.git("merge", "-q", "--no-edit", "side")
    bad = past_the_gate(framed, TWO)
    framed.git("init", "-q", "--bare", str(tmp_path / "remote.git"))
    framed.git("remote", "add", "origin", str(tmp_path / "remote.git"))
    pushed = framed.try_git("push", "-q", "origin", "main")
    assert pushed.returncode == 1
    assert bad[:12] in pushed.stdout
    assert "C2" in pushed.stdout


@pytest.mark.parametrize("secret", ["ghp_x7Qm2Lr9Tz4Kw8Vb1Nc5Hd3Jf6Gs0PyAuEo"])
def test_install_alone_reads_the_message(secret: str, framed: Memory) -> None:
    pre_commit(framed, "install", "-t", "pre-commit", "-t", "prepare-commit-msg", "-t", "commit-msg")
    framed.write("PLAN.md", THREE)
    said = refused(framed.try_git("commit", "-qam", f"use {secret}"), "G5")
    assert secret not in said


def test_a_commit_that_only_deletes_or_renames_is_gated(framed: Memory) -> None:  # BUGS E1
    pre_commit(framed, "install", "-t", "pre-commit")
    framed.git("rm", "-q", "PLAN.md")
    refused(framed.try_git("commit", "-qm", "x"), "C2")
    framed.git("reset", "-q", "--hard")
    framed.git("mv", "PLAN.md", "OLD.md")
    refused(framed.try_git("commit", "-qm", "x"), "C2")


# --- beside the native hooks ------------------------------------------------------------------------

NATIVE, FRAME, FORCED, UNINSTALL = "native", "install", "install -f", "uninstall"


def arrange(memory: Memory, order: tuple[str, ...]) -> None:
    for step in order:
        if step == NATIVE:
            install_hooks(memory)
        else:
            pre_commit(memory, *step.split())


@pytest.mark.parametrize(
    "order",
    [
        (NATIVE, FRAME),
        (FRAME, NATIVE),
        (NATIVE, FRAME, NATIVE),
        (FRAME, NATIVE, FRAME),
        (NATIVE, FRAME, FORCED, NATIVE, FRAME),
        (NATIVE, FRAME, UNINSTALL),
    ],
    ids=" ".join,
)
def test_beside_the_native_hooks_a_commit_is_judged_and_told_once(
    order: tuple[str, ...], framed: Memory
) -> None:
    arrange(framed, order)
    with Repository.open(str(framed.top), os.environ) as repository:
        assert status(repository, {}).complete
    framed.write("PLAN.md", SOFT)
    done = framed.try_git("commit", "-qam", "x", env=IN_AGENTS_SHELL)
    assert done.returncode == 0, done.stderr
    assert (done.stdout + done.stderr).count("P-S3") == 1
    assert framed.git("log", "-1", "--format=%(trailers)") == "Wbmem-Actor: agent"
    assert mark(framed) == framed.git("rev-parse", "HEAD")
    drop_b(framed)
    for _ in range(2):
        said = refused(framed.try_git("commit", "-qam", "x"), "C2")
        assert said.count('card "B" is gone') == 1, said


@pytest.mark.parametrize("order", [(NATIVE, FRAME), (FRAME, NATIVE), (FRAME, NATIVE, FRAME)], ids=" ".join)
def test_removing_ours_leaves_the_framework_as_it_was(order: tuple[str, ...], framed: Memory) -> None:
    arrange(framed, order)
    with Repository.open(str(framed.top), os.environ) as repository:
        remove(repository)
    left = sorted(path.name for path in hooks_folder(framed).iterdir() if path.suffix != ".sample")
    assert len(left) == 9
    assert all(b"generated by pre-commit" in (hooks_folder(framed) / name).read_bytes() for name in left)
    commit(framed, THREE)
    drop_b(framed)
    refused(framed.try_git("commit", "-qam", "x"), "C2")


# --- by hand and in CI ------------------------------------------------------------------------------


def test_run_says_whether_it_judges_what_is_staged_or_head(framed: Memory) -> None:
    said = pre_commit(framed, "run").stdout
    assert "nothing is staged, so HEAD" in said
    drop_b(framed)
    framed.git("add", "PLAN.md")
    done = pre_commit(framed, "run", check=False)
    assert done.returncode == 1
    assert "what is staged, beside HEAD" in done.stdout
    assert "C2" in done.stdout


def test_all_files_says_what_it_cant_see(framed: Memory) -> None:
    past_the_gate(framed, board(card("A")))
    past_the_gate(framed, board(card("A"), card("C")))
    said = pre_commit(framed, "run", "--all-files").stdout
    assert "no earlier commit: wbmem audit looks at all of them" in said
    past_the_gate(framed, board(card("A")))
    done = pre_commit(framed, "run", "--all-files", check=False)
    assert done.returncode == 1
    assert 'card "C" is gone' in done.stdout


def test_a_range_is_judged_commit_by_commit_whatever_is_checked_out(framed: Memory) -> None:
    begin = framed.git("rev-parse", "HEAD")
    good = past_the_gate(framed, THREE)
    bad = past_the_gate(framed, TWO)
    framed.commit({"notes.md": "x\n"})
    tip = framed.git("rev-parse", "HEAD")
    mended = past_the_gate(framed, THREE)
    framed.git("checkout", "-q", "--detach", begin)
    pre_commit(framed, "run", "--from-ref", begin, "--to-ref", good)
    done = pre_commit(framed, "run", "--from-ref", begin, "--to-ref", tip, check=False)
    assert done.returncode == 1
    assert bad[:12] in done.stdout
    assert 'card "C" is gone' in done.stdout
    said = pre_commit(framed, "run", "--from-ref", begin, "--to-ref", mended).stdout
    assert "mended by a later commit" in said


def test_a_shallow_clone_says_fetch_more_history(framed: Memory, tmp_path: Path) -> None:
    past_the_gate(framed, THREE)
    past_the_gate(framed, board(card("A"), card("B"), card("C"), card("D")))
    shallow = tmp_path / "shallow"
    subprocess.run(["git", "clone", "-q", "--depth=1", f"file://{framed.top}", str(shallow)], check=True)
    done = pre_commit(Memory(shallow), "run", "--all-files", check=False)
    assert done.returncode == 1
    assert "fetch more history" in done.stdout
    assert "Traceback" not in done.stdout


@pytest.mark.parametrize("mended", [False, True])
def test_the_audit_hook_fails_while_something_is_open(mended: bool, framed: Memory) -> None:
    config = framed.read(".pre-commit-config.yaml") + (
        "      - id: wbmem-audit\n        name: audit\n        entry: wbmem-hook audit\n"
        "        language: system\n        always_run: true\n        pass_filenames: false\n"
        "        stages: [manual]\n"
    )
    framed.commit({".pre-commit-config.yaml": config})
    past_the_gate(framed, board(card("A")))
    if mended:
        past_the_gate(framed, TWO)
    done = pre_commit(framed, "run", "--hook-stage", "manual", "wbmem-audit", check=False)
    assert (done.returncode == 0) == mended
    assert ('card "B" is gone' in done.stdout) != mended


def test_the_fixer_puts_an_anchor_in_and_fails_once(framed: Memory) -> None:
    shipped = framed.read(".pre-commit-config.yaml")
    lines = shipped.splitlines()
    start = next(n for n, line in enumerate(lines) if "- id: wbmem-fix" in line)
    lines[start:] = [line.replace("# ", "", 1) for line in lines[start:]]
    framed.commit({".pre-commit-config.yaml": "\n".join(lines) + "\n"})
    pre_commit(framed, "install", "-t", "pre-commit")
    framed.write("PLAN.md", board(card("A"), card("B"), card("C", anchor="")))
    done = framed.try_git("commit", "-qam", "x", env=AS_AGENT)
    assert done.returncode == 1
    assert "mended and staged" in done.stderr
    assert framed.try_git("commit", "-qam", "x", env=AS_AGENT).returncode == 0
    assert framed.git("show", "HEAD:PLAN.md") + "\n" == framed.read("PLAN.md")
    assert framed.read("PLAN.md") == THREE


def test_the_manifest_has_a_door_for_every_hook_and_no_filter() -> None:
    yaml = YAML(typ="safe", pure=True)
    rows = yaml.load((CHECKOUT / ".pre-commit-hooks.yaml").read_text())
    assert {row["id"] for row in rows} >= {"wbmem-gate", "wbmem-fix", "wbmem-audit", "wbmem-sidecar"}
    for row in rows:
        assert row["entry"].split()[0] == "wbmem-hook"
        assert row["entry"].split()[1] in {*BEFORE, *AFTER}
        assert row["always_run"] is True
        assert "files" not in row
        on_a_message = set(row["stages"]) <= {"prepare-commit-msg", "commit-msg"}
        assert row.get("pass_filenames", True) is on_a_message
    shipped = yaml.load(template("pre-commit-config.yaml"))
    (local,) = shipped["repos"]
    by_id = {row["id"]: row for row in rows}
    for hook in local["hooks"]:
        wanted = by_id[hook["id"]]
        assert (hook["entry"], hook["stages"]) == (wanted["entry"], wanted["stages"])
    assert {stage for hook in local["hooks"] for stage in hook["stages"]} - {"manual"} == set(
        shipped["default_install_hook_types"]
    )


@pytest.mark.xdist_group("registry")
def test_try_repo_builds_this_checkout_and_judges(
    framed: Memory, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """As somebody who names this repository: `language: python`, a wheel built on the spot."""
    monkeypatch.delenv("PIP_INDEX_URL")
    begin = framed.git("rev-parse", "HEAD")
    good, bad = past_the_gate(framed, THREE), past_the_gate(framed, TWO)
    source = tmp_path / "checkout"
    subprocess.run(["git", "clone", "-q", "--no-local", str(CHECKOUT), str(source)], check=True)
    refs = ("--from-ref", begin, "--to-ref", "HEAD")
    done = pre_commit(framed, "try-repo", str(source), "wbmem-gate", *refs, check=False)
    assert done.returncode == 1
    assert 'card "C" is gone' in done.stdout, done.stdout
    assert bad[:12] in done.stdout
    assert f"commit {good[:12]}" not in done.stdout
