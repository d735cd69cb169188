# What git will keep of the message. With an editor it takes out comments and all below the scissors.
said() {
    if [ "${GIT_EDITOR-}" = : ]; then
        git stripspace <"$message"
    else
        sed '/^[^[:alnum:][:space:]] -* >8 -*$/,$d' "$message" | git stripspace --strip-comments
    fi
}

# Most messages are short and hold no word that a credential stands behind: that needs no process.
may_hold_credential() {
    text='' count=0
    while IFS= read -r line || [ -n "$line" ]; do
        count=$((count + 1))
        [ "$count" -le 40 ] || return 0
        text="$text$line
"
    done <"$message"
    case $text in
        @needles@) return 0 ;;
    esac
    return 1
}
