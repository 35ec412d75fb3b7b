#!/usr/bin/env bash
# Guess: `tmux send-keys -l TEXT` gives the text to the program in the pane, whatever a person does there: scrolling is a matter
# of display, and `paste-buffer` reaches the program meanwhile.
# What happens: once somebody has scrolled up, which is copy mode, each letter is a command of that mode, and none arrives: exit 0
# for one text, exit 1 with "no current client" for another. A text that has a q ends the mode, and its rest is dropped; the Enter
# behind it then submits an empty line.
# Who it hurts: supervisors that type prompts and answers into agents' panes: as long as the person reads further up the agent never
# gets the prompt; or Enter alone arrives, and confirms whatever the agent asks, with the answer that is preselected.
# What to know: hand text over by `load-buffer -` and `paste-buffer -p -r`, and send Enter as a buffer as well; or look at
# `#{pane_in_mode}`, and leave by `send-keys -X cancel`, before each send-keys.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
own_home
install_tmux tmux=3.8-1 eeff5d6e33c3b45229ae15bcc96a3884edf4e1225ec9891866dbb883edc4a687
command tmux -V
run() {
	local code=0
	tmux "$@" >"$T/out" 2>&1 || code=$?
	printf 'exit %s%s' "$code" "$(head -1 "$T/out" | sed 's/^/, /')"
}
# Begins a program that keeps its lines, and scrolls its pane up.
scrolled() {
	tmux new-session -d -s agent "cat >'$T/lines'; tmux wait-for -S over"
	tmux copy-mode -t =agent:
}
# What the program has read in all.
lines() {
	if [ "$(tmux display-message -p -t =agent: '#{pane_in_mode}')" = 1 ]; then tmux send-keys -t =agent: -X cancel; fi
	tmux send-keys -t =agent: C-d
	tmux wait-for over
	cat "$T/lines"
	until ! tmux has-session -t =agent 2>"$T/log"; do sleep 0.1; done
}
tmux new-session -d -s keeper
scrolled
same 'send-keys -l "look"' 'exit 0' "$(run send-keys -t =agent: -l look)"
same 'send-keys Enter' 'exit 0' "$(run send-keys -t =agent: Enter)"
same 'the program has read' '' "$(lines)"
scrolled
same 'send-keys -l "fix it"' 'exit 1, no current client' "$(run send-keys -t =agent: -l 'fix it')"
same 'the program has read' '' "$(lines)"
scrolled
same 'send-keys -l "quiet, please"' 'exit 1, no current client' "$(run send-keys -t =agent: -l 'quiet, please')"
same 'send-keys Enter' 'exit 0' "$(run send-keys -t =agent: Enter)"
same 'lines that the program has read' 1 "$(lines >"$T/read"; wc -l <"$T/read")"
same 'without line ends' '' "$(tr -d '\n' <"$T/read")"
scrolled
printf 'look\n' | tmux load-buffer -
same 'paste-buffer' 'exit 0' "$(run paste-buffer -t =agent: -p -r)"
same 'the program has read' look "$(lines)"
