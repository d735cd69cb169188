"""Floor 6: the doors that git opens. Each file is a `main(argv) -> int`."""
