drop_stamp
chain "$@" || exit
start ${chained:+--chained} || exit
note_process
