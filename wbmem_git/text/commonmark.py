"""What CommonMark says, by markdown-it: the reference that the fast paths hand over to.

The only user of markdown-it; importing it costs 60 ms, so whoever needs this module imports it lazily.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from markdown_it import MarkdownIt
from markdown_it.rules_block import blockquote, list_block

from wbmem_git.model import Block
from wbmem_git.text.html_blocks import BLANK_LINE, end_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from markdown_it.rules_block import StateBlock
    from markdown_it.token import Token

    from wbmem_git.model import BlockKind

# markdown-it gives up at 20 levels and drops the rest of the document, so a list nested ten deep would
# swallow every card below it. Here markers beyond this depth are text instead, and all else stays.
DEEPEST_LEVEL = 100

_LINE_END = re.compile(r"\r\n?")


def blocks(text: str, first: int = 1) -> tuple[Block, ...]:
    """The structure of `text`, with its first line numbered `first`."""
    source = _LINE_END.sub("\n", text).replace("\0", "\ufffd")
    # markdown-it counts no last line of mere blanks, and raises IndexError on some texts without a last line
    # feed (4.3.0: ">9. <script\n>").
    last = source.rfind("\n") + 1
    source = source + "\n" if source[last:].strip(" \t") else source[:last]
    tokens: list[Token] = []
    parser = _block_parser()
    parser.block.parse(source, parser, {}, tokens)
    lines = source.split("\n")
    return tuple(
        _block(token, tokens[index + 1 : index + 2], lines, first)
        for index, token in enumerate(tokens)
        if token.level == 0 and token.type in {"heading_open", "fence", "html_block"}
    )


def _block(token: Token, following: Sequence[Token], lines: Sequence[str], first: int) -> Block:
    start, end = token.map or (0, 0)
    if token.type == "heading_open":
        return Block(
            "heading", start + first, end + first - 1, int(token.tag[1]), following[0].content, closed=True
        )
    if token.type == "fence":
        closed = end - start > 1 and _closes(lines[end - 1], token.markup)
        return Block("fence", start + first, end + first - 1, 0, token.info.strip(" \t"), closed)
    text = "\n".join(lines[start:end])
    head = lines[start].lstrip(" \t")
    terminator = end_of(head) or BLANK_LINE
    closed = terminator is BLANK_LINE or terminator.search(lines[end - 1]) is not None
    kind: BlockKind = "comment" if head.startswith("<!--") else "html"
    return Block(kind, start + first, end + first - 1, 0, text, closed)


def _closes(line: str, markup: str) -> bool:
    """Whether a fence's last line is its closing one (an unclosed fence may end on any line)."""
    return re.fullmatch(rf" {{0,3}}{markup}{markup[0]}*[ \t]*", line) is not None


def inline_text(raw: str) -> str:
    """The text of a heading's raw content: escapes and entities resolved, markup gone, breaks as spaces.

    HTML tags and comments are left out, an image is its alt text, reference links stay as they are
    written (a heading is read without the definitions around it).
    """
    tokens = _inline_parser().parseInline(raw, {})[0].children or []
    return "".join(_texts(tokens))


def _texts(tokens: Sequence[Token]) -> list[str]:
    texts: list[str] = []
    for token in tokens:
        if token.type in {"text", "text_special", "code_inline"}:
            texts.append(token.content)
        elif token.type in {"softbreak", "hardbreak"}:
            texts.append(" ")
        elif token.type == "image":
            texts.extend(_texts(token.children or ()))
    return texts


@cache
def _inline_parser() -> MarkdownIt:
    return MarkdownIt("commonmark")


@cache
def _block_parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"maxNesting": 10 * DEEPEST_LEVEL})
    interrupts = ["paragraph", "reference", "blockquote", "list"]
    parser.block.ruler.at("blockquote", _bounded(blockquote), {"alt": interrupts})
    parser.block.ruler.at("list", _bounded(list_block), {"alt": interrupts[:3]})
    return parser


def _bounded(
    rule: Callable[[StateBlock, int, int, bool], bool],
) -> Callable[[StateBlock, int, int, bool], bool]:
    """`rule`, opening no container beyond the deepest level."""

    def bounded(state: StateBlock, line: int, end: int, silent: bool) -> bool:
        return (silent or state.level < DEEPEST_LEVEL) and rule(state, line, end, silent)

    return bounded
