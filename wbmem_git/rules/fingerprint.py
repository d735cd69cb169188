"""What `wbmem allow` names: a finding as hex digits that tell nothing of the page."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wbmem_git.model import Finding

DIGITS = 16
SECRET_ROUNDS = 20_000
"""About 8 ms each: guessing a password from the key of a finding is to be slow (PBKDF2, RFC 8018)."""


def fingerprint(finding: Finding, key: str) -> str:
    """What `wbmem allow` names: hex digits that stay the same when lines move.

    Args:
        finding: A finding of a gate or of an audit.
        key: The workspace key, so that one memory's allowance means nothing in another.
    """
    from hashlib import sha256  # OpenSSL takes 8 ms to load, and most commits have no finding

    said = "\0".join((key, finding.rule, finding.path, identity(finding)))
    return sha256(said.encode()).hexdigest()[:DIGITS]


def identity(finding: Finding) -> str:
    """What tells two findings of one rule and path apart."""
    return finding.key or finding.card or finding.message


def secret_key(secret: str, key: str) -> str:
    """A secret as the key of a finding: the same for the same secret, and of no use to a reader."""
    from hashlib import pbkdf2_hmac

    return pbkdf2_hmac("sha256", secret.encode(), key.encode(), SECRET_ROUNDS).hex()[:DIGITS]
