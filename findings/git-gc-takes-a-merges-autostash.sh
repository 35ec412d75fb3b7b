#!/usr/bin/env bash
# Guess: what a stopped merge needs stays. `git gc --prune=now` takes objects that nothing needs; the manual warns of processes
# that write meanwhile, and here none runs. A stopped `git rebase --autostash` keeps its changes, since gc looks into its files.
# What happens: gc doesn't look at MERGE_AUTOSTASH and MERGE_HEAD. Changes that `git merge --autostash` has put aside are
# removed, also by a gc in another worktree. `git merge --abort` then says "not a stash-like commit", ends with 0, and the
# changes are nowhere; so does the commit that ends the merge. A commit that was merged by `git fetch URL` and FETCH_HEAD is
# removed too, and then the merge can't be committed.
# Who it hurts: anyone who has set merge.autoStash or pulls with --autostash, and has agents in other worktrees, one of which makes
# the repository smaller: work that was never committed is gone, and the exit code says that it was brought back.
# What to know: look for MERGE_HEAD in all worktrees' git folders before a gc with --prune=now. Without it objects stay two
# weeks.
set -euo pipefail
. "$(dirname "$0")/lab/setup.bash"
own_home
install_git_2_55

git init -q -b main "$T/repo"
cd "$T/repo"
echo 1 >file
echo 1 >notes
git add .
git commit -qm start
git switch -qc topic
echo topic >file
git commit -qam topic
git switch -q main
echo main >file
git commit -qam main
git worktree add -q --detach "$T/other"

# Ends a stopped merge or rebase by this command, after a gc in the other worktree, and says what became of the change.
ended() {
	git -C "$T/other" gc -q --prune=now
	local code=0
	GIT_EDITOR=: git "$@" >"$T/log" 2>&1 || code=$?
	printf 'exit %s, %s, %s stashes' "$code" "$(cat notes)" "$(git stash list | wc -l)"
}

tip=$(git rev-parse HEAD)
echo precious >notes
git rebase -q --autostash topic >"$T/log" 2>&1 || true
echo both >file
git add file
same 'rebase, then gc, then rebase --continue' 'exit 0, precious, 0 stashes' "$(ended rebase --continue)"

git reset -q --hard "$tip"
echo precious >notes
git merge -q --autostash topic >"$T/log" 2>&1 || true
same 'changes while the merge is stopped' 'UU file' "$(git status --short)"
same 'merge, then gc, then merge --abort' 'exit 0, 1, 0 stashes' "$(ended merge --abort)"
same 'what it said' "not a stash-like commit" "$(grep -o 'not a stash-like commit' "$T/log")"

echo precious >notes
git merge -q --autostash topic >"$T/log" 2>&1 || true
echo both >file
same 'merge, then gc, then commit' 'exit 0, 1, 0 stashes' "$(ended commit -qam merged)"

git init -q -b main "$T/fork"
git -C "$T/fork" fetch -q "$T/repo" main
git -C "$T/fork" reset -q --hard "$(git rev-list --max-parents=0 main)"
echo fork >"$T/fork/file"
git -C "$T/fork" commit -qam fork
git fetch -q "$T/fork" main
git merge -q FETCH_HEAD >"$T/log" 2>&1 || true
echo all >file
same 'merge of FETCH_HEAD, then gc, then commit' 'exit 128, 1, 0 stashes' "$(ended commit -qam merged)"
same 'what it said' 'Corrupt MERGE_HEAD file' "$(grep -o 'Corrupt MERGE_HEAD file' "$T/log")"
