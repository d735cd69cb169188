read_input
[ "$1" = amend ] || printf %s "$input" | start "$@" # of an amended commit post-commit has told
printf %s "$input" | chain "$@"
