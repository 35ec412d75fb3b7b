#!/usr/bin/env bash
# Guess: `tmux load-buffer -` and `paste-buffer` type what is given, whatever it is: after an empty text the buffer is empty,
# and nothing is typed; or one of the two fails.
# What happens: an empty text is not taken, exit 0, and the buffer keeps what it had, also one that is named by -b, and also
# with `set-buffer`. So paste-buffer types the text before once more, with its line end, exit 0; without -b it is the last text
# that anybody has loaded or copied on that server.
# Who it hurts: tools that hand prompts and answers to agents in tmux this way, as it is the safe one: where an answer is empty,
# or the program that makes the text has failed and printed nothing, the agent gets the prompt before again, and carries it out;
# or one that was meant for another.
# What to know: `paste-buffer -d -b NAME` removes the buffer after each use, so that an empty text is an error, "no buffer
# NAME".
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
own_home
install_tmux tmux=3.8-1 eeff5d6e33c3b45229ae15bcc96a3884edf4e1225ec9891866dbb883edc4a687
command tmux -V
mkfifo "$T/typed"
tmux new-session -d -s agent "exec cat >'$T/typed'"
tmux new-session -d -s other 'exec cat'
exec 3<"$T/typed"

# Hands a text to the agent, and says how that ended.
hand() {
	local code=0
	printf "$1" | tmux load-buffer "${@:2}" - || code=$?
	tmux paste-buffer -p -r "${@:2}" -t =agent: 2>"$T/words" || code=$?
	printf 'exit %s' "$code"
}
typed() { IFS= read -r -t 30 line <&3 || line=nothing; printf '%s' "$line"; }
same 'a prompt' 'exit 0' "$(hand 'delete the cache\n' -b prompt)"
same 'typed' 'delete the cache' "$(typed)"
same 'an empty one' 'exit 0' "$(hand '' -b prompt)"
same 'typed' 'delete the cache' "$(typed)"
same 'set-buffer' 'exit 0' "$(tmux set-buffer -b prompt '' && printf 'exit 0')"
same 'the buffer' 'prompt: 17 bytes' "$(tmux list-buffers | cut -d : -f 1,2)"

printf 'for the other one\n' | tmux load-buffer -
tmux paste-buffer -t =other:
same 'an empty one without a name' 'exit 0' "$(hand '')"
same 'typed' 'for the other one' "$(typed)"
tmux delete-buffer -b prompt
same 'an empty one in a new buffer' 'exit 1' "$(hand '' -b prompt)"
same 'what tmux says' 'no buffer prompt' "$(cat "$T/words")"
