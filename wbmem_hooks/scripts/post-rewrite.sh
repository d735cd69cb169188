commits=$(cat)
[ "$1" = amend ] || printf '%s\n' "$commits" | start "$@" # of an amended commit post-commit has told
printf '%s\n' "$commits" | chain "$@"
