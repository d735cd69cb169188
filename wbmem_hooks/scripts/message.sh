# What git will keep of the message. With an editor it takes out comments and all below the scissors.
said() {
    if [ "${GIT_EDITOR-}" = : ]; then
        git stripspace <"$message"
    else
        above_scissors <"$message" | git stripspace --strip-comments
    fi
}

above_scissors() {
    while IFS= read -r line || [ -n "$line" ]; do
        ! is_scissors "$line" || return 0
        printf '%s\n' "$line"
    done
}

# git's own line is `# ------------------------ >8 ------------------------`, behind any comment string.
is_scissors() {
    case ${1%% *} in '' | *[[:alnum:]]*) return 1 ;; esac
    set -- "${1#* }"
    case $1 in *' >8 '*) ;; *) return 1 ;; esac
    case ${1%% >8 *}${1#* >8 } in *[!-]*) return 1 ;; esac
}

# Whether a line of the message matches, and also where grep is missing or fails: then it might.
may_match() {
    LC_ALL=C grep -q "$@" -- "$message" 2>/dev/null
    [ "$?" -ne 1 ]
}

# Most messages are short and hold no word that a credential stands behind: that needs no process.
may_hold_credential() {
    text='' count=0
    while IFS= read -r line || [ -n "$line" ]; do
        count=$((count + 1))
        [ "$count" -le 40 ] || return 0
        text="$text$line
"
    done <"$message" || return 0
    case $text in
        @needles@) return 0 ;;
    esac
    return 1
}
