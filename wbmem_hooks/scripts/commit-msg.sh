chain "$@" || exit
message=$1
if may_hold_credential && LC_ALL=C grep -Eq -e "$suspicious" -- "$message"; then
    start "$@"
    exit
fi
rebasing && exit 0 # whoever made the picked commit stays its author
read_stamp || exit 0
set --
while IFS=' ' read -r key value; do
    [ "$key" != trailer ] || set -- "$@" --trailer "$value"
done <"$git_dir/wbmem/stamp"
[ "$#" -gt 0 ] || exit 0
[ -n "$(said)" ] || exit 0 # an empty message aborts the commit, and a trailer would save it
git interpret-trailers --in-place --no-divider --if-exists addIfDifferent "$@" -- "$message"
