# What git will keep of the message. With an editor it takes out comments and all below the scissors.
said() {
    if [ "${GIT_EDITOR-}" = : ]; then
        git stripspace <"$message"
    else
        sed '/^[^[:alnum:][:space:]] -* >8 -*$/,$d' "$message" | git stripspace --strip-comments
    fi
}
