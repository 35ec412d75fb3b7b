#!/usr/bin/env bash
# Guess: `screen -X stuff TEXT` types the text, or fails: screen's exit code tells which, and the shell's quotes keep a `$`.
# What happens: of a text of 800 characters nothing is typed, exit 0; of 700 all. In a shorter one screen puts variables of its own
# environment in for `$NAME`, and takes a backslash and `^` for itself. A command that screen doesn't know is exit 0 as well.
# Who it hurts: tools that hand prompts or commands to agents and shells in screen: a long prompt never comes, and anyone who
# sent it waits for an answer; a path or a price with a `$` arrives as something else.
# What to know: write the text to a file, and have screen read and paste it: `-X readreg p FILE`, then `-p 0 -X paste p`.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
own_home
install_screen screen=5.0.2-1 9dcb0b19b1a5c9b1f5c235577b25e9e47652d9c6ebf43d5027ad41392801ef8c
export PRICE=5
trap 'screen -S lab -X quit >"$T/log" || true; rm -rf "$T"' EXIT
screen --version || true

screen -dmS lab sh -c "stty raw -echo; touch '$T/ready'; exec cat >>'$T/typed'"
until [ -e "$T/ready" ]; do sleep 0.1; done
to_screen() {
	local code=0
	screen -S lab -p 0 -X "$@" >"$T/out" || code=$?
	printf 'exit %s' "$code"
}
# What has been typed since, up to a mark that is sent behind it.
typed() {
	to_screen stuff '<end>' >"$T/log"
	until grep -q '<end>$' "$T/typed"; do sleep 0.1; done
	sed 's/<end>$//' "$T/typed"
	: >"$T/typed"
}
text() { printf "%0$1d" 0; }
same 'stuff of 700 characters' 'exit 0' "$(to_screen stuff "$(text 700)")"
same 'typed characters' 700 "$(typed | wc -c)"
same 'of 800' 'exit 0' "$(to_screen stuff "$(text 800)")"
same 'typed characters' 0 "$(typed | wc -c)"
same 'of a dollar and backslashes' 'exit 0' "$(to_screen stuff 'cost: $PRICE; C:\101\102')"
same 'typed' 'cost: 5; C:AB' "$(typed)"
same 'an unknown command' 'exit 0' "$(to_screen no-such-command)"
printf '%s $PRICE \\101' "$(text 3000)" >"$T/text"
same 'readreg and paste of 3000' 'exit 0, exit 0' "$(to_screen readreg p "$T/text"), $(to_screen paste p)"
same 'typed is the text' yes "$([ "$(typed)" = "$(cat "$T/text")" ] && echo yes)"
