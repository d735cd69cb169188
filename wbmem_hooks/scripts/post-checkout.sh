if [ "$3" = 1 ] && ! rebasing; then
    find_mark
    marked=''
    [ ! -s "$mark" ] || read -r marked <"$mark"
    [ "$marked" = "$2" ] || start "$@"
    [ "$1" = "$2" ] || refresh
fi
chain "$@"
