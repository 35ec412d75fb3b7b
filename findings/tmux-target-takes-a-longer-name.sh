#!/usr/bin/env bash
# Guess: `-t agent-1` means the session agent-1. If it has ended, `tmux has-session` says no, and keys or a kill for it fail.
# What happens: where no session has that name, tmux takes one that begins with it. With agent-1 ended `has-session -t agent-1` is
# true of agent-12, `send-keys` types into it, and `kill-session` ends it, exit 0. Only with two such sessions it is an error.
# `-t =agent-1` is exact for a session, and for a pane it is an error though the session is there: that takes `=agent-1:`. A
# session whose name has a dot, as of a repository like next.js, can't be named for a pane without that colon. And what follows
# the dot is read as a pane first: `kill-session -t =fix-1.0` ends fix-1, though both are there.
# Who it hurts: anyone who runs agents in sessions with numbers, or with names of branches (fix, fix-tests): the answer that was
# meant for one agent goes to another, and the clean-up of one that had ended ends its neighbour.
# What to know: write `=NAME:`, with the colon for a session too, or use the numbers that `new-session -P -F
# '#{session_id} #{pane_id}'` prints.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
own_home
install_tmux tmux=3.8-1 eeff5d6e33c3b45229ae15bcc96a3884edf4e1225ec9891866dbb883edc4a687
command tmux -V

# A session that keeps what is typed there up to an end of input, and then waits to be ended.
start() { tmux new-session -d -s "$1" "cat >'$T/typed-$1'; tmux wait-for -S 'typed-$1'; sleep 1000"; }
run() {
	local code=0
	tmux "$@" >"$T/out" 2>&1 || code=$?
	printf 'exit %s%s' "$code" "$(sed 's/^/, /' "$T/out")"
}
sessions() { tmux list-sessions -F '#{session_name}' | paste -s -d ' '; }

for name in agent-1 agent-2 agent-12 next.js; do start "$name"; done
tmux kill-session -t agent-1
same 'sessions' 'agent-12 agent-2 next.js' "$(sessions)"
same 'has-session -t agent-1' 'exit 0' "$(run has-session -t agent-1)"
same 'send-keys -t agent-1' 'exit 0' "$(run send-keys -t agent-1 yes Enter C-d)"
tmux wait-for typed-agent-12
same 'typed into agent-12' yes "$(cat "$T/typed-agent-12")"
same 'has-session -t =agent-1' "exit 1, can't find session: agent-1" "$(run has-session -t =agent-1)"
same 'has-session -t =agent-12' 'exit 0' "$(run has-session -t =agent-12)"
same 'send-keys -t =agent-12' "exit 1, can't find pane: =agent-12" "$(run send-keys -t =agent-12 yes)"
same 'send-keys -t =agent-12:' 'exit 0' "$(run send-keys -t =agent-12: yes)"
same 'send-keys -t next.js' "exit 1, can't find pane: js" "$(run send-keys -t next.js yes)"
same 'has-session -t next.js' "exit 1, can't find pane: js" "$(run has-session -t next.js)"
same 'send-keys -t =next.js:' 'exit 0' "$(run send-keys -t =next.js: yes)"
same 'kill-session -t agent-1' 'exit 0' "$(run kill-session -t agent-1)"
same 'sessions' 'agent-2 next.js' "$(sessions)"
start agent-21
start agent-22
same 'has-session -t agent-2 beside agent-21' 'exit 0' "$(run has-session -t agent-2)"
tmux kill-session -t =agent-2
same 'send-keys -t agent-2 with two' "exit 1, can't find pane: agent-2" "$(run send-keys -t agent-2 yes)"
start fix-1
start fix-1.0
same 'kill-session -t =fix-1.0 beside fix-1' 'exit 0' "$(run kill-session -t =fix-1.0)"
same 'sessions' 'agent-21 agent-22 fix-1.0 next.js' "$(sessions)"
same 'kill-session -t =fix-1.0:' 'exit 0' "$(run kill-session -t =fix-1.0:)"
same 'sessions' 'agent-21 agent-22 next.js' "$(sessions)"
