"""`wbmem sync` over the network, as any git server speaks: the loopback, by git's own programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from memory import Memory
from pages import board, card
from syncing.clones import A, B, Pair
from syncing.servers import daemon, http

from wbmem_git.verbs.sync.remote import PushRefused, Unreachable

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager
    from pathlib import Path

    Serve = Callable[[Path], AbstractContextManager[str]]


@pytest.fixture(params=[daemon, http], ids=["git daemon", "git http-backend"])
def serve(request: pytest.FixtureRequest) -> Serve:
    found: Serve = request.param
    return found


def test_both_sides_meet_over_a_server(tmp_path: Path, serve: Serve) -> None:
    pair = Pair.of(tmp_path)
    with serve(tmp_path) as url:
        for it in (pair.ada, pair.bo):
            it.memory.git("remote", "set-url", "origin", f"{url}/hub.git")
        pair.ada.memory.commit({"PLAN.md": board(A, B, card("Ada's"))})
        pair.ada.sync()
        pair.bo.memory.commit({"PLAN.md": board(A, B, card("Bo's"))})
        report = pair.bo.sync()
        assert (report.done, report.pushed) == ("merge", True)
        assert pair.ada.sync().done == "fast-forward"
        assert pair.ada.memory.read("PLAN.md") == board(A, B, card("Bo's"), card("Ada's"))


@pytest.mark.parametrize("hooks", [False, True], ids=["no hook", "our hooks"])
def test_a_server_that_is_only_read_from_is_told_as_that(tmp_path: Path, serve: Serve, hooks: bool) -> None:
    """As a key that may only read, a fork of somebody else's, a mirror."""
    pair = Pair.of(tmp_path)
    for name in ("daemon.receivepack", "http.receivepack"):
        Memory(pair.bare).git("config", name, "false")
    with serve(tmp_path) as url:
        login = url.replace("://", "://ada:hunter2@") if url.startswith("http") else url
        pair.bo.memory.git("remote", "set-url", "--push", "origin", f"{login}/hub.git")
        pair.bo.memory.git("remote", "set-url", "origin", f"{url}/hub.git")
        if hooks:
            pair.bo.workspace.install_hooks()
            pair.bo.workspace.audit()
        here = pair.bo.memory.commit({"x.txt": "x"})
        with pytest.raises(PushRefused) as caught:
            pair.bo.sync()
        said = caught.value.message
        assert said.startswith(
            "origin can be read, and the push failed before it took anything; what is here"
        )
        assert "denied" in said if url.startswith("git") else "403" in said
        assert "hook" not in said
        assert f"whether you may push to {url}/hub.git" in caught.value.hint
        assert "hunter2" not in f"{said}{caught.value.hint}"
        assert pair.bo.sync(dry_run=True).sent == 1
    assert pair.bo.memory.head() == here


def test_a_server_that_refuses_and_one_that_is_gone(tmp_path: Path, serve: Serve) -> None:
    pair = Pair.of(tmp_path)
    hook = pair.bare / "hooks" / "pre-receive"
    hook.write_text("#!/bin/sh\necho 'ask for a merge' >&2\nexit 1\n")
    hook.chmod(0o755)
    with serve(tmp_path) as url:
        pair.bo.memory.git("remote", "set-url", "origin", f"{url}/hub.git")
        here = pair.bo.memory.commit({"x.txt": "x"})
        with pytest.raises(PushRefused, match="ask for a merge"):
            pair.bo.sync()
    with pytest.raises(Unreachable, match="can't be reached"):
        pair.bo.sync()
    assert pair.bo.memory.head() == here
    assert Memory(pair.bare).git("rev-list", "--count", "main") == "1"
