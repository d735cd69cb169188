# The verdict that a hook left on one change (store/stamp.py says what it looks like).
read_stamp() {
    s_new='' s_parents='' s_author='' s_actor='' s_rules='' s_verdict=''
    [ -s "$git_dir/wbmem/stamp" ] || return 1
    while IFS=' ' read -r key value; do
        case $key in
            new) s_new=$value ;;
            parents) s_parents=$value ;;
            author) s_author=$value ;;
            actor) s_actor=$value ;;
            rules) s_rules=$value ;;
            verdict) s_verdict=$value ;;
        esac
    done <"$git_dir/wbmem/stamp"
    [ "$s_verdict" = passed ] && [ "$s_rules" = "$rules" ]
}
