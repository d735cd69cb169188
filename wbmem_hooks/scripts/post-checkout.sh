if [ "$3" = 1 ] && ! rebasing; then
    find_mark
    marked=''
    [ ! -s "$mark" ] || read -r marked <"$mark"
    [ "$marked" = "$2" ] || start "$@"
fi
chain "$@"
