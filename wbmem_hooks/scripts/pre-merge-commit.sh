chain "$@" || exit
start ${chained:+--chained} || exit
note_process
