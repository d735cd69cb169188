if [ "$1" != 1 ]; then # a squash commits nothing
    start "$@"
    refresh
fi
chain "$@"
