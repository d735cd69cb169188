"""Who commits, to the letter of FORMAT §4."""

from __future__ import annotations

import pytest

from wbmem_git.errors import UsageError
from wbmem_git.text.settings import default_settings
from wbmem_git.verbs.actor import (
    SHELL_VARIABLES,
    Decision,
    ShellVariable,
    agent_of_shell,
    amends,
    is_agent_email,
    of_commit,
    who,
)

AGENTS = default_settings("x").agents
PERSON, BOT = "ada@example.org", "claude@agent.local"
AGENT_TRAILER, HUMAN_TRAILER = ("Wbmem-Actor", "agent"), ("Wbmem-Actor", "human")
SHELL = {"CLAUDECODE": "1"}


def decide(  # every keyword of `who` with a default
    *,
    wbmem_actor: str = "",
    door_is_agent: bool = False,
    email: str = PERSON,
    environment: dict[str, str] | None = None,
    trailers: tuple[tuple[str, str], ...] = (),
    replaced: tuple[tuple[str, str], ...] = (),
    resets_author: bool = False,
    picked: bool = False,
) -> Decision:
    return who(
        wbmem_actor=wbmem_actor,
        door_is_agent=door_is_agent,
        author_email=email,
        agents=AGENTS,
        environment=environment or {},
        message_trailers=trailers,
        replaced_trailers=replaced,
        resets_author=resets_author,
        picked=picked,
    )


def test_where_nothing_says_agent_it_is_a_person() -> None:
    assert decide()[:2] == ("human", ())


@pytest.mark.parametrize("environment", [{}, SHELL])
@pytest.mark.parametrize("email", [PERSON, BOT])
@pytest.mark.parametrize("door", [False, True])
def test_the_variable_comes_first_and_a_person_by_it_leaves_a_trailer(
    email: str, environment: dict[str, str], *, door: bool
) -> None:
    said = decide(wbmem_actor="human", email=email, environment=environment, door_is_agent=door)
    assert said[:2] == ("human", (HUMAN_TRAILER,))


def test_the_variable_says_agent_and_the_trailer_shows_it_where_the_author_does_not() -> None:
    assert decide(wbmem_actor="Agent ")[:2] == ("agent", (AGENT_TRAILER,))
    assert decide(wbmem_actor="agent", email=BOT)[:2] == ("agent", ())


def test_another_value_of_the_variable_is_an_error_and_no_guess() -> None:
    with pytest.raises(UsageError, match="WBMEM_ACTOR is 'robot'"):
        decide(wbmem_actor="robot")


def test_a_door_for_agents_is_an_agent_whatever_the_author() -> None:
    assert decide(door_is_agent=True)[:2] == ("agent", (AGENT_TRAILER,))


def test_an_agents_address_is_enough() -> None:
    assert decide(email=BOT)[:2] == ("agent", ())


@pytest.mark.parametrize("row", SHELL_VARIABLES)
def test_a_coding_agents_shell_is_an_agent(row: ShellVariable) -> None:
    name, value, agent, unless = row
    environment = {name: value or "anything"}
    assert agent_of_shell(environment) == agent
    assert decide(environment=environment)[:2] == ("agent", (AGENT_TRAILER,))
    assert agent_of_shell({name: ""}) == ""
    if value:
        assert agent_of_shell({name: "something else"}) == ""
    if unless:
        assert agent_of_shell({**environment, unless: "1"}) == ""


@pytest.mark.parametrize(
    "environment",
    [
        {"TERM_PROGRAM": "vscode", "VSCODE_INJECTION": "1", "VSCODE_GIT_IPC_HANDLE": "x"},
        {"CURSOR_TRACE_ID": "0123"},
        {"TERM_PROGRAM": "zed", "ZED_TERM": "true"},
        {"AGENT": "1", "AGENT_NAME": "ci", "SSH_AGENT_PID": "7"},
        {"ANTHROPIC_API_KEY": "x", "OPENAI_API_KEY": "x", "CLAUDE_CONFIG_DIR": "x", "CODEX_HOME": "x"},
        {"CI": "true", "GITHUB_ACTIONS": "true"},
    ],
)
def test_a_persons_terminal_is_a_person(environment: dict[str, str]) -> None:
    assert decide(environment=environment)[:2] == ("human", ())


def test_a_message_that_says_agent_already_gets_no_second_trailer() -> None:
    assert decide(trailers=(AGENT_TRAILER,))[:2] == ("agent", ())
    assert decide(environment=SHELL, trailers=(("wbmem-actor", "Agent"),))[:2] == ("agent", ())
    assert decide(wbmem_actor="human", trailers=(HUMAN_TRAILER,))[:2] == ("human", ())


def test_a_forged_trailer_is_answered_by_a_later_one() -> None:
    said = decide(email=BOT, trailers=(HUMAN_TRAILER,))
    assert said[:2] == ("agent", (AGENT_TRAILER,))
    assert of_commit(BOT, (HUMAN_TRAILER, *said.trailers), AGENTS) == "agent"


def test_what_is_amended_stays_an_agents_whatever_the_new_message_says() -> None:
    assert decide(replaced=(AGENT_TRAILER,))[:2] == ("agent", (AGENT_TRAILER,))
    assert decide(replaced=(AGENT_TRAILER,), email=BOT)[:2] == ("agent", ())
    assert decide(replaced=(HUMAN_TRAILER,))[:2] == ("human", ())


def test_a_person_who_resets_the_author_takes_the_commit_over() -> None:
    assert decide(replaced=(AGENT_TRAILER,), resets_author=True)[:2] == ("human", (HUMAN_TRAILER,))
    assert decide(resets_author=True)[:2] == ("human", ())
    said = decide(replaced=(AGENT_TRAILER,), resets_author=True, environment=SHELL)
    assert said[:2] == ("agent", (AGENT_TRAILER,))


@pytest.mark.parametrize(
    ("wbmem_actor", "environment"), [("", {}), ("", SHELL), ("human", {}), ("agent", SHELL)]
)
@pytest.mark.parametrize(
    ("email", "trailers", "actor"),
    [
        (PERSON, (), "human"),
        (BOT, (), "agent"),
        (PERSON, (AGENT_TRAILER,), "agent"),
        (BOT, (HUMAN_TRAILER,), "human"),
    ],
)
def test_a_picked_commit_is_its_makers_and_gets_no_trailer(
    wbmem_actor: str,
    environment: dict[str, str],
    email: str,
    trailers: tuple[tuple[str, str], ...],
    actor: str,
) -> None:
    said = decide(
        wbmem_actor=wbmem_actor, environment=environment, email=email, trailers=trailers, picked=True
    )
    assert said[:2] == (actor, ())


def test_what_history_will_say_is_what_was_decided() -> None:
    for wbmem_actor in ("", "agent", "human"):
        for email in (PERSON, BOT):
            for environment in ({}, SHELL):
                for trailers in ((), (AGENT_TRAILER,), (HUMAN_TRAILER,)):
                    said = decide(
                        wbmem_actor=wbmem_actor, email=email, environment=environment, trailers=trailers
                    )
                    assert of_commit(email, (*trailers, *said.trailers), AGENTS) == said.actor


def test_the_last_trailer_of_the_past_counts() -> None:
    assert of_commit(PERSON, (AGENT_TRAILER, HUMAN_TRAILER), AGENTS) == "human"
    assert of_commit(BOT, (HUMAN_TRAILER, AGENT_TRAILER), AGENTS) == "agent"
    assert of_commit(PERSON, (("Wbmem-Actor", "neither"),), AGENTS) == "human"
    assert of_commit(BOT, (("Wbmem-Actor", "neither"),), AGENTS) == "agent"


@pytest.mark.parametrize(
    ("pattern", "email", "matches"),
    [
        ("*@agent.local", "Claude@AGENT.local", True),
        ("*@agent.local", "claude@agent.local.example.org", False),
        ("*+claude[bot]@users.noreply.github.com", "1+Claude[bot]@users.noreply.github.com", True),
        ("*+claude[bot]@users.noreply.github.com", "1+claudeb@users.noreply.github.com", False),
        ("a?c@x.y", "abc@x.y", False),
        ("a*a", "a", False),
        ("a*b*c", "aXbYc", True),
        ("a*b*c", "aXcYb", False),
        ("*", "", True),
        ("", "", True),
        ("exact@x.y", "exact@x.y", True),
        ("ab*ba", "aba", False),
    ],
)
def test_only_the_star_is_special_and_case_is_folded(pattern: str, email: str, *, matches: bool) -> None:
    assert is_agent_email(email, (pattern,)) == matches


@pytest.mark.timeout(20)
def test_a_strangers_pattern_ends() -> None:
    assert not is_agent_email("a" * 5000, ("*a" * 90 + "*b",))


def test_an_agents_amend_of_a_persons_commit_is_refused_and_the_other_way_round_told() -> None:
    assert [amends(actor, replaced) for actor in ("agent", "human") for replaced in ("agent", "human")] == [
        "",
        "refuse",
        "tell",
        "",
    ]
