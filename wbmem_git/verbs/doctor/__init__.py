"""`wbmem doctor`."""
