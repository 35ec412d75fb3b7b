#!/usr/bin/env bash
# Guess: `git worktree remove` without --force takes away only what is kept elsewhere. `git switch` warns about commits
# that are left behind on no branch, and `git branch -d` refuses to delete what is not merged.
# What happens: it looks for modified and untracked files only. A worktree whose HEAD is detached goes with the commits
# made there, and one in the middle of a rebase goes with the commits rewritten so far: no warning, exit 0. The reflog
# of the worktree goes too, so `git reflog` and `git log --all --reflog` don't find the commits, and gc may delete them.
# Who it hurts: anyone who gives agents detached worktrees and cleans up when `git status` says there is nothing to commit.
# What to know: before removing, keep HEAD under a ref, and look for rebase-merge and rebase-apply in its git folder.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
own_home
install_git_2_39
git init -q -b main "$T/repo"
cd "$T/repo"
echo one >file
git add .
git commit -qm one

reachable() { git log --all --reflog --format=%s | sort | paste -sd ' '; }

git worktree add -q --detach "$T/detached"
echo two >"$T/detached/file"
git -C "$T/detached" commit -qam two
lost=$(git -C "$T/detached" rev-parse HEAD)
same 'commits found before' 'one two' "$(reachable)"
same 'what remove says' '' "$(git worktree remove "$T/detached" 2>&1)"
same 'commits found after' one "$(reachable)"
same 'what fsck still finds until gc' "unreachable commit $lost" "$(git fsck --unreachable --no-progress | grep commit)"

git worktree add -q -b topic "$T/rebasing"
cd "$T/rebasing"
for word in three four; do
	echo "$word" >file
	git commit -qam "$word"
done
GIT_SEQUENCE_EDITOR="sed -i.old '1s/pick/edit/'" git rebase -q -i main >"$T/rebase.log" 2>&1
git commit -q --amend -m 'three, rewritten'
same 'the rebase' 'interactive rebase in progress' "$(git status | sed -n 's/;.*//; /rebase in progress/p')"
cd "$T/repo"
same 'what remove says in the middle of it' '' "$(git worktree remove "$T/rebasing" 2>&1)"
same 'commits found after' 'four one three' "$(reachable)"
