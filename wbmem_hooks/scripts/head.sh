# Whether the stamp speaks of the commit that HEAD names now; then $head is it, and $parents are its parents.
fits_head() {
    read_stamp && [ "$s_verdict" = passed ] || return
    set -- HEAD 'HEAD^{tree}'
    count=0
    for tree in $s_parents; do
        count=$((count + 1))
        set -- "$@" "HEAD^$count^{tree}"
    done
    found=$(git rev-parse "$@" 'HEAD^@' 2>/dev/null) || return
    # shellcheck disable=SC2086 # the words of a list
    set -- $found
    [ "$#" -eq $((2 + 2 * count)) ] && [ "$2" = "$s_new" ] || return
    head=$1
    shift 2
    trees=''
    while [ "$count" -gt 0 ]; do
        trees="$trees $1"
        shift
        count=$((count - 1))
    done
    parents=$*
    [ "${trees# }" = "$s_parents" ]
}

# Where it is written up to which commit this branch's history is audited.
find_mark() {
    common=$git_dir
    if [ -f "$git_dir/commondir" ]; then
        read -r common <"$git_dir/commondir"
        case $common in /*) ;; *) common=$git_dir/$common ;; esac
    fi
    read -r name <"$git_dir/HEAD"
    case $name in
        'ref: refs/heads/.invalid') name=$(git symbolic-ref -q HEAD) || name='' ;; # reftable
        'ref: '*) name=${name#ref: } ;;
        *) name='' ;;
    esac
    mark=$common/wbmem/audit/${name#refs/heads/}/.mark
}
