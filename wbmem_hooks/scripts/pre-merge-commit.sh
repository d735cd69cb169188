chain "$@" || exit
start ${chained:+--chained}
