refs=$(cat)
[ -z "$refs" ] || refs="$refs
"
printf %s "$refs" | chain "$@" || exit
printf %s "$refs" | start "$@"
