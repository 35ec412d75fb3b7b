#!/usr/bin/env bash
# Guess: `srt COMMAND` of @anthropic-ai/sandbox-runtime ends as the command does: with its exit code, and with 143 where SIGTERM
# ended it. A SIGTERM to srt is handed on to the command, which ends tidily and decides the exit code, or srt says 143.
# What happens: a SIGTERM to srt kills the command at once, as by SIGKILL: it gets no signal, and no handler of its own runs.
# And srt ends with 0, as if all had gone well. Where the command itself is ended by SIGTERM, srt does say 143.
# Who it hurts: anyone who ends an agent, a test run or a build by a time limit, or because somebody pressed stop: exit code 0 says
# that the tests have passed. What the command had to tidy up (a lock, a container, a server, a half-written file) stays.
# What to know: the sender of the signal must remember it, and not go by the exit code. `srt timeout 60 COMMAND` is right: the
# signal comes from inside.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
install node@24.9.0 @anthropic-ai/sandbox-runtime@0.0.83
own_home
install_sandbox_tools
bwrap --version
mkdir "$T/folder"
cd "$T/folder"

# Ends a command by SIGTERM once it runs, and says how it ended and what it has written.
ended() {
	rm -f started log
	mkfifo started
	"$@" -c 'trap "echo tidied >log; exit 7" TERM; echo >started; while :; do sleep 0.1; done' &
	read -r <started
	kill "$!"
	local code=0
	wait "$!" || code=$?
	printf 'exit %s, %s' "$code" "$(cat log 2>/dev/null || echo nothing written)"
}
exit_code() { "$@" && echo 0 || echo $?; }
same 'a shell' 'exit 7, tidied' "$(ended bash)"
srt=(srt --settings "$T/sandbox.json")
same 'a command in srt that exits with 7' 7 "$(exit_code "${srt[@]}" -c 'exit 7')"
same 'one that is ended by SIGTERM in there' 143 "$(exit_code "${srt[@]}" -c 'kill $$')"
same 'one whose srt is ended by SIGTERM' 'exit 0, nothing written' "$(ended "${srt[@]}")"
same 'with timeout in srt' 'tidied 7' "$("${srt[@]}" -c 'timeout --preserve-status 1 bash -c "trap \"echo tidied; exit 7\" TERM; sleep 60 & wait"; echo $?' | paste -s -d ' ')"
