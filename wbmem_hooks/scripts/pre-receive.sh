read_input
printf %s "$input" | chain "$@" || exit
printf %s "$input" | start "$@"
