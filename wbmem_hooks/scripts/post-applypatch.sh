# At the last patch of an am; a rebase's are told by post-rewrite.
if [ -f "$git_dir/rebase-apply/applying" ]; then
    read -r next <"$git_dir/rebase-apply/next"
    read -r last <"$git_dir/rebase-apply/last"
    if [ "$next" = "$last" ]; then
        start "$@"
        refresh
    fi
fi
chain "$@"
