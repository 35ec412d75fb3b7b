#!/usr/bin/env bash
# Guess: `jj git init` in a linked worktree of git's makes a second jj beside that of the main checkout: it warns of that, and
# goes on. Each keeps its commits by refs of the repository, so what one no longer needs the other still has.
# What happens: both keep their commits under refs/jj/keep, and `jj util gc` looks at what its own jj needs alone. With `--expire
# now`, which is the only time that it takes, the other's commits are removed at once, unless a branch or a reflog of git's has
# them. From then on each command of the other jj ends with an internal error: its log, its undo and its list of operations too.
# Who it hurts: agents that use jj in worktrees that a supervisor made by git: one tidies up, and another loses the work that it
# had described and put aside, whose files are in no folder either.
# What to know: make their folders by `jj workspace add`, which makes linked worktrees of git's too, with one jj for all.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
own_home
install_git_2_55
install_jj jujutsu=0.46.0-2 12398e92c2cd992349b83f02823e10c616d85c20b3fe2107d3c32ca7118c3b11

git init -q -b main "$T/repo"
cd "$T/repo"
git commit -qm start --allow-empty
jj git init --colocate 2>"$T/log"

# Has jj record work in this folder, and begin another line of work.
work() {
	echo work >file
	jj describe --quiet -m 'the work'
	jj new --quiet main -m 'other work'
}
# How jj ended, and the first line of what it said.
run() {
	local code=0
	"$@" >"$T/out" 2>&1 || code=$?
	printf 'exit %s, %s' "$code" "$(head -n 1 "$T/out")"
}
log() { run jj log --no-graph -T 'description.first_line() ++ "\n"' -r 'main.. ~ @'; }

# Has the jj of the main checkout clean up.
clean_up() {
	cd "$T/repo"
	jj util gc "$@" 2>"$T/log"
	cd - >"$T/log"
}

git worktree add -q --detach "$T/linked"
cd "$T/linked"
same 'jj git init there' 'exit 0, Done importing changes from the underlying Git repo.' "$(run jj git init --colocate)"
work
same 'its work' 'exit 0, the work' "$(log)"
clean_up
same 'after jj util gc in the main checkout' 'exit 0, the work' "$(log)"
clean_up --expire now
lost='exit 255, Internal error: Unexpected error from backend'
same 'after jj util gc --expire now' "$lost" "$(log)"
same 'its status' "$lost" "$(run jj status)"
same 'undo' "$lost" "$(run jj undo)"
same 'its operations' "$lost" "$(run jj op log)"
same 'commits that git still finds' '' "$(git fsck --no-reflogs --lost-found | cut -d ' ' -f 3 | xargs -r -n 1 git show -s --format=%s | grep work || true)"

cd "$T/repo"
jj workspace add --quiet "$T/workspace"
cd "$T/workspace"
work
clean_up --expire now
same 'in a workspace of jj' 'exit 0, the work' "$(log)"
