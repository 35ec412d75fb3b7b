#!/usr/bin/env bash
# Guess: `tmux send-keys -l TEXT` types the text as it is: -l is for literal, and the text is one argument.
# What happens: a semicolon at its end is dropped, exit 0: tmux takes it for the end of the command, whatever shell quoting was
# around it. A text that is `;` types nothing. One that ends in `\;` loses the backslash. -- in front changes nothing, and text
# that `set-buffer` is given fares alike. Semicolons within the text stay.
# Who it hurts: tools that drive agents, editors and shells in tmux: a line of C or SQL arrives without its end; psql and mysql
# wait for the rest, and `find … -exec … \;` is wrong.
# What to know: hand the text over by `tmux load-buffer -` and `paste-buffer -p -r`, or put a backslash before a last semicolon.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
own_home
install_tmux tmux=3.8-1 eeff5d6e33c3b45229ae15bcc96a3884edf4e1225ec9891866dbb883edc4a687
command tmux -V

# What a program reads that a tmux command is to type for.
typed() {
	tmux new-session -d -s reader "cat >'$T/typed'; tmux wait-for -S typed"
	"$@"
	tmux send-keys -t =reader: Enter C-d
	tmux wait-for typed
	cat "$T/typed"
	until ! tmux has-session -t =reader 2>"$T/log"; do sleep 0.1; done
}
keys() { tmux send-keys -t =reader: -l "$@"; }
paste_it() { tmux paste-buffer -t =reader: -r -p; }
buffer() { tmux set-buffer -- "$1" && paste_it; }
standard_input() { printf '%s' "$1" | tmux load-buffer - && paste_it; }

tmux new-session -d -s keeper
same 'send-keys -l "a; b"' 'a; b' "$(typed keys 'a; b')"
same 'send-keys -l "select 1;"' 'select 1' "$(typed keys 'select 1;')"
same 'send-keys -l -- "select 1;"' 'select 1' "$(typed keys -- 'select 1;')"
same 'send-keys -l ";"' '' "$(typed keys ';')"
same 'send-keys -l "ls \;"' 'ls ;' "$(typed keys 'ls \;')"
same 'send-keys -l "ls \\\\;"' 'ls \;' "$(typed keys 'ls \\;')"
same 'set-buffer' 'select 1' "$(typed buffer 'select 1;')"
same 'load-buffer' 'select 1;' "$(typed standard_input 'select 1;')"
