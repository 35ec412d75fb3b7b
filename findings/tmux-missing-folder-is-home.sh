#!/usr/bin/env bash
# Guess: `tmux new-session -c DIR`, and the same of new-window, split-window and respawn-pane, fails if there is no such folder,
# as `git -C` and `env -C` do.
# What happens: exit 0 without a word, and the command runs in the home folder. The pane's pane_start_path names the folder that
# isn't there.
# Who it hurts: anyone who starts agents in worktrees by tmux: once a worktree was removed, or is not made yet, or is a typing
# error away, the agent begins in the home folder, with leave to change what it finds.
# What to know: begin the command with `cd DIR && exec`, and leave out -c.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
own_home
install_tmux tmux=3.8-1 eeff5d6e33c3b45229ae15bcc96a3884edf4e1225ec9891866dbb883edc4a687
command tmux -V
mkdir "$T/worktree" "$T/checkout"
cd "$T/checkout"

# Where a command is that tmux starts this way, and how tmux ends.
where() {
	local code=0
	tmux "$@" "pwd >'$T/where'; tmux wait-for -S told; sleep 1000" || code=$?
	tmux wait-for told
	printf 'exit %s, in %s' "$code" "$(sed "s|$T|T|" "$T/where")"
}

same 'new-session in a worktree' 'exit 0, in T/worktree' "$(where new-session -d -s one -c "$T/worktree")"
same 'in a folder that is not there' 'exit 0, in T/home' "$(where new-session -d -s two -c "$T/gone")"
same 'its pane_start_path' "$T/gone" "$(tmux display-message -p -t =two: '#{pane_start_path}')"
same 'new-window' 'exit 0, in T/home' "$(where new-window -t =two: -c "$T/gone")"
same 'split-window' 'exit 0, in T/home' "$(where split-window -t =two: -c "$T/gone")"
same 'respawn-pane' 'exit 0, in T/home' "$(where respawn-pane -k -t =two: -c "$T/gone")"
rmdir "$T/worktree"
same 'respawn-pane of the first after its worktree was removed' 'exit 0, in T/home' "$(where respawn-pane -k -t =one:)"
tmux new-window -d -t =two: "cd '$T/gone' 2>'$T/log' || echo 'not there' >'$T/where'; tmux wait-for -S told"
tmux wait-for told
same 'cd in the command' 'not there' "$(cat "$T/where")"
