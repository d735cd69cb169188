# For the next hook: which git it was that this one answered.
note_process() { [ ! -d "$git_dir/wbmem" ] || echo "$PPID" >"$git_dir/wbmem/process"; }
