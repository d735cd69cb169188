[ "$1" = 1 ] || start "$@" # a squash commits nothing
chain "$@"
