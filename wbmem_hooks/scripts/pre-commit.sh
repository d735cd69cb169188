drop_stamp
chain "$@" || exit
# Where the hook that was here before is the framework, it may have asked the gate already.
if [ -z "$chained" ] || ! fits; then
    start "$@" || exit
fi
note_process
