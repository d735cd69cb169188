#!/bin/sh
# A memory from nothing to a refused commit and back. `make demo` runs it; WORKSPACE=… keeps it.
set -eu
workspace=${1:-}
if [ -z "$workspace" ]; then
  workspace=$(mktemp -d)
  trap 'rm -rf "$workspace"' EXIT
fi
mkdir -p "$workspace"
cd "$workspace"
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE 2>/dev/null || true
export GIT_AUTHOR_NAME="Demo Person" GIT_AUTHOR_EMAIL=demo@example.org
export GIT_COMMITTER_NAME="Demo Person" GIT_COMMITTER_EMAIL=demo@example.org

say() { printf '\n# %s\n' "$*"; }
run() { printf '$ %s\n' "$*"; "$@"; }

say "A memory for this workspace: a git repository of its own, with the gate in its hooks."
run wbmem init
cd handoff
git config user.name "$GIT_AUTHOR_NAME"
git config user.email "$GIT_AUTHOR_EMAIL"

say "Accepted: a new card."
run wbmem new card "Fix the login timeout" --column Doing
run git commit -q -m "plan: fix the login timeout"
run git log --oneline -1

say "Refused: somebody rewrites the board and the card is gone."
cp PLAN.md before.txt
printf '# Plan\n\n## Doing\n\n[Rest of the file unchanged]\n' > PLAN.md
printf '$ %s\n' 'git commit -a -m "tidy up"'
if git commit -q -a -m "tidy up"; then
  echo "the gate let it through" >&2
  exit 1
fi

say "Mended: the card is done, so it is archived. Its text stays, in the archive and in the history."
run wbmem archive --missing --reason "done: the timeout is 30 s now"
run git add PLAN.md
run git commit -q -m "plan: the login timeout is fixed"
run git log --oneline -3
run wbmem status
rm -f before.txt
