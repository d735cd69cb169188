# The sidecar follows HEAD behind the commit's back: nobody waits for it (WBMEM_DETACH=0 does), and it holds no
# stream that somebody reads to its end.
refresh() {
    [ -x "$python" ] && [ -f "$main" ] || return 0
    if [ "${WBMEM_DETACH-}" = 0 ]; then
        "$python" -I -S "$main" refresh </dev/null
    else
        "$python" -I -S "$main" refresh --detached </dev/null >/dev/null 2>&1 &
    fi
}
