"""wbmem: a memory for coding agents, plain Markdown in a git repository of its own."""

__version__ = "0.1.0"
