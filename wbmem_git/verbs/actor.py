"""Who commits: a person or an agent (FORMAT §4). Pure: what a door has read comes in, a decision goes out."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from wbmem_git.errors import UsageError
from wbmem_git.text.stars import text_matches

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from wbmem_git.model import Actor

TRAILER = "Wbmem-Actor"


class ShellVariable(NamedTuple):
    """A variable that a coding agent sets for the commands that it runs itself, and only for those.

    Attributes:
        name: The variable.
        value: What it is set to; "" where any value counts.
        agent: Whose it is.
        unless: Another variable that the same program sets in terminals which it opens for people.
    """

    name: str
    value: str
    agent: str
    unless: str = ""


SHELL_VARIABLES = (
    # anthropics/claude-code issue 531: set in the shell of its own commands since 0.2.47
    ShellVariable("CLAUDECODE", "1", "Claude Code"),
    # google-gemini/gemini-cli docs/tools/shell.md, "Environment Variables"
    ShellVariable("GEMINI_CLI", "1", "Gemini CLI"),
    # QwenLM/qwen-code, shell execution service (the same place as in Gemini CLI, which it comes from)
    ShellVariable("QWEN_CODE", "1", "Qwen Code"),
    # openai/codex codex-rs/protocol/src/shell_environment.rs: put into the environment of every command
    ShellVariable("CODEX_THREAD_ID", "", "Codex CLI"),
    # openai/codex AGENTS.md: set for what runs under its sandbox
    ShellVariable("CODEX_SANDBOX", "", "Codex CLI"),
    # Cursor's own statement, as databricks/cli pull request 4287 cites it. CURSOR_TRACE_ID is not in this
    # table: every terminal of the editor has it.
    ShellVariable("CURSOR_AGENT", "", "Cursor"),
    # vercel/vercel pull request 15834: set by the process; OPENCODE_TERMINAL marks terminals for people
    ShellVariable("OPENCODE", "1", "opencode", unless="OPENCODE_TERMINAL"),
    # aaif-goose/goose pull request 7017: both are set in every command that it runs
    ShellVariable("GOOSE_TERMINAL", "1", "Goose"),
    ShellVariable("AGENT", "goose", "Goose"),
    # aaif-goose/goose pull request 7017 took the name over from Amp
    ShellVariable("AGENT", "amp", "Amp"),
    # auth0/auth0-cli pull request 1553 quotes GitHub's changelog: given to shell commands
    ShellVariable("COPILOT_AGENT_SESSION_ID", "", "GitHub Copilot CLI"),
    # docs.augmentcode.com, CLI reference, "Shell environment"
    ShellVariable("AUGMENT_AGENT", "1", "Augment"),
)
"""Never one of an IDE's terminal (TERM_PROGRAM, VSCODE_*, CURSOR_TRACE_ID): people type there."""


class Decision(NamedTuple):
    """Who commits, the trailers that the message gets for it, and why, in a few words."""

    actor: Actor
    trailers: tuple[tuple[str, str], ...]
    why: str


def who(  # noqa: PLR0913  # one keyword for each thing that FORMAT §4 looks at
    *,
    wbmem_actor: str = "",
    door_is_agent: bool = False,
    author_email: str,
    agents: Sequence[str],
    environment: Mapping[str, str],
    message_trailers: Iterable[tuple[str, str]] = (),
    replaced_trailers: Iterable[tuple[str, str]] = (),
    resets_author: bool = False,
    picked: bool = False,
) -> Decision:
    """Who makes the commit that is being made.

    What an amend replaces stays an agent's where only its trailer said so: the new message may lack that
    line, so it is added. A person who says `--reset-author` takes the commit over, and a line that says so
    stands behind the agent's.

    Args:
        wbmem_actor: The variable WBMEM_ACTOR, "" where it isn't set.
        door_is_agent: Whether only agents use this door.
        author_email: The author's, as git will record it.
        agents: The setting `agents:`.
        environment: The variables of the process.
        message_trailers: Those of the message, as far as it is known already.
        replaced_trailers: Those of the commit that `--amend` replaces.
        resets_author: Whether `--reset-author` was said.
        picked: A cherry-pick, a rebase or an am re-applies a commit; author and trailers are that commit's.

    Raises:
        UsageError: WBMEM_ACTOR says neither `agent` nor `human`.
    """
    trailers, before = tuple(message_trailers), tuple(replaced_trailers)
    if picked:
        return Decision(of_commit(author_email, trailers, agents), (), "the picked commit's author")
    declared = _declared(wbmem_actor)
    if declared == "human":
        added = () if _last_said(trailers) == "human" else ((TRAILER, "human"),)
        return Decision("human", added, "WBMEM_ACTOR=human")
    why = (
        _named(declared, door_is_agent)
        or (f"the author {author_email}" if is_agent_email(author_email, agents) else "")
        or _shell(environment)
        or (f"the trailer {TRAILER}: agent" if _last_said(trailers) == "agent" else "")
        or (_of_replaced(before) if not resets_author else "")
    )
    if not why:
        added = ((TRAILER, "human"),) if _last_said(before) == "agent" else ()
        return Decision("human", added, "nothing says otherwise")
    shown = of_commit(author_email, trailers, agents) == "agent"
    return Decision("agent", () if shown else ((TRAILER, "agent"),), why)


def of_commit(author_email: str, trailers: Iterable[tuple[str, str]], agents: Sequence[str]) -> Actor:
    """Who made a commit of the past: its trailer says so, else its author.

    Of several trailers the last one counts: it is the one that was added last.
    """
    said = _last_said(trailers)
    if said == "human":
        return "human"
    return "agent" if said == "agent" or is_agent_email(author_email, agents) else "human"


def is_agent_email(email: str, agents: Sequence[str]) -> bool:
    """Whether an address matches one of the patterns: `*` stands for anything, case doesn't count."""
    return any(text_matches(pattern.casefold(), email.casefold()) for pattern in agents)


def agent_of_shell(environment: Mapping[str, str]) -> str:
    """The coding agent whose shell this is, "" where nothing says so."""
    for row in SHELL_VARIABLES:
        value = environment.get(row.name, "")
        if value and row.value in {"", value} and not (row.unless and environment.get(row.unless)):
            return row.agent
    return ""


def amends(actor: Actor, replaced: Actor) -> str:
    """What stands against replacing a commit of `replaced`: `refuse`, `tell`, or "".

    An agent's amend of a person's commit would go under the person's name: refused. A person who amends
    an agent's is told of `--reset-author`: without it the commit stays the agent's.
    """
    if actor == replaced:
        return ""
    return "refuse" if actor == "agent" else "tell"


def _declared(wbmem_actor: str) -> str:
    declared = wbmem_actor.strip().casefold()
    if declared not in {"", "agent", "human"}:
        raise UsageError(
            f"WBMEM_ACTOR is {wbmem_actor!r}: it says who commits, `agent` or `human`",
            "unset WBMEM_ACTOR, or set it to one of the two",
        )
    return declared


def _named(declared: str, door_is_agent: bool) -> str:
    if declared == "agent":
        return "WBMEM_ACTOR=agent"
    return "only agents use this door" if door_is_agent else ""


def _shell(environment: Mapping[str, str]) -> str:
    agent = agent_of_shell(environment)
    return f"the shell of {agent}" if agent else ""


def _of_replaced(trailers: Iterable[tuple[str, str]]) -> str:
    said = _last_said(trailers) == "agent"
    return f"the trailer {TRAILER}: agent of the commit that --amend replaces" if said else ""


def _last_said(trailers: Iterable[tuple[str, str]]) -> str:
    said = [value.casefold() for key, value in trailers if key.casefold() == TRAILER.casefold()]
    return said[-1] if said else ""
