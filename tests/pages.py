"""Pages of a memory as text, for tests that need a repository of them."""

from __future__ import annotations

from wbmem_git.text.archive import render_archive
from wbmem_git.text.ids import card_id

KEY = "desk-12345678"
SETTINGS = f"format: 1\nworkspace: {KEY}\n"
AGENT = "Bot <bot@agent.local>"


def id_of(title: str, page: str = "PLAN.md") -> str:
    return card_id(KEY, page, title)


def card(
    title: str,
    body: str = "",
    *,
    user: str | None = None,
    page: str = "PLAN.md",
    anchor: str | None = None,
    more: str = "",
) -> str:
    """A card with its anchor and a metadata line; `anchor=""` leaves the anchor out."""
    mark = id_of(title, page) if anchor is None else anchor
    lines = [f"### {title}"]
    if mark:
        lines.append(f"<!-- memory:{mark} -->")
    lines += [
        f"<!-- status: current / date: 2026-09-14{more} -->",
        "<!-- model -->",
        body or f"Next: work on {title} as the ticket says",
        "<!-- /model -->",
    ]
    if user is not None:
        lines += ["<!-- user -->", *([user] if user else []), "<!-- /user -->"]
    return "\n".join(lines) + "\n"


def board(*cards: str) -> str:
    return "# Plan\n\n## Doing\n\n" + "\n".join(cards)


def archived(  # the front matter that C2 asks for
    title: str, text: str, *, page: str = "PLAN.md", superseded_by: str = ""
) -> tuple[str, str]:
    """Path and text of the archive file of a card."""
    return f"archive/{id_of(title, page)}.md", render_archive(
        id=id_of(title, page),
        title=title,
        page=page,
        archived_at="2026-09-14T10:00:00Z",
        reason="done",
        body=text,
        superseded_by=superseded_by,
    )


def ledger(progress: str = "The store reads trees; next: `make test` in the folder of the store") -> str:
    return (
        "# Handoff\n\n"
        "## Goals\n\nA memory from which nothing vanishes unnoticed\n\n"
        "## Task state\n\nSee PLAN.md, card Alpha: it says where the work stands\n\n"
        "## Tried and failed\n\nreading the index by a library → it is the wrong tree in a hook\n\n"
        f"## Progress and next step\n\n{progress}\n"
    )
