# Which git runs this hook: its process and, where the system tells it, when that one began; the number alone
# soon comes again in a container. What it notes says that this git has run a hook that asked the gate.
find_process() {
    process=$PPID
    [ -r "/proc/$PPID/stat" ] || return 0
    read -r stat <"/proc/$PPID/stat"
    # shellcheck disable=SC2086 # the fields behind the program's name
    set -- ${stat##*) }
    process=$PPID.${20-}
}

note_process() {
    [ -s "$stamp" ] || return 0 # it could not be written: the next hook asks again
    find_process
    echo "process $process" 2>/dev/null >>"$stamp" || :
}

same_process() { find_process && [ "$process" = "$s_process" ]; }
