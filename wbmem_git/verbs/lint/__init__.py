"""`wbmem lint`: its rules, and what they look at."""
