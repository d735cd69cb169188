"""Whether a text may hold a credential at all: mostly it can't, and then `rules.credentials` isn't loaded.

That one with its languages takes a question 1.5 ms to load, and as long again for the cells of a table.
"""

from __future__ import annotations

_TRACES = (
    "key", "token", "secret", "pass", "pwd", "credential", "bearer", "authorization", "://",
    "akia", "asia", "abia", "acca", "akid", "ltai", "aiza", "dapi", "eyj",
    "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_",
    "glpat-", "glptt-", "gldt-", "glrt-", "glcbt-", "glsoat-", "glft-",
    "sk-", "k_live_", "k_test_", "whsec_", "gsk_", "xai-", "pplx-", "r8_", "nvapi-", "hf_", "npm_", "pypi-",
    "xox", "xapp-", "hooks.slack.com", "gocspx-", "ya29.", "sg.", "_v1_",
    "密", "口令", "暗号", "令牌", "私钥", "授权码",
)  # fmt: skip
"""A part of each needle of the table of credentials; as few as can be without stopping at every text."""


def may_hold(text: str) -> bool:
    """False where a text has no credential for certain."""
    if _has_trace(text):
        return True
    from wbmem_git.text.escapes import unescaped

    plain = unescaped(text)
    return plain is not None and _has_trace(plain.text)


def _has_trace(text: str) -> bool:
    low = text.lower()
    return any(map(low.__contains__, _TRACES))
