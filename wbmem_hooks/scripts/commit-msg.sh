chain "$@" || exit
message=$1
if may_hold_credential && may_match -E -e "$suspicious"; then
    start "$@"
    exit
fi
rebasing && exit 0 # whoever made the picked commit stays its author
read_stamp || exit 0
set --
told=''
while IFS=' ' read -r key value; do
    [ "$key" = trailer ] || continue
    case $value in
        "$actor_trailer:"*) told=yes how=addIfDifferentNeighbor ;;
        *) how=addIfDifferent ;;
    esac
    set -- "$@" --if-exists "$how" --trailer "$value"
done <"$stamp"
# Of several the last one counts: an agent whose author shows it doesn't become a person by a line of its own.
if [ -z "$told" ] && [ "$s_actor" = agent ] && may_match -i -e "^$actor_trailer[[:blank:]]*:"; then
    set -- "$@" --if-exists addIfDifferentNeighbor --trailer "$actor_trailer: agent"
fi
[ "$#" -gt 0 ] || exit 0
kept=$(said) || exit
[ -n "$kept" ] || exit 0 # an empty message aborts the commit, and a trailer would save it
# git 2.39 puts a trailer into the subject's paragraph where the message has no line end (`git merge -m`).
while IFS= read -r line; do :; done <"$message"
[ -z "$line" ] || echo >>"$message"
git interpret-trailers --in-place --no-divider "$@" -- "$message"
