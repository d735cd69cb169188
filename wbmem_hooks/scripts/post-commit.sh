# Each pick of a rebase comes by here; post-rewrite tells of all of them at once.
if ! rebasing; then
    if fits_head; then
        find_mark
        if [ -s "$mark" ] && read -r marked <"$mark" && [ "$marked" = "$parents" ]; then
            echo "$head" >"$mark"
        fi
        : >"$git_dir/wbmem/stamp" # empty is as good as gone, without a process that takes it away
    else
        start "$@"
    fi
fi
chain "$@"
