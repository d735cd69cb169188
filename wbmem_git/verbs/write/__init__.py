"""`wbmem write`: from a text to the page, card, ledger or log that it becomes."""
