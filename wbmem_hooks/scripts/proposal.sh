# Whether a stamp that passed speaks of what git is about to commit: its tree, every parent's tree, author, actor.
fits() {
    read_stamp && [ "$s_verdict" = passed ] && actor_fits || return
    find_author && [ "$author" = "$s_author" ] || return
    find_parents && [ "$parents" = "$s_parents" ] || return
    new=$(git write-tree 2>/dev/null) && [ "$new" = "$s_new" ]
}

# One git for all of them: HEAD's tree, and those of the heads that are being merged.
find_parents() {
    set -- 'HEAD^{tree}'
    if [ -f "$git_dir/MERGE_HEAD" ]; then
        while read -r head; do
            set -- "$@" "$head^{tree}"
        done <"$git_dir/MERGE_HEAD"
    fi
    parents=$(git rev-parse "$@" 2>/dev/null) || parents='' # an unborn branch
    # shellcheck disable=SC2086 # the words of a list
    set -- $parents
    parents=$*
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
