# Whether the stamp speaks of the commit that HEAD names now; then $head is it, and $parents are its parents.
fits_head() {
    read_stamp && [ "$s_verdict" = passed ] || return
    found=$(git rev-parse HEAD 'HEAD^{tree}' 'HEAD^@' 2>/dev/null) || return
    # shellcheck disable=SC2086 # the words of a list
    set -- $found
    [ "$2" = "$s_new" ] || return
    head=$1
    shift 2
    parents=$*
    [ "$parents" = "$s_heads" ]
}
