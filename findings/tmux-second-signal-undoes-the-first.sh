#!/usr/bin/env bash
# Guess: `tmux wait-for -S` wakes who waits, and is kept for who comes later; a second signal before that changes nothing, as with
# a flag, or lets a second one through, as with a semaphore. Exit 0 of `tmux wait-for` means that the signal came.
# What happens: the first signal is kept, and a second one before anybody waits takes it away: two leave nothing, three one. Who
# waits then waits for good. And a waiter whose server ends also exits with 0.
# Who it hurts: anyone who lets agents, checks or hooks report the end of work this way: where two are done before somebody waits, or
# one reports twice, the supervisor waits for work that has long been done. If the server is killed, it takes work for done.
# What to know: a channel for each signal, named anew each time, and a file with the result beside it; look at both.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
own_home
install_tmux tmux=3.8-1 eeff5d6e33c3b45229ae15bcc96a3884edf4e1225ec9891866dbb883edc4a687
command tmux -V
tmux new-session -d -s keeper
# How a wait ends that begins after so many signals; 124 is that it has not ended by itself.
wait_after() {
	local code=0 number
	for ((number = 0; number < $1; number++)); do tmux wait-for -S "channel-$1"; done
	timeout "$2" tmux wait-for "channel-$1" || code=$?
	printf 'exit %s' "$code"
}
same 'a wait after no signal' 'exit 124' "$(wait_after 0 3)"
same 'after one' 'exit 0' "$(wait_after 1 120)"
same 'after two' 'exit 124' "$(wait_after 2 3)"
same 'after three' 'exit 0' "$(wait_after 3 120)"
same 'after four' 'exit 124' "$(wait_after 4 3)"

tmux wait-for never &
waiter=$!
until tmux show-messages 2>"$T/log" | grep -q 'wait-for never'; do sleep 0.1; done
tmux kill-server
code=0
wait "$waiter" || code=$?
same 'a wait whose server was killed' 'exit 0' "exit $code"
