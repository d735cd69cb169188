"""Commit objects and their trailers, as git reads them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from wbmem_git.store.commits import Ident, parse_commit, parse_ident, subject_of, trailers_of

if TYPE_CHECKING:
    from memory import Memory

MESSAGES = [
    "subject\n",
    "subject\n\nbody\n",
    "subject\n\nbody\n\nWbmem-Actor: agent\n",
    "subject\n\nWbmem-Actor: agent\nWbmem-Chain: 12\n",
    "Wbmem-Actor: agent\n",
    "Wbmem-Actor: agent\n\n",
    "subject\n\nbody with Key: value inside\n",
    "subject\n\nnot a trailer\nWbmem-Actor: agent\n",
    "subject\n\nKey: first\n  and its second line\nOther: x\n",
    "subject\n\nWbmem-Actor: agent\n(cherry picked from commit 1234567890123456789012345678901234567890)\n",
    "subject\n\nprose\nmore\nSigned-off-by: Ada <ada@example.org>\n",
    "subject\n\none\ntwo\nthree\nfour\nSigned-off-by: Ada <ada@example.org>\n",
    "subject\n\nKey : spaced\nkey2:tight\n",
    "subject\n\nKey: value\n\n\n",
    "subject\r\n\r\nKey: value\r\n",
    "subject\n\nA b: two words are no key\n",
    "subject\n\nKey: value\n   \nLast: paragraph\n",
]


@pytest.mark.parametrize("message", MESSAGES)
def test_trailers_are_those_that_git_finds(memory: Memory, message: str) -> None:
    said = memory.git("interpret-trailers", "--parse", stdin=message.replace("\r\n", "\n"))
    expected = [tuple(line.split(": ", 1)) for line in said.split("\n") if line]
    assert [pair for pair in trailers_of(message) if pair[0] != "(cherry"] == expected


WRAPPED = [
    "a long subject that\nwraps here\n\nbody\n",
    "\n  \n\n  indented, behind blank lines  \n\tand on \t\n \t\nbody\n",
    "wraps\r\nwith both ends\r\n\r\nbody\r\n",
    "keeps\x0b\n\u2028both\x0c\n\u00a0\nas text\n\nbody",
    "\n",
    "",
]


@pytest.mark.parametrize("message", [*MESSAGES, *WRAPPED])
def test_a_subject_is_what_git_says(memory: Memory, message: str) -> None:
    tree = memory.git("mktree")
    data = f"tree {tree}\nauthor A <a@b> 1 +0000\ncommitter A <a@b> 1 +0000\n\n{message}"
    oid = memory.git("hash-object", "-w", "--stdin", "-t", "commit", stdin=data)
    assert f"[{subject_of(message)}]" == memory.git("show", "-s", "--format=[%s]", oid)


def test_a_commit_is_taken_apart(memory: Memory) -> None:
    parent = memory.commit({"a": "1"})
    memory.git("checkout", "-q", "-b", "side")
    other = memory.commit({"b": "1"})
    memory.git("checkout", "-q", "main")
    memory.git(
        "merge",
        "-q",
        "--no-ff",
        "-m",
        "Zusammen é\n\nWbmem-Actor: human",
        "side",
        env={
            "GIT_AUTHOR_NAME": "Åse Ø",
            "GIT_AUTHOR_EMAIL": "ase@example.org",
            "GIT_AUTHOR_DATE": "1700000000 +0230",
            "GIT_COMMITTER_DATE": "1700000001 -0100",
        },
    )
    oid = memory.git("rev-parse", "HEAD")
    data = memory.git("cat-file", "commit", oid).encode() + b"\n"
    commit = parse_commit(oid, data)
    assert commit.parents == (parent, other)
    assert commit.tree == memory.git("rev-parse", "HEAD^{tree}")
    assert commit.author == Ident("Åse Ø", "ase@example.org", 1700000000, "+0230")
    assert (commit.author_name, commit.author_email) == ("Åse Ø", "ase@example.org")
    assert commit.committer_time == 1700000001
    assert commit.subject == "Zusammen é"
    assert commit.trailers == (("Wbmem-Actor", "human"),)


def test_a_signature_and_an_encoding_are_read_past() -> None:
    data = (
        b"tree 1111\nparent 2222\nauthor A <a@b> 1 +0000\ncommitter A <a@b> 2 +0000\n"
        b"gpgsig -----BEGIN\n parent 3333\n tree 4444\n -----END\nencoding ISO-8859-1\n\nGr\xfc\xdfe\n"
    )
    commit = parse_commit("0", data)
    assert (commit.tree, commit.parents, commit.message) == ("1111", ("2222",), "Grüße\n")


def test_an_unknown_encoding_loses_no_commit() -> None:
    commit = parse_commit(
        "0", b"tree 1\nauthor A <a> 1 +0\ncommitter A <a> 1 +0\nencoding nonsense\n\nx\xff\n"
    )
    assert commit.message == "x\ufffd\n"


@pytest.mark.parametrize(
    ("text", "ident"),
    [
        ("Ada L <a@b.c> 1700000000 +0100", Ident("Ada L", "a@b.c", 1700000000, "+0100")),
        ("<a@b.c> 1 +0000", Ident("", "a@b.c", 1, "+0000")),
        ("Ada <>", Ident("Ada", "", 0, "")),
        ("Ada <a@b.c> -5 -0100", Ident("Ada", "a@b.c", -5, "-0100")),
        ("nonsense", Ident("nonsense", "", 0, "")),
    ],
)
def test_an_ident_is_taken_apart_whatever_is_missing(text: str, ident: Ident) -> None:
    assert parse_ident(text) == ident
    assert ident.who == f"{ident.name} <{ident.email}>"
