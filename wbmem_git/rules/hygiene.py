"""G1 to G5: no garbage in an agent's commit, no credentials in anyone's. Judged on added lines."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wbmem_git.model import Finding
from wbmem_git.rules.credentials import PRIVATE_KEY, credentials_in, mask
from wbmem_git.rules.fingerprint import fingerprint, secret_key
from wbmem_git.rules.scope import agents_files, judged_files
from wbmem_git.rules.wording import quote
from wbmem_git.text.titles import title_of

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Sequence

    from wbmem_git.model import Change
    from wbmem_git.rules.credentials import Credential

LEAST_GARBAGE = 3
GARBAGE_SHARE = 0.001
BASE64_LENGTH = 200
MOST_CREDENTIALS = 50
_GARBAGE = r"[\ufffd\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]"
_BASE64_RUN = r"[A-Za-z0-9+/_-]++={0,2}"
_ENVELOPE_TAG = (
    r"(?i)</?(?:[a-z]{1,10}:)?(?:tool_(?:calls?|use|results?|output|response)|function_(?:calls?|results?)|"
    r"invoke)\b"
)
_ENVELOPE_KEYS = (
    r"\"(?:tool_use_id|tool_call_id|tool_calls|tool_name|tool_input|function_call|jsonrpc|stop_reason)\"\s*:|"
    r"\"type\"\s*:\s*\"(?:tool_use|tool_result|tool_call|function_call|function)\"|"
    r"\"role\"\s*:\s*\"(?:assistant|tool|user|system)\""
)
_HEADING = r" {0,3}#{1,6}[ \t]+(?P<title>.*?)(?:[ \t]+#+)?[ \t]*\Z"
_MARKUP = frozenset("*_`<[~\\&")
_FENCED = r"\A`{3,}[ \t]*(?:json)?[ \t]*\n(?P<inside>.*)\n`{3,}\Z"


def g1(change: Change) -> Iterator[Finding]:
    """An agent adds no broken characters: replacement characters (U+FFFD) and control characters.

    Three of them in what it adds to a page, and more than one in a thousand, are refused.

    Why: they are text that was read in the wrong encoding, or a terminal's; nobody can read them later.

    How to mend: write the text again as UTF-8. Binary data belongs in no page.
    """
    for path in agents_files(change):
        lines = change.added.get(path, ())
        broken = [(number, len(re.findall(_GARBAGE, line))) for number, line in lines]
        count = sum(found for _, found in broken)
        if count >= LEAST_GARBAGE and count > GARBAGE_SHARE * sum(len(line) for _, line in lines):
            first, text = next(lines[i] for i, (_, found) in enumerate(broken) if found)
            message = f"{count} replacement or control characters in what was added"
            fix = "write these lines again as plain UTF-8 text"
            yield Finding("G1", "hard", path, first, message, fix, key=quote(text))


def g2(change: Change) -> Iterator[Finding]:
    """An agent's text doesn't stutter.

    Refused are three identical lines in a row (20 characters or more, with a letter; blank lines between them
    don't count), and a text that repeats itself: a unit of 20 characters or more, letters for a third at
    least, that stands there three times without a gap. Code and tables are left alone.

    Why: a model that has lost its thread writes on; what it writes is no memory.

    How to mend: say it once.
    """
    from wbmem_git.rules.stutter import repetition, same_lines, stretches  # for agents only

    for path in agents_files(change):
        for stretch in stretches(change, path):
            line = same_lines(stretch)
            if line is not None:
                number, text, times = line
                message = f"the same line {times} times in a row: {quote(text)}"
                yield Finding("G2", "hard", path, number, message, "say it once", key=f"line {text.strip()}")
                continue
            whole = "".join(f"{text}\n" for _, text in stretch)
            found = repetition(whole)
            if found is not None:
                start, unit = found
                number = stretch[whole.count("\n", 0, start)][0]
                message = f"the text repeats itself: {quote(unit)}"
                yield Finding(
                    "G2", "hard", path, number, message, "say it once", key=f"text {unit.strip()[:80]}"
                )


def g3(change: Change) -> Iterator[Finding]:
    r"""An agent's page is a page, and no raw envelope of a tool: JSON, tool-call markup, escaped line ends.

    Refused is a Markdown page that is one JSON object or list (also in a code fence that holds all of it),
    that begins with the keys or tags of a tool call, or whose line ends are all written as `\\n`.

    Why: the text was meant and its packing was written; neither headings nor cards are found in it.

    How to mend: write what the envelope holds, as Markdown.
    """
    for path in agents_files(change):
        text = change.new.files[path].text
        if text is not None and path.endswith(".md") and change.added.get(path):
            what = _envelope(text.removeprefix("\ufeff").replace("\r\n", "\n").strip())
            if what:
                first = change.added[path][0][0]
                fix = "write what it holds, as Markdown"
                yield Finding("G3", "hard", path, first, f"the page is {what}", fix, key="envelope")


def g4(change: Change) -> Iterator[Finding]:
    """An agent adds no base64: 200 characters or more of it in one piece.

    Why: a picture or a file as text fills the page, and nobody reads it; what it is can't be told.

    How to mend: leave the file where it is, and name its path.
    """
    for path in agents_files(change):
        for number, line in change.added.get(path, ()):
            run = (
                max(re.findall(_BASE64_RUN, line), key=len, default="") if len(line) >= BASE64_LENGTH else ""
            )
            if len(run) >= BASE64_LENGTH and all(
                re.search(kind, run) for kind in ("[A-Z]", "[a-z]", "[0-9]")
            ):
                message = f"{len(run)} characters of base64"
                fix = "leave the file where it is, and name its path"
                yield Finding("G4", "hard", path, number, message, fix, key=f"{run[:12]} {len(run)}")


def g5(change: Change) -> Iterator[Finding]:
    """Nobody commits a credential: not in a page, not in a file name, not in a message.

    Keys and tokens of the usual clouds, forges and model makers, bearer tokens, private keys, passwords in
    URLs, and whatever stands as a value behind a word like `password`, `api key`, `密码`, `口令`, in either
    language, also as `密码是…`. Hashes, UUIDs, commit ids, prose about passwords and placeholders such as
    `<your password>`, `$PASSWORD`, `xxxx` aren't. What a reader sees counts: escapes, entities, and markup
    amid a token (`gh<b>p_…</b>`) hide none. It is shown with its kind, its place and at most four characters.

    Why: what is committed once is in every clone, for good.

    How to mend: take it out and put a placeholder there. If it was ever real, revoke it: deleting it doesn't
    help. A false alarm: a person lets it through with `wbmem allow` and the digits that the report names.
    """
    for path in judged_files(change):
        if all(path not in parent.files for parent in change.parents):
            for found in credentials_in(path):
                yield _found(change, (path, 0, "the file name holds"), found, path)
        yield from _in_page(change, path)
    for found in credentials_in(change.message):
        yield _found(change, ("", 0, f"line {found.line} of the commit message holds"), found, change.message)


def _in_page(change: Change, path: str) -> Iterator[Finding]:
    """What stands on added lines; a private key that is partly added counts too."""
    whole = change.new.files[path].text
    added = change.added.get(path, ())
    if whole is None or not added:
        return
    text = "\n".join(line for _, line in added)
    findings = [(added[found.line - 1][0], found, text) for found in credentials_in(text)]
    findings += _in_titles(added, {number for number, _, _ in findings})
    if PRIVATE_KEY in whole.lower():
        numbers = {number for number, _ in added}
        findings = [f for f in findings if f[1].kind != PRIVATE_KEY]
        for found in credentials_in(whole):
            last = found.line + whole.count("\n", found.start, found.end)
            if found.kind == PRIVATE_KEY and numbers.intersection(range(found.line, last + 1)):
                findings.append((found.line, found, whole))
    for number, found, source in sorted(findings, key=lambda f: f[0])[:MOST_CREDENTIALS]:
        yield _found(change, (path, number, "there is"), found, source)
    if len(findings) > MOST_CREDENTIALS:
        message = f"there are {len(findings)} credentials; the first {MOST_CREDENTIALS} are listed"
        yield Finding("G5", "hard", mask(path), 0, message, "take them all out", key="more")


def _in_titles(
    added: Sequence[tuple[int, str]], told: Container[int]
) -> Iterator[tuple[int, Credential, str]]:
    """What only a heading without its markup shows: `ghp_**…**…`."""
    for number, line in added:
        heading = re.match(_HEADING, line)
        if heading and number not in told and not _MARKUP.isdisjoint(line):
            title = title_of(heading["title"])
            yield from ((number, found, title) for found in credentials_in(title))


def _found(change: Change, place: tuple[str, int, str], found: Credential, text: str) -> Finding:
    """A finding that shows nothing of the secret beyond its public prefix, in no field of it."""
    path, line, where = place
    shown = f' ("{found.shown}…")' if found.shown else ""
    secret = secret_key(text[found.start : found.end], change.settings.workspace)
    finding = Finding(
        "G5",
        "hard",
        mask(path),
        line,
        f"{where} a credential: {found.kind}{shown}",
        key=f"{found.kind} {secret}",
    )
    digits = fingerprint(finding, change.settings.workspace)
    fix = (
        "take it out, put a placeholder there, and revoke it if it was ever real; "
        f"if it is a false alarm, a person can let it through: wbmem allow {digits}"
    )
    return finding._replace(fix=fix)


def _envelope(text: str) -> str:
    """What kind of envelope a page is, "" where it is none."""
    fenced = re.match(_FENCED, text, re.DOTALL)
    inside = fenced["inside"].strip() if fenced else text
    first = inside.partition("\n")[0]
    if re.match(_ENVELOPE_TAG, first):
        return "the markup of a tool call"
    if inside[:1] in {"{", "["}:
        if re.search(_ENVELOPE_KEYS, inside[:2000]):
            return "the raw JSON of a tool call"
        if _is_json(inside):
            return "one piece of JSON"
    if text.count("\\n") >= 5 and text.count("\n") <= 2 and re.match(r"[\"'#]", text):
        return "text whose line ends are written as `\\n`"
    return ""


def _is_json(text: str) -> bool:
    if text[-1] not in {"}", "]"}:
        return False
    import json  # only for a page that looks like it

    try:
        return bool(json.loads(text))
    except (ValueError, RecursionError):
        return False
