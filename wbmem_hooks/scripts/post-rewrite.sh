read_input
if [ "$1" != amend ]; then # of an amended commit post-commit has told
    printf %s "$input" | start "$@"
    refresh
fi
printf %s "$input" | chain "$@"
