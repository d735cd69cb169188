# `gated`: this git has run pre-commit or pre-merge-commit. It hasn't in a revert, a pick, under --no-verify.
gated=''
read_stamp && same_process && gated=yes
[ -n "$gated" ] || rebasing || drop_stamp
chain "$@" || exit
# A pick that is refused here would be tried again for ever; post-rewrite and audit tell what it did.
rebasing && exit 0
if [ -n "$gated" ]; then
    fits && exit 0
elif [ -n "$chained" ] && [ -s "$stamp" ]; then
    exit 0 # the hook that was here before has asked the gate
fi
start ${gated:+--gated} "$@"
