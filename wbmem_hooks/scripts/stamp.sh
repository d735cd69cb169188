# The verdict that a hook left on one change (store/stamp.py says what it looks like).
stamp=$git_dir/wbmem/stamp

# One that an earlier git left, whose commit came to nothing, speaks of no other: emptied without a process.
drop_stamp() { [ ! -s "$stamp" ] || true 2>/dev/null >"$stamp" || :; }

read_stamp() {
    s_new='' s_heads='' s_author='' s_actor='' s_rules='' s_verdict='' s_process=''
    [ -s "$stamp" ] || return 1
    while IFS=' ' read -r key value; do
        case $key in
            new) s_new=$value ;;
            heads) s_heads=$value ;;
            author) s_author=$value ;;
            actor) s_actor=$value ;;
            rules) s_rules=$value ;;
            verdict) s_verdict=$value ;;
            process) s_process=$value ;;
        esac
    done <"$stamp"
    [ "$s_rules" = "$rules" ]
}
