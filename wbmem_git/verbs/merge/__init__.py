"""Three versions in, one out: cards, zones, logs, whole trees. Nothing here moves a ref or a file."""
