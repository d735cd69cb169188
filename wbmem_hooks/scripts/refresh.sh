# The sidecar follows HEAD behind the commit's back: nobody waits for it, and it holds no stream that somebody
# reads to its end. WBMEM_DETACH=0 waits, WBMEM_DETACH=never leaves it to whoever asks next.
refresh() {
    [ -x "$python" ] && [ -f "$main" ] || return 0
    case ${WBMEM_DETACH-} in
        never) ;;
        0) "$python" -I -S "$main" refresh </dev/null ;;
        *) "$python" -I -S "$main" refresh --detached </dev/null >/dev/null 2>&1 & ;;
    esac
}
