# Whether the stamp speaks of what git is about to commit: its tree, every parent's tree, author and actor.
# Where this very git ran the hook that left it, the tree is enough: git itself refuses when HEAD has moved. And
# an index that is older than the stamp has that tree still.
fits() {
    read_stamp || return
    same_process && [ "$git_dir/wbmem/stamp" -nt "${GIT_INDEX_FILE:-$git_dir/index}" ] && return
    new=$(git write-tree 2>/dev/null) && [ "$new" = "$s_new" ] || return
    same_process && return
    find_parents && [ "$parents" = "$s_parents" ] && find_author && [ "$author" = "$s_author" ] && actor_fits
}

same_process() {
    process=''
    [ ! -s "$git_dir/wbmem/process" ] || read -r process <"$git_dir/wbmem/process"
    [ "$process" = "$PPID" ]
}

find_parents() {
    parents=$(git rev-parse -q --verify 'HEAD^{tree}' 2>/dev/null) || return 0 # an unborn branch
    [ -f "$git_dir/MERGE_HEAD" ] || return 0
    while read -r head; do
        tree=$(git rev-parse "$head^{tree}") || return
        parents="$parents $tree"
    done <"$git_dir/MERGE_HEAD"
}

find_author() {
    author="${GIT_AUTHOR_NAME-} <${GIT_AUTHOR_EMAIL-}>"
    [ -z "${GIT_AUTHOR_NAME-}" ] || return 0
    author=$(git var GIT_AUTHOR_IDENT) && author=${author% * *}
}

# A person's stamp isn't for the agent that takes the same author's name.
actor_fits() {
    [ "$s_actor" = human ] && [ "${WBMEM_ACTOR-}" != human ] || return 0
    for name in WBMEM_ACTOR $agent_variables; do
        eval "[ -z \"\${$name-}\" ]" || return
    done
}
