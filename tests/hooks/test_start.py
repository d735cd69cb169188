"""How a hook starts: once a commit, with `-I -S` and nothing heavy, and with every library in reach."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import venv
from pathlib import Path
from typing import TYPE_CHECKING

import markdown_it
import mdurl
import pytest
import ruamel.yaml
from hooks.gated import AS_AGENT, IN_AGENTS_SHELL, count_starts, drop_b, git_dir, refused
from pages import SETTINGS, board, card, id_of

from wbmem_git.store.state import write_kept, write_mark
from wbmem_hooks.doors import AFTER, BEFORE, open_door
from wbmem_hooks.light_typing import LATEST

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memory import Memory

CHECKOUT = Path(__file__).resolve().parents[2]
MAIN = CHECKOUT / "wbmem_hooks/__main__.py"
NEVER = ("pygit2", "rich", "click", "pydantic", "subprocess", "dataclasses", "pathlib", "ssl")
ONLY_WHERE_NEEDED = (
    "markdown_it",
    "ruamel",
    "_sqlite3",
    "sqlite3",
    "_hashlib",  # OpenSSL: an anchor that no old page has is computed
    "site",
    "wbmem_git.verbs.report",
    "wbmem_git.verbs.audit",
)
THREE = board(card("A"), card("B"), card("C"))
NEEDY = board(card("A"), card("B"), card("a [link](x) &amp; *more*", anchor=id_of("a link & more")))
"""A title that only markdown-it reads."""


# --- how often --------------------------------------------------------------------------------------


def marked(memory: Memory) -> None:
    """As `init` leaves it: history is known up to HEAD, and the settings are kept by their blob."""
    memory.write("notes.md", "x\n")
    memory.git("add", "notes.md")
    memory.git("commit", "-qm", "notes")


@pytest.mark.parametrize("env", [{}, AS_AGENT, IN_AGENTS_SHELL])
def test_a_commit_that_passes_starts_python_once(
    env: Mapping[str, str], gated: Memory, tmp_path: Path
) -> None:
    marked(gated)
    starts = count_starts(gated, tmp_path)
    gated.write("PLAN.md", THREE)
    gated.git("commit", "-qam", "a card", env=dict(env))
    assert starts() == ["pre-commit"]


def test_a_suspicious_message_costs_a_second_start_and_no_third(gated: Memory, tmp_path: Path) -> None:
    marked(gated)
    starts = count_starts(gated, tmp_path)
    gated.write("PLAN.md", THREE)
    gated.git("commit", "-qam", "rotate the password")
    assert starts() == ["pre-commit", "commit-msg"]


def test_the_first_commit_and_no_verify_start_it_twice_at_most(memory: Memory, tmp_path: Path) -> None:
    starts = count_starts(memory, tmp_path)
    memory.write("wbmem.yaml", SETTINGS)
    memory.write("PLAN.md", THREE)
    memory.git("add", "-A")
    memory.git("commit", "-qm", "first")
    memory.write("PLAN.md", board(card("A"), card("B")))
    memory.git("commit", "-qanm", "past it")
    assert starts() == ["pre-commit", "prepare-commit-msg", "post-commit"]


def test_an_amend_starts_it_twice_at_most(gated: Memory, tmp_path: Path) -> None:
    marked(gated)
    starts = count_starts(gated, tmp_path)
    gated.git("commit", "-q", "--amend", "-m", "again")
    assert starts() == ["pre-commit", "post-commit"]


# --- with what --------------------------------------------------------------------------------------


def loaded(memory: Memory, hook: str) -> set[str]:
    """The modules that a native hook loads, started as the native script starts it."""
    variables = {
        **os.environ,
        "GIT_INDEX_FILE": str(git_dir(memory) / "index"),
        "GIT_AUTHOR_NAME": "Ada",
        "GIT_AUTHOR_EMAIL": "ada@example.org",
        "GIT_AUTHOR_DATE": "@1700000000 +0000",
    }
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-I", "-S", str(MAIN), hook],
        cwd=memory.top,
        env=variables,
        capture_output=True,
        text=True,
        check=False,
    )
    told = [line for line in done.stderr.splitlines() if not line.startswith("import time:")]
    assert (done.returncode, told) == (0, [])
    return {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}


def stage(memory: Memory, text: str) -> None:
    marked(memory)
    memory.write("PLAN.md", text)
    memory.git("add", "-A")


def heavy(modules: set[str], names: tuple[str, ...]) -> set[str]:
    return {name for name in modules if name in names or name.partition(".")[0] in names}


def test_a_commit_loads_nothing_heavy(gated: Memory) -> None:
    stage(gated, board(card("A", "Next: another step than before"), card("B")))
    modules = loaded(gated, "pre-commit")
    assert "wbmem_git.verbs.gate" in modules
    assert heavy(modules, NEVER) == set()
    assert heavy(modules, ONLY_WHERE_NEEDED) == set()


def test_markdown_it_is_loaded_for_a_page_that_needs_it(gated: Memory) -> None:
    stage(gated, NEEDY)
    assert "markdown_it" in loaded(gated, "pre-commit")


def test_yaml_is_loaded_for_settings_that_nobody_has_read_yet(gated: Memory) -> None:
    stage(gated, THREE)
    (git_dir(gated) / "wbmem/settings").unlink()
    assert "ruamel.yaml" in loaded(gated, "pre-commit")
    assert "ruamel.yaml" not in loaded(gated, "pre-commit")


# --- without typing ---------------------------------------------------------------------------------

LOOK = """
import sys
sys.path.append({checkout!r})
from wbmem_hooks import light_typing
light_typing.stand_in()
from wbmem_git.model import Card, Change, Finding, Verdict
from wbmem_git.verbs.outer import Outer
stand_in = sys.modules["typing"]
finding = Finding("C2", "hard", "PLAN.md", 3, "gone")
print(type(stand_in).__name__)
print(finding, finding.refuses, finding._replace(already=True).refuses, Finding._fields[:2])
print(Finding.__doc__[:20], Finding.__module__, Change.__annotations__["brief"], Verdict("", (), ()).passed)
print(Outer.of.__self__ is Outer, Card.text.__get__)
from typing import Protocol
print(sys.modules["typing"] is not stand_in, stand_in.Protocol is Protocol)
"""


def test_named_tuples_are_the_same_without_typing() -> None:
    def said(code: str) -> list[str]:
        command = [sys.executable, "-I", "-S", "-c", code.format(checkout=str(CHECKOUT))]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        return re.sub("0x[0-9a-f]+", "0x", done.stdout).splitlines()

    without, real = said(LOOK), said(LOOK.replace("light_typing.stand_in()", "import typing"))
    assert (without[0], real[0]) == ("StandIn", "module")
    assert without[1:4] == [line.replace("ForwardRef('bool')", "bool") for line in real[1:4]]
    assert without[4] == "True True"


GIVES_WAY = """
import sys
sys.path.append({checkout!r})
from wbmem_hooks import light_typing
print(light_typing.stand_in(), type(sys.modules["typing"]).__name__)
light_typing.give_way()
import wbmem_git.errors, textwrap
print(type(sys.modules["typing"]).__name__)
try:
    import nobody_has_this
except ImportError as error:
    print(error.name, type(sys.modules["typing"]).__name__, light_typing.stand_in())
"""


@pytest.mark.skipif(sys.version_info >= LATEST, reason="typing looks at annotations itself")
def test_the_stand_in_gives_way_before_anything_foreign_is_imported() -> None:
    command = [sys.executable, "-I", "-S", "-c", GIVES_WAY.format(checkout=str(CHECKOUT))]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["True StandIn", "StandIn", "nobody_has_this module False"]


def test_a_commit_that_passes_loads_no_typing(gated: Memory) -> None:
    stage(gated, board(card("A", "Next: another step than before"), card("B")))
    assert ("typing" in loaded(gated, "pre-commit")) == (sys.version_info >= LATEST)


# --- from where -------------------------------------------------------------------------------------


def libraries(place: Path) -> None:
    """Put what wbmem needs into a folder of site-packages, without a registry."""
    place.mkdir(parents=True, exist_ok=True)
    for package in (markdown_it, mdurl):
        assert package.__file__ is not None
        shutil.copytree(Path(package.__file__).parent, place / package.__name__, dirs_exist_ok=True)
    shutil.copytree(Path(ruamel.yaml.__file__).parent, place / "ruamel/yaml", dirs_exist_ok=True)


def environment_of(folder: Path, *, system_site_packages: bool = False) -> Path:
    """A virtual environment's site-packages; it has nothing in it."""
    venv.create(folder, symlinks=True, system_site_packages=system_site_packages)
    return next(folder.glob("lib/python*/site-packages"))


def starts_all(python: Path | str, main: Path, memory: Memory, env: Mapping[str, str] | None = None) -> None:
    """A commit whose page needs markdown-it and whose settings need YAML, by that interpreter."""
    stage(memory, NEEDY)
    (git_dir(memory) / "wbmem/settings").unlink()
    done = subprocess.run(
        [str(python), "-I", "-S", str(main), "pre-commit"],
        cwd=memory.top,
        env={**os.environ, **(env or {})},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_a_virtual_environment_is_found(gated: Memory, tmp_path: Path) -> None:
    site = environment_of(tmp_path / "env")
    libraries(site)
    for package in ("wbmem_git", "wbmem_hooks"):
        shutil.copytree(CHECKOUT / package, site / package)
    starts_all(tmp_path / "env/bin/python", site / "wbmem_hooks/__main__.py", gated)


@pytest.mark.parametrize("kind", ["path", "finder"])
def test_an_editable_install_is_found(kind: str, gated: Memory, tmp_path: Path) -> None:
    """wbmem in its checkout, its libraries in the environment, some of them editable too."""
    site = environment_of(tmp_path / "env")
    if kind == "path":
        libraries(tmp_path / "elsewhere")
        (site / "editable.pth").write_text(f"{tmp_path / 'elsewhere'}\n")
    else:
        libraries(tmp_path / "elsewhere")
        (site / "_finder.py").write_text(
            "import sys\nfrom importlib.machinery import PathFinder\n\n\nclass Finder:\n"
            "    @staticmethod\n    def find_spec(name, path=None, target=None):\n"
            f"        return PathFinder.find_spec(name, path or [{str(tmp_path / 'elsewhere')!r}])\n\n\n"
            "sys.meta_path.append(Finder)\n"
        )
        (site / "editable.pth").write_text("import _finder\n")
    starts_all(tmp_path / "env/bin/python", MAIN, gated)


def test_a_users_own_site_is_found(gated: Memory, tmp_path: Path) -> None:
    base = os.path.realpath(sys.executable)
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    site = tmp_path / "user" / "lib" / version / "site-packages"
    libraries(site)
    starts_all(base, MAIN, gated, {"PYTHONUSERBASE": str(tmp_path / "user")})


def test_a_library_that_is_nowhere_refuses_and_says_what_to_do(gated: Memory, tmp_path: Path) -> None:
    environment_of(tmp_path / "env")
    stage(gated, NEEDY)
    done = subprocess.run(
        [str(tmp_path / "env/bin/python"), "-I", "-S", str(MAIN), "pre-commit"],
        cwd=gated.top,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "wbmem hooks install" in refused(done, "markdown_it")


def test_nothing_in_site_packages_shadows_the_standard_library(gated: Memory, tmp_path: Path) -> None:
    site = environment_of(tmp_path / "env")
    libraries(site)
    (site / "typing.py").write_text("raise SystemExit('a backport')\n")
    for package in ("wbmem_git", "wbmem_hooks"):
        shutil.copytree(CHECKOUT / package, site / package)
    starts_all(tmp_path / "env/bin/python", site / "wbmem_hooks/__main__.py", gated)


# --- what goes wrong --------------------------------------------------------------------------------


def test_the_console_script_opens_the_same_doors(gated: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    stage(gated, THREE)
    monkeypatch.chdir(gated.top)
    assert open_door(["gate"]) == 0
    drop_b(gated)
    gated.git("add", "-A")
    assert open_door(["gate"]) == 1


def test_an_unknown_door_is_named(capfd: pytest.CaptureFixture[str]) -> None:
    assert open_door(["post-receive"]) == 2
    assert "no hook is called 'post-receive'" in capfd.readouterr().err
    assert open_door([]) == 2


@pytest.mark.parametrize("name", [*BEFORE, *AFTER])
def test_outside_of_a_repository_every_door_fails_as_it_should(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin", None)
    status = open_door([name, *([str(tmp_path / "none")] if name == "commit-msg" else [])])
    assert (status == 0) == (name in AFTER)
    assert "Traceback" not in capfd.readouterr().err


def test_a_fault_of_ours_refuses_without_a_traceback(
    gated: Memory, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def breaks(*_: object, **__: object) -> int:
        raise ZeroDivisionError("a page's own words")

    monkeypatch.chdir(gated.top)
    monkeypatch.setattr("wbmem_hooks.gating.gate_commit", breaks)
    assert open_door(["pre-commit"]) == 3
    said = capfd.readouterr().err
    assert "internal error in pre-commit: ZeroDivisionError at wbmem_hooks/pre_commit.py" in said
    assert "own words" not in said
    monkeypatch.setattr("wbmem_hooks.post_commit.catch_up", breaks)
    assert open_door(["post-commit"]) == 0


def test_an_audit_that_fails_stops_no_commit(gated: Memory) -> None:
    marked(gated)
    head = gated.git("rev-parse", "HEAD")
    write_mark(str(git_dir(gated)), "main", "0" * 40)
    write_kept(str(git_dir(gated)), "main", {"found": "rubbish"})
    gated.write("PLAN.md", THREE)
    assert gated.try_git("commit", "-qam", "x").returncode == 0
    assert gated.git("rev-parse", "HEAD~1") == head


def test_any_locale_can_read_a_report(gated: Memory) -> None:
    gated.commit({"PLAN.md": board(card("登录超时"), card("B"))})
    gated.write("PLAN.md", board(card("B")))
    done = gated.try_git("commit", "-qam", "x", env={"LC_ALL": "POSIX", "PYTHONUTF8": "0"})
    assert "登录超时" in refused(done, "C2")
