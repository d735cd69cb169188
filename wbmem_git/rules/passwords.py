"""Whether what stands behind a word like *password* is a secret, or prose, code, a placeholder.

A password is named by a word of the language table, in any language; its value is printable ASCII.
"""

from __future__ import annotations

from functools import cache

from wbmem_git.text.languages import words
from wbmem_git.text.patterns import pattern

_ALGORITHM = pattern(
    r"(?i)(?:sha-?[0-9]{1,3}|md[0-9]|argon2(?:id|i|d)?|bcrypt|scrypt|pbkdf2|hmac|base(?:16|32|58|62|64)|"
    r"aes-?[0-9]*|rsa-?[0-9]*|ed25519|x25519|[rhep]s(?:256|384|512)|oauth[0-9]?|jwt|totp|utf-?8|ascii|"
    r"p-?256)(?![A-Za-z0-9])"
)
_PLACEHOLDER = pattern(
    r"(?i)[<$%{\[(@&~]|\.{2,}|#[0-9]+$|![a-z]+$|/|\\|https?:|(?:your|my|our|some|the|new|old)[_-]|your|"
    r"op://|vault:|env[.(:\[]|process\.|os\.|mem_[0-9a-f]"
)
_INSIDE = pattern(r"(?i)\$\{|\{\{|[*x._-]{6}")
_EXPRESSION = pattern(r"[A-Za-z_][\w.]*[(\[{<]|[A-Za-z_]\w*(?:(?:\.|->|::)[A-Za-z_]\w*)+$")
_QUANTITY = pattern(
    r"(?i)[<>=~+-]*[0-9]+(?:[.,:/x-][0-9]+)*[+%]?(?:-?(?:chars?|characters?|bits?|bytes?|digits?|letters?|"
    r"words?|days?|hours?|minutes?|min|weeks?|months?|years?|times?|ms|kb|mb|gb|[smhdkwx]))?$|"
    r"v?[0-9]+(?:\.[0-9]+)+$"
)
_REFERENCE = pattern(r"[A-Z][A-Z0-9]{1,9}-[0-9]{1,6}$")
_UUID = pattern(r"(?i)[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$")
_COMPOUND = pattern(r"(?:[A-Za-z]+|[0-9]{1,4})(?:[-_./](?:[A-Za-z]+|[0-9]{1,4}))+$")
_PATH = pattern(r"[A-Za-z0-9_.-]*/[A-Za-z0-9_./-]*$|[A-Za-z0-9_-]+\.[A-Za-z]{1,5}$")
_MORE_WORDS = pattern(r"[^\S\n]*[^\x00-\x40\x5b-\x60\x7b-\x7f，。；、！？：）】」』”’…]")
_RUN = pattern("[A-Za-z0-9]+")
_TRAILING = ".,;:!?)]}>*_|\\"


@cache
def token_names() -> frozenset[str]:
    """The names of keys and tokens, without blanks."""
    return frozenset(word.replace(" ", "") for word in words("token_words"))


@cache
def names() -> tuple[str, ...]:
    """Every name of a secret, the longest first."""
    return tuple(sorted((*words("password_words"), *words("token_words")), key=len, reverse=True))


def assignment() -> str:
    """A name, a sign, a value: `password: …`, `API_KEY=…`, `"token": "…"`, `密码是…`, `| secret | … |`."""
    import re  # most of what is told holds no needle

    spelled = "|".join(re.escape(name).replace(r"\ ", "[ _-]?") for name in names())
    plain = [word for word in words("copulas") if not word.isascii()]
    parted = [word.replace(" ", "[ ]") for word in words("copulas") if word.isascii()]
    return (
        rf"(?P<name>{spelled})(?:[_-]?(?:base|value|key|[0-9]{{1,3}}))?"
        r"[ \t]{0,2}(?:[(（][^()（）\n]{0,24}[)）])?[\"'`*_\]】」』”]{0,3}[ \t\u3000]{0,3}"
        rf"(?P<sign>:=|=>|={{1,3}}|->|→|[:：＝|]|(?:{'|'.join(sorted(plain, key=len, reverse=True))})[:：]?|"
        rf"(?<=[ \t])(?:{'|'.join(sorted(parted, key=len, reverse=True))})(?=[ \t:])[ \t]?:?)"
        r"(?P<gap>[ \t\u3000]{0,3})[*_]{0,2}(?P<quote>[\"'`“‘「『]?)(?P<secret>[!#-&(-_a-~]{4,200})"
    )


def option() -> str:
    """A value behind an option of a command: `--password …`."""
    import re

    spelled = "|".join(re.escape(name).replace(r"\ ", "[_-]?") for name in names() if name.isascii())
    return (
        rf"(?<![A-Za-z0-9-])--(?:[a-z0-9]{{1,20}}-){{0,3}}(?P<name>{spelled})[ \t]{{1,3}}"
        r"(?P<quote>[\"']?)(?P<secret>[!#-&(-_a-~]{4,200})"
    )


def is_random(token: str) -> bool:
    """Whether the tail of a token is no filling: `xxxx`, `…your-key…`, `0000`."""
    tail = token[-16:]
    return len(set(tail)) >= min(6, len(tail)) and "your" not in token.lower()


def is_secret(value: str, *, token: bool, written: str, behind: str) -> bool:
    """Whether a value is a secret.

    Args:
        value: The printable characters behind the sign.
        token: Whether its name is that of a key or token, so that it has to look random.
        written: `quoted`, `joined` (`name=value` without a blank), `stated` (`密码是…`), `url`
            (`user:value@`), or `plain`.
        behind: What stands behind it on the line.
    """
    if written != "url":
        bare = value.rstrip(_TRAILING)
        value, behind = bare, value[len(bare) :] + behind
    if len(value) < 4 - (written == "url") or _is_filling(value):
        return False
    if written == "url":
        return True
    if not any(char.isalpha() for char in value):
        return not token and _is_number_or_symbols(value, behind)
    if value.isalpha() or _COMPOUND.match(value):
        return not token and _is_word_as_secret(value, written, behind)
    return _looks_random(value) if token else len(value) >= 5


def _is_filling(value: str) -> bool:
    """A placeholder, a piece of code, a reference: what stands where a secret would and is none."""
    return bool(
        value.casefold() in _neutral()
        or _PLACEHOLDER.match(value)
        or _INSIDE.search(value)
        or _ALGORITHM.match(value)
        or _EXPRESSION.match(value)
        or _REFERENCE.match(value)
        or _UUID.match(value)
        or (_PATH.match(value) and not _looks_random(value))
        or (_QUANTITY.match(value) and not value.isdigit())
        or (len(set(value.lower())) <= 2 and not value.isdigit())
    )


@cache
def _neutral() -> frozenset[str]:
    return frozenset(word.casefold() for word in words("value_placeholders"))


def _is_number_or_symbols(value: str, behind: str) -> bool:
    if value.isdigit():
        return not _MORE_WORDS.match(behind)
    return any(char in "!@#$%^&*" for char in value) and len(set(value)) > 3


def _is_word_as_secret(value: str, written: str, behind: str) -> bool:
    """Letters alone are prose, unless quotes, a sign without blanks, or Chinese around them say otherwise."""
    if not value.isalpha() or len(value) < 6:
        return False
    if written == "stated":
        return not _MORE_WORDS.match(behind)
    return written == "quoted" or (written == "joined" and behind[:1] not in {")", ",", "(", "."})


def _looks_random(value: str) -> bool:
    """Letters and digits mixed: 8 in a row, or 16 in all."""
    if not any(char.isdigit() for char in value) or len(set(value)) < 6:
        return False
    mixed = [run for run in _RUN.findall(value) if not run.isalpha() and not run.isdigit()]
    return any(len(run) >= 8 for run in mixed) or (len(value) >= 16 and bool(mixed))
