#!/usr/bin/env bash
# Guess: where a rebase stops for a conflict, `git commit` and `git rebase --continue` come to the same, as `git commit` and
# `--continue` do in a stopped cherry-pick: the commit keeps its author and its date, and its committer is the one who resolved
# the conflict.
# What happens: in a rebase `git commit` makes a new commit: its author is the one who resolved the conflict, its date is now,
# and the rebase goes on, exit 0. With `git rebase --continue`, and with `git commit` in a cherry-pick, the author stays. The message is kept in all
# three, so that nothing looks wrong.
# Who it hurts: agents that resolve conflicts of others' branches: they commit, as they do everywhere else, and the work of a
# person or of another agent is theirs from then on, in blame and in counts.
# What to know: `git rebase --continue` alone; or `git commit -C REBASE_HEAD`.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
own_home
install_git_2_55
git init -q -b main "$T/repo"
cd "$T/repo"
echo 1 >file
git add .
git commit -qm start
git switch -qc topic
echo topic >file
GIT_AUTHOR_NAME=Writer GIT_AUTHOR_DATE=2001-01-01T12:00:00Z git commit -qam topic
made=$(git rev-parse HEAD)
git switch -q main
echo main >file
git commit -qam main
export GIT_EDITOR=:

# Has git stop at the conflict of a command, resolves it and commits by another, and says whose commit it is then.
resolved() {
	git switch -q --detach "$1"
	git $2 >"$T/log" 2>&1 || true
	echo both >file
	git add file
	git $3 >"$T/log" 2>&1
	author
}
author() { git log -1 --format='%s, %an, %ad' --date=format:%F | sed '/2001-01-01/!s/, [^,]*$/, now/'; }
same 'cherry-pick, then commit' 'topic, Writer, 2001-01-01' "$(resolved main "cherry-pick $made" 'commit --no-edit')"
same 'rebase, then rebase --continue' 'topic, Writer, 2001-01-01' "$(resolved topic 'rebase main' 'rebase --continue')"
same 'rebase, then commit' 'topic, Someone, now' "$(resolved topic 'rebase main' 'commit --no-edit')"
git rebase --continue >"$T/log" 2>&1
same 'and rebase --continue' 'topic, Someone, now' "$(author)"
