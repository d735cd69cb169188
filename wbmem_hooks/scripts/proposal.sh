# Whether the stamp speaks of what git is about to commit: its tree, every parent's tree, author and actor.
fits() {
    read_stamp && [ "$(git write-tree 2>/dev/null)" = "$s_new" ] &&
        [ "$(old_trees)" = "$s_parents" ] && [ "$(author)" = "$s_author" ] && actor_fits
}

old_trees() {
    set -- 'HEAD^{tree}'
    if [ -f "$git_dir/MERGE_HEAD" ]; then
        while read -r head; do set -- "$@" "$head^{tree}"; done <"$git_dir/MERGE_HEAD"
    fi
    trees=$(git rev-parse -q --verify "$1" 2>/dev/null) || return 0 # an unborn branch
    [ "$#" -eq 1 ] || trees=$(git rev-parse "$@") || return
    # shellcheck disable=SC2086 # one line out of several
    echo $trees
}

author() {
    if [ -n "${GIT_AUTHOR_NAME-}" ]; then
        printf '%s\n' "$GIT_AUTHOR_NAME <${GIT_AUTHOR_EMAIL-}>"
    else
        ident=$(git var GIT_AUTHOR_IDENT) && printf '%s\n' "${ident% * *}"
    fi
}

# A person's stamp isn't for the agent that takes the same author's name.
actor_fits() {
    [ "$s_actor" = human ] && [ "${WBMEM_ACTOR-}" != human ] || return 0
    for name in WBMEM_ACTOR $agent_variables; do
        eval "[ -z \"\${$name-}\" ]" || return
    done
}
