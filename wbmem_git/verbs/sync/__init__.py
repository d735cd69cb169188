"""`wbmem sync`: what the other repository has, and what is pushed to it."""
