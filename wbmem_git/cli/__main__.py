"""`python -m wbmem_git.cli` is `wbmem`."""

import sys

from wbmem_git.cli import main

sys.exit(main())
