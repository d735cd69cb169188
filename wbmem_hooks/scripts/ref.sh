# Where HEAD is: $common the folder of all worktrees, $ref the ref of its branch, or $detached its commit.
find_ref() {
    common=$git_dir detached=''
    if [ -f "$git_dir/commondir" ]; then
        read -r common <"$git_dir/commondir"
        case $common in /*) ;; *) common=$git_dir/$common ;; esac
    fi
    read -r ref <"$git_dir/HEAD"
    case $ref in
        'ref: refs/heads/.invalid') ref=$(git symbolic-ref -q HEAD) || ref='' ;; # reftable
        'ref: '*) ref=${ref#ref: } ;;
        *) detached=$ref ref='' ;;
    esac
}

# HEAD's commit, "" on an unborn branch; git is asked where no file of its own has it (packed refs, reftable).
find_head() {
    find_ref
    head=$detached
    if [ -n "$ref" ] && [ -s "$common/$ref" ]; then
        read -r head <"$common/$ref"
    fi
    case $head in
        '' | ref:*) head=$(git rev-parse -q --verify HEAD 2>/dev/null) || head='' ;;
    esac
}

# Where it is written up to which commit this branch's history was looked at.
find_mark() {
    find_ref
    mark=$common/wbmem/audit/${ref#refs/heads/}/.mark
}
