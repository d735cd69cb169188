chain "$@" || exit
[ -n "$chained" ] && fits && exit 0
start "$@" || exit
note_process
