chain "$@" || exit
# A pick that is refused here would be tried again for ever; post-rewrite and audit tell what it did.
rebasing && exit 0
fits && exit 0
start "$@"
