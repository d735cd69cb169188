# Each pick of a rebase comes by here; post-rewrite tells of all of them at once.
if ! rebasing; then
    if fits_head && same_process; then
        find_mark
        if [ -s "$mark" ] && read -r marked <"$mark" && [ "$marked" = "$parents" ]; then
            echo "$head" >"$mark"
        fi
        drop_stamp
    else
        start "$@"
    fi
    refresh
fi
chain "$@"
