#!/usr/bin/env bash
# Guess: `git maintenance register` in a linked worktree registers the repository, since objects and settings are the
# repository's and no worktree has some of its own.
# What happens: the path of the worktree is registered, and `maintenance.auto=false` is written for the repository. Once
# the worktree is removed nobody maintains the repository: the schedule finds no folder, and commits and fetches no longer
# start the automatic run. Repositories that were registered later are not
# maintained either, since the schedule ends at the first folder that is missing.
# Who it hurts: anyone who registers a repository from the worktree of a task and removes that when the task is done.
# What to know: register from the main worktree; look through `git config --global --get-all maintenance.repo` after
# worktrees are removed.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
own_home
install_git_2_39

# Makes a repository in which the automatic run has something to do: it holds two packs, and one is the limit.
make() {
	git init -q -b main "$1"
	git -C "$1" config gc.autoPackLimit 1
	git -C "$1" config gc.autoDetach false
	for word in one two; do
		git -C "$1" commit -q --allow-empty -m "$word"
		git -C "$1" repack -q
	done
}
packs() { find "$1/.git/objects/pack" -name '*.pack' | wc -l; }
schedule() { git for-each-repo --config=maintenance.repo maintenance run --schedule=daily --quiet 2>&1 >"$T/schedule.log" || echo "ends with $?"; }

cd "$T"
for repo in never first second; do make "$repo"; done
same 'packs before' '2 2 2' "$(packs never) $(packs first) $(packs second)"
commit() { git -C "$1" commit -q --allow-empty -m three; }
commit never
same 'packs after a commit in a repository that was never registered' 1 "$(packs never)"

git -C first worktree add -q ../task
git -C task maintenance register
git -C second maintenance register
same 'what is registered' "$T/task $T/second" "$(git config --global --get-all maintenance.repo | paste -sd ' ')"
same 'the repository, as its main worktree sees it' false "$(git -C first config maintenance.auto)"
git -C first worktree remove ../task
same 'the schedule from then on' "fatal: cannot change to '$T/task': No such file or directory
ends with 128" "$(schedule)"
commit first
commit second
same 'packs of both repositories after a commit' '2 2' "$(packs first) $(packs second)"
git config --global --unset maintenance.repo /task
same 'the schedule without that line' '' "$(schedule)"
