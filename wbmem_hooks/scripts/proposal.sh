# Whether a stamp that passed speaks of what git is about to commit: its tree, every parent, author, actor.
fits() {
    read_stamp && [ "$s_verdict" = passed ] && actor_fits || return
    find_author && [ "$author" = "$s_author" ] || return
    find_heads && [ "$heads" = "$s_heads" ] || return
    new=$(git write-tree 2>/dev/null) && [ "$new" = "$s_new" ]
}

# HEAD and what is being merged, without a process.
find_heads() {
    find_head
    heads=$head
    [ -f "$git_dir/MERGE_HEAD" ] || return 0
    while read -r head; do
        heads="$heads $head"
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
